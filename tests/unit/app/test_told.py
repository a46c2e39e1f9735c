"""What is told over HTTP: whose it is, and that nobody else's is ever taken for it."""

from collections.abc import Iterator
from itertools import product
from pathlib import Path
from typing import Any

import pytest

from holdfast.app.checkpoints.save import Saved
from holdfast.app.checkpoints.told import Telling, is_told_by, session_told, tell
from holdfast.app.ports import Ports
from holdfast.bootstrap import Container
from holdfast.bootstrap.serving import ports_of_project
from holdfast.domain.checkpoint import Checkpoint
from holdfast.domain.code import Project
from holdfast.kernel.lazy_values import replace
from tests.builders import SESSION, a_foreign, a_full_draft, identity

_ALICE, _OTHER_ALICE = "11111111", "22222222"  # two tokens of one name


@pytest.fixture
def ports(tmp_path: Path) -> Iterator[Ports]:
    project = tmp_path / "project"
    project.mkdir()
    environ = {"HOLDFAST_HOME": str(tmp_path / "home"), "HOME": str(tmp_path)}
    container = Container(environ=environ, project=str(project))
    yield container.ports(create=True)
    container.close()


@pytest.fixture
def project(ports: Ports) -> Project:
    return ports.open_store().project(identity("/code/ours"))


def _told(ports: Ports, place: Project, **changes: Any) -> Checkpoint:
    values: dict[str, Any] = {
        "teller": _ALICE, "author": "alice", "key": "k", "session": "main",
        "project": place, "notes": {"summary": "Done."},
    }  # fmt: skip
    kept = tell(Telling(**{**values, **changes}), ports)
    assert isinstance(kept, Saved)
    return kept.checkpoint


def test_no_two_sessions_are_called_the_same() -> None:
    """Whatever stands in a name: a slash, a quote, a comma, or a whole session of ours."""
    words = ("a", "a/b", "b", "a', 'b", "a:b", "", SESSION, "\ud800")

    called = {session_told(*names) for names in product(words, repeat=3)}

    assert len(called) == len(words) ** 3
    assert SESSION not in called


def test_a_session_goes_on_in_its_project_only(ports: Ports, project: Project) -> None:
    """The words that an earlier save passes on never come from another project."""
    other = ports.open_store().project(identity("/code/other"))
    notes = {"decisions": ["salamander"], "pending": ["salamander"]}
    _told(ports, other, notes=notes)

    apart = _told(ports, project, key="k2")
    _told(ports, project, key="k3", notes={"decisions": ["newt"]})
    after = _told(ports, project, key="k4")

    assert "salamander" not in repr(apart)
    assert apart.previous_checkpoint is None
    assert "newt" in repr(after.draft.content)


def test_a_session_goes_on_with_its_token_only(ports: Ports, project: Project) -> None:
    """Also where both have one name, or a name with what stands between."""
    first = _told(ports, project, notes={"decisions": ["salamander"]})
    second = _told(ports, project, teller=_OTHER_ALICE)
    slashed = _told(ports, project, teller="ci/a", author="ci/a", session="b")
    beside = _told(ports, project, teller="ci", author="ci", session="a/b")

    assert second.draft.session_id != first.draft.session_id
    assert "salamander" not in repr(second)
    assert slashed.draft.session_id != beside.draft.session_id


def test_a_call_is_repeated_by_who_called_where_they_called(
    ports: Ports, project: Project
) -> None:
    """One key in two projects, sessions or hands is no retry."""
    other = ports.open_store().project(identity("/code/other"))
    calls: list[dict[str, Any]] = [
        {}, {"teller": _OTHER_ALICE}, {"session": "x"}, {"project": other},
    ]  # fmt: skip

    kept = [_told(ports, project, **call).checkpoint_id for call in calls]
    again = [_told(ports, project, **call).checkpoint_id for call in calls]

    assert len(set(kept)) == len(calls)
    assert again == kept


def test_who_told_it_is_known_by_their_token_and_not_by_its_name(
    ports: Ports, project: Project
) -> None:
    told = _told(ports, project)
    brought = replace(told, foreign=a_foreign("laptop"))
    worked = replace(told, draft=replace(told.draft, author=""))
    draft = a_full_draft(session_id=told.draft.session_id, author="alice")

    assert is_told_by(_ALICE, told)
    assert not is_told_by(_OTHER_ALICE, told)
    assert not is_told_by(_ALICE, brought)
    assert not is_told_by(_ALICE, worked)
    assert not is_told_by(_ALICE, replace(told, draft=draft))


def test_what_a_token_of_one_project_tells_goes_to_the_mirrors(
    ports: Ports, project: Project
) -> None:
    """As everything does that is kept here: the outbox has it, and somebody sends it."""
    started: list[bool] = []
    limited = replace(
        ports_of_project(ports, project.project_id),
        targets=("claude-mem",),
        start_sync=lambda: started.append(True),
    )

    _told(limited, project)

    (state,) = ports.open_store().outbox.states()
    assert (state.target, state.waiting) == ("claude-mem", 1)
    assert started == [True]
