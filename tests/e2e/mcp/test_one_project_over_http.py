"""A token of one project, over HTTP: whatever it asks, nothing of another one is told. T22."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, get_args

import pytest

from holdfast.bootstrap import Container
from holdfast.domain.checkpoint import Checkpoint, Detail, Item
from holdfast.domain.query import FilterKind, Scope
from holdfast.store.sqlite.store import open_store
from holdfast.surfaces.mcp.http import McpOverHttp
from tests.builders import NOON, OTHER_SESSION, SESSION, a_full_draft, identity
from tests.over_http import Asking, a_grant, served

_THEIRS = "salamander"  # every text of the other project has it, and no question
_NEEDED: dict[str, Any] = {
    "query": "tokens", "content": "Done.", "summary": "Done.",
    "older": "1", "newer": "1",
}  # fmt: skip


class Two:
    """A server of two projects that know each other's sessions, and who asks it."""

    def __init__(self, home: Path, project: Path) -> None:
        self.home = home
        with open_store(str(home), create=True) as store:
            self.ours = store.project(identity(str(project))).project_id
            self.other = store.project(identity("/code/other")).project_id
            self._keep(store)
        self.theirs = self.kept(self.other)

    def _keep(self, store: Any) -> None:
        place = {"project_root": "/code/ours", "workspace": "/code/ours"}
        store.put(a_full_draft(title="First", project_id=self.ours, **place))
        for number in range(4):
            store.put(
                a_full_draft(
                    title=f"{_THEIRS} tokens {number}",
                    summary=f"{_THEIRS}: tokens of an amphibian.",
                    decisions=(Item(f"{_THEIRS} rotate", "agent"),),
                    details=(Detail("tokens", f"{_THEIRS} again"),),
                    tags=("checkpoint", "pond"),
                    project_id=self.other,
                    project_root=f"/code/{_THEIRS}",
                    session_id=OTHER_SESSION,
                    parent_session=SESSION,
                    created_at=NOON + number,
                    name=f"pond-{number}",
                )
            )
        detail = (Detail("tokens", "They rotate."),)
        store.put(a_full_draft(title="Last", project_id=self.ours, details=detail, **place))  # fmt: skip

    def kept(self, project: str) -> list[Checkpoint]:
        with open_store(str(self.home), create=False) as store:
            return list(store.list(Scope(project_id=project), limit=1_000))


@pytest.fixture
def two(tmp_path: Path) -> Two:
    project = tmp_path / "project"
    project.mkdir()
    return Two(tmp_path / "home", project)


@pytest.fixture
def asking(two: Two, tmp_path: Path) -> Iterator[Asking]:
    environ = {"HOLDFAST_HOME": str(two.home), "HOME": str(tmp_path)}
    container = Container(environ=environ, project=str(tmp_path / "project"))
    grants = {"one": a_grant("alice", "write", two.ours)}
    with served(McpOverHttp(container), grants) as address:
        asked = Asking(address, "one")
        yield asked
        asked.close()
    container.close()


def _refs(two: Two) -> list[str]:
    """Return every form of a reference, to what is there and is not ours."""
    one = two.theirs[0]
    whole = one.checkpoint_id
    cut = [whole[:at] for at in (5, 8, 20, len(whole) - 3)]
    sessions = [f"session:{OTHER_SESSION[:at]}" for at in (1, 2, 8, 36)]
    numbered = [str(each.number) for each in two.theirs]
    named = ["pond-0", "pond", "#2", "ccp-", "session:", f"1@{two.other}"]
    back = ["latest", "latest~1", "latest~3"]
    return [whole, OTHER_SESSION, two.other, *cut, *sessions, *numbered, *named, *back]


