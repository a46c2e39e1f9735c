"""Refs of a team's remote: what a name says, and that nothing else passes for one."""

import json

import pytest
from hypothesis import given, strategies as st

from holdfast.app.sharing.team_refs import (
    RefName,
    check_tombstone,
    machine_in_ref,
    parsed,
    project_in_refs,
    proof_in,
    store_in_ref,
    tombstone,
)
from holdfast.domain.foreign import machine_name
from holdfast.kernel.errors import RecordRefused, RemoteFailed

ROOT, OTHER = "a" * 40, "b" * 40
CHECKPOINT = "ccp-7670db3a-2057-406a-a109-afcedef1cb97-01-1768737600000"
NAME = RefName(ROOT, "laptop", "0123abcd", CHECKPOINT)


@given(machine=st.text(), key=st.binary(), gone=st.booleans())
def test_what_is_made_is_read_again(machine: str, key: bytes, *, gone: bool) -> None:
    """Whatever a machine is called."""
    called = machine_in_ref(machine_name(machine))
    name = RefName(ROOT, called, store_in_ref(key), CHECKPOINT, gone)

    assert parsed(name.ref) == name


@given(st.text())
def test_what_is_none_of_ours_is_none(text: str) -> None:
    for ref in (text, f"refs/holdfast/{text}", f"refs/holdfast/{ROOT}/{text}"):
        name = parsed(ref)
        assert name is None or name.ref == ref


@pytest.mark.parametrize(
    "ref",
    [
        f"{NAME.ref}\n",
        f"{NAME.ref}.gone.gone",
        f"{NAME.ref}/x",
        NAME._replace(project="HEAD").ref,
        NAME._replace(machine="a..b").ref,
        NAME._replace(machine="-oops").ref,
        NAME._replace(machine="x" * 65).ref,
        NAME._replace(store="0123ABCD").ref,
        NAME._replace(checkpoint_id="ccp-x").ref,
    ],
)
def test_a_name_that_is_nearly_one_is_none(ref: str) -> None:
    assert parsed(ref) is None


def test_a_project_is_the_first_commit_that_is_there_already() -> None:
    """A history may have several; who came later does as who came first."""
    of_other = NAME._replace(project=OTHER).ref

    assert project_in_refs([ROOT, OTHER], []) == ROOT
    assert project_in_refs([ROOT, OTHER], [of_other]) == OTHER
    assert project_in_refs([ROOT, OTHER], [of_other, NAME.ref]) == ROOT
    assert project_in_refs([ROOT], [of_other]) == ROOT
    assert project_in_refs([], [NAME.ref, NAME.gone.ref]) == ROOT


@pytest.mark.parametrize("refs", [[], [NAME.ref, NAME._replace(project=OTHER).ref]])
def test_a_clone_that_does_not_know_its_project_says_so(refs: list[str]) -> None:
    with pytest.raises(RemoteFailed, match="first commit"):
        project_in_refs([], refs)


def test_a_tombstone_says_whose_it_is_and_not_a_word() -> None:
    check_tombstone(NAME, tombstone(NAME))

    assert set(json.loads(tombstone(NAME))) == {
        "format", "version", "machine", "checkpoint",
    }  # fmt: skip
    for other in (NAME._replace(machine="desk"), NAME._replace(checkpoint_id="x")):
        with pytest.raises(RecordRefused):
            check_tombstone(other, tombstone(NAME))


@given(st.binary() | st.recursive(st.none() | st.text(), st.lists).map(json.dumps))
def test_whatever_a_ref_holds_it_is_refused_with_a_sentence(held: bytes | str) -> None:
    data = held if isinstance(held, bytes) else held.encode()

    with pytest.raises(RecordRefused):
        proof_in(NAME, data)
    with pytest.raises(RecordRefused):
        check_tombstone(NAME, data)
