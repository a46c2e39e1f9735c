"""What the team database's errors mean to a person. No message of the engine's that could
hold a password or a record reaches anybody."""

import psycopg
from psycopg import errors as engine

from holdfast.domain.text import beginning, visible
from holdfast.kernel.errors import (
    HoldfastError,
    StoreNewer,
    TeamRefused,
    TeamUnreachable,
)

_SHOWN = 200
_MISSING = (engine.UndefinedTable, engine.InvalidSchemaName, engine.UndefinedColumn)
_FORBIDDEN = (
    engine.InsufficientPrivilege,
    engine.InvalidAuthorizationSpecification,
    engine.UndefinedObject,  # the role that everybody works as
    engine.InvalidParameterValue,
)


def explained(error: psycopg.Error) -> HoldfastError:
    """Return the outcome an engine's error stands for."""
    if isinstance(error, _MISSING):
        return not_set_up()
    if isinstance(error, _FORBIDDEN):
        return TeamRefused(
            f"the team's database refused it: {_told(error)}",
            hint="ask its owner to run `GRANT holdfast_app TO` your role",
        )
    return TeamRefused(
        f"the team's database refused it: {_told(error)}",
        hint="nothing was lost here; run `holdfast doctor` to see what is wrong",
    )


def unreachable(error: Exception) -> TeamUnreachable:
    return TeamUnreachable(
        f"the team's database does not answer: {_told(error)}",
        hint="checkpoints are kept here and sent later; try `holdfast sync team` again",
    )


def not_set_up() -> TeamRefused:
    return TeamRefused(
        "the team's database is not set up for holdfast yet",
        hint="ask its owner to run `holdfast sync team` once",
    )


def newer(version: int, known: int) -> StoreNewer:
    return StoreNewer(
        f"the team's store was made by a newer holdfast"
        f" (version {version}, this one knows {known}) and was left alone",
        hint="upgrade this holdfast the way it was installed",
    )


def _told(error: Exception) -> str:
    """Return an error's first line; its details may name values of a row."""
    diagnosed = getattr(getattr(error, "diag", None), "message_primary", None)
    first = (diagnosed or str(error) or type(error).__name__).splitlines()[0]
    return beginning(visible(first), _SHOWN)
