"""What the team's tables must be, so that projects can lie on different servers."""

import re
from pathlib import Path

import pytest

_FOLDER = (
    Path(__file__).parents[2] / "src" / "holdfast" / "store" / "postgres" / "migrations"
)
SCRIPTS = sorted(_FOLDER.glob("*.sql"))


def _statements(script: Path) -> list[str]:
    text = re.sub(r"--[^\n]*", "", script.read_text(encoding="utf-8"))
    return [" ".join(each.split()) for each in text.split(";") if each.strip()]


EVERY = [each for script in SCRIPTS for each in _statements(script)]
TABLES = [m[1] for each in EVERY if (m := re.match(r"CREATE TABLE (\w+)", each))]


def _keys(statement: str) -> list[str]:
    """Return the columns of each key and unique index that a statement makes."""
    unique = re.match(r"CREATE UNIQUE INDEX \w+ ON \w+ \(([^)]*)\)", statement)
    if unique:
        return [unique[1]]
    return re.findall(r"(?:PRIMARY KEY|UNIQUE) \(([^)]*)\)", statement)


def test_there_is_something_to_look_at() -> None:
    assert "checkpoint" in TABLES
    assert sum(len(_keys(each)) for each in EVERY) >= len(TABLES)


@pytest.mark.parametrize("statement", EVERY, ids=lambda each: each[:50])
def test_every_key_begins_with_the_project(statement: str) -> None:
    """A distributed engine can hold a key only where it holds the whole project."""
    for columns in _keys(statement):
        assert columns.split(", ")[:2] == ["project_id", "tenant"]


@pytest.mark.parametrize("table", TABLES)
def test_every_table_has_a_key(table: str) -> None:
    definition = next(e for e in EVERY if e.startswith(f"CREATE TABLE {table} "))

    assert "PRIMARY KEY (project_id, tenant" in definition


@pytest.mark.parametrize("table", TABLES)
def test_every_table_shows_a_tenant_its_own_rows_only(table: str) -> None:
    """Forced, it holds for the owner, too; a table that is forgotten fails here."""
    own = "tenant = current_setting('holdfast.tenant', true)"

    assert f"ALTER TABLE {table} ENABLE ROW LEVEL SECURITY" in EVERY
    assert f"ALTER TABLE {table} FORCE ROW LEVEL SECURITY" in EVERY
    assert f"CREATE POLICY tenant ON {table} USING ({own}) WITH CHECK ({own})" in EVERY


@pytest.mark.parametrize("table", TABLES)
def test_the_role_that_everybody_works_as_may_use_every_table(table: str) -> None:
    grants = [each for each in EVERY if each.startswith("GRANT ")]

    assert any(re.search(rf"\b{table}\b", each) for each in grants)
    assert all(each.endswith(" TO holdfast_app") for each in grants)


@pytest.mark.parametrize("statement", EVERY, ids=lambda each: each[:50])
def test_nothing_acts_by_itself_or_reaches_into_another_project(statement: str) -> None:
    """No trigger, no sequence that all share, no foreign key, no rule."""
    assert not re.search(
        r"\b(CREATE (CONSTRAINT )?TRIGGER|CREATE RULE|CREATE SEQUENCE|SERIAL|"
        r"BIGSERIAL|IDENTITY|REFERENCES|LOCK TABLE|OWNER TO|SECURITY DEFINER)\b",
        statement,
        re.IGNORECASE,
    )


def test_no_statement_of_the_store_locks_more_than_a_row() -> None:
    """What one project does never waits for another."""
    code = "".join(
        path.read_text(encoding="utf-8") for path in _FOLDER.parent.glob("*.py")
    )
    # One at a time may migrate, and nothing else.
    advisory = re.findall(r"pg_(?:try_)?advisory\w*", code)

    assert advisory == ["pg_advisory_xact_lock"]
    assert "LOCK TABLE" not in code
