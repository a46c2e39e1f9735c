"""The structure a store of some version must have: what its migrations make of nothing."""

from collections.abc import Iterable, Mapping

import apsw

from holdfast.store.sqlite.schema.migrate import migrate, scripts

FOUND = "SELECT name, type, tbl_name, sql FROM sqlite_schema"
Definition = tuple[object, ...]  # type, table, SQL


def definitions(version: int) -> Mapping[str, Definition]:
    """Return each table, index, view and trigger of a version, by its name."""
    model = apsw.Connection(":memory:")
    try:
        migrate(model, "", scripts()[:version])
        return {str(name): tuple(rest) for name, *rest in model.execute(FOUND)}
    finally:
        model.close()


def changed(found: Iterable[tuple[object, ...]], version: int) -> list[str]:
    """Return the names of what is missing or not as we made it; more is no matter."""
    there = {name: tuple(rest) for name, *rest in found}
    wanted = definitions(version)
    return [name for name, made in wanted.items() if there.get(name) != made]