def _queries(two: Two) -> list[str]:
    """Return every filter, to what is there and is not ours."""
    one = two.theirs[0]
    values = {
        "checkpoint": [one.checkpoint_id, "ccp-", one.checkpoint_id[:8]],
        "session": [OTHER_SESSION, OTHER_SESSION[:2]],
        "parent": [SESSION, SESSION[:2]],
        "lineage": [OTHER_SESSION, SESSION, OTHER_SESSION[:2]],
        "tag": ["pond", "checkpoint"], "type": ["manual"], "file": ["refresh.py"],
        "tool": ["Edit"], "branch": ["main"], "topic": ["authentication"],
        "name": ["pond-0", "pond"],
    }  # fmt: skip
    filters = [
        f"{kind}:{value}" for kind in get_args(FilterKind) for value in values[kind]
    ]
    words = ["amphibian", '"of an amphibian"', "latest", "latest amphibian"]
    words += ["after:2000-01-01", "sort:asc", f"project:{two.other}", "-tag:auth"]
    return [*filters, *(f"{each} tokens latest" for each in filters), *words]


def test_t22_no_tool_and_no_question_tells_of_another_project(
    two: Two, asking: Asking
) -> None:
    """Each text that each tool takes is every reference and every filter: a tool or a
    parameter that is new is walked, too."""
    listed = asking.ask({"jsonrpc": "2.0", "id": 1, "method": "tools/list"}).json
    questions = [*_refs(two), *_queries(two), two.other, "/code/other", "other"]
    walked = 0
    for tool in listed["result"]["tools"]:
        takes = tool["inputSchema"]
        needed = {name: _NEEDED[name] for name in takes.get("required", ())}
        wide = {"all_projects": True} if "all_projects" in takes["properties"] else {}
        for name, how in takes["properties"].items():
            if "string" not in json.dumps(how):
                continue
            is_list = how.get("type") == "array" or "array" in json.dumps(how)
            for asked in questions if "save" not in tool["name"] else _refs(two):
                given = {**needed, **wide, name: [asked] if is_list else asked}
                told = asking.tool(tool["name"], **given)

                assert _THEIRS.encode() not in told.body, (tool["name"], given)
                walked += 1
    assert walked > 500
    assert len(two.kept(two.other)) == 4


def test_t22_no_document_tells_of_another_project(two: Two, asking: Asking) -> None:
    """The resource is asked by every reference."""
    for ref in _refs(two):
        params = {"uri": f"checkpoint://{ref}"}
        told = asking.ask(
            {"jsonrpc": "2.0", "id": 1, "method": "resources/read", "params": params}
        )

        assert _THEIRS.encode() not in told.body, ref


@pytest.mark.parametrize("by", ["ccp", "session"])
def test_t22_the_beginning_of_an_id_elsewhere_is_that_of_none(
    two: Two, asking: Asking, by: str
) -> None:
    """Letter by letter nobody finds out which ids there are: several that begin so are
    told as none."""
    there = (
        "ccp-" + OTHER_SESSION[:3] if by == "ccp" else "session:" + OTHER_SESSION[:3]
    )
    nowhere = there[:-3] + "fff"

    found = asking.tool("checkpoint_get", checkpoint_id=there).told
    missing = asking.tool("checkpoint_get", checkpoint_id=nowhere).told

    assert len(two.theirs) > 1
    assert found["message"].replace(there, "") == missing["message"].replace(
        nowhere, ""
    )
    assert (found["code"], found["hint"]) == (missing["code"], missing["hint"])


def test_t22_no_number_tells_how_much_is_kept_elsewhere(asking: Asking) -> None:
    """Observations are counted through the store; here, in their checkpoint."""
    told = asking.tool("checkpoint_get", checkpoint_id="2").told["observations"]

    assert told["master_summary_id"] == 0
    assert told["detailed_ids"] == [1]


def test_what_is_of_the_project_is_found_by_its_id(two: Two, asking: Asking) -> None:
    """Whole or in part, by session, and in a search: nothing of ours is missed."""
    own = two.kept(two.ours)[0]

    for named in (own.checkpoint_id, f"{own.checkpoint_id[:-1]}", "2", "latest"):
        told = asking.tool("checkpoint_get", checkpoint_id=named).told
        assert told["id"] == own.checkpoint_id, named
    found = asking.tool("checkpoint_search", query=f"session:{SESSION[:8]}").told

    assert {one["id"] for one in found["checkpoints"]} == {
        each.checkpoint_id for each in two.kept(two.ours)
    }
