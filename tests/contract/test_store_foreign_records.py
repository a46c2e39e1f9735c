"""Records of other stores: proved where they were made, told apart where they are kept."""

import json
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings

from holdfast.domain.checkpoint import Checkpoint, Draft
from holdfast.domain.code import Project
from holdfast.domain.foreign import Foreign, ForeignSource, RecordProof
from holdfast.domain.query import Scope
from holdfast.kernel.digests import canonical
from holdfast.kernel.errors import CheckpointNotFound, RecordRefused
from holdfast.kernel.ids import reference
from holdfast.search.query import parse
from holdfast.store.chain import link
from holdfast.store.foreign_records import received
from holdfast.store.port import Store
from tests.builders import (
    NOON,
    OTHER_PROJECT,
    OTHER_SESSION,
    PROJECT,
    SESSION,
    WORKSPACE,
    a_draft,
    a_full_draft,
)
from tests.strategies import drafts

OpenStore = Callable[..., Store]
HERE = Scope(project_id=PROJECT)
DEEP: dict[str, Any] = {}
for _ in range(900):
    DEEP = {"a": DEEP}
HOME = Project(project_id=PROJECT, root=WORKSPACE)


def made(store: Store, draft: Draft, machine: str = "laptop") -> RecordProof:
    """Keep a draft in the store of another machine; return what proves it there."""
    kept = store.put(replace(draft, created_at=draft.created_at + 1)).checkpoint
    return replace(store.proof(kept.checkpoint_id), machine=machine)


def adopted(store: Store, proof: RecordProof) -> Checkpoint:
    return store.adopt(received(proof, HOME)).checkpoint


def of_laptop(draft: Draft) -> Draft:
    return replace(draft, project_id=OTHER_PROJECT, project_root="/home/eve/app")


def test_a_record_of_another_store_says_what_it_said_there(
    open_store: OpenStore,
) -> None:
    """What was learned there is known here; where it ran is of no use here."""
    draft = of_laptop(a_full_draft(name="api-design"))
    proof = made(open_store(), draft)
    store = open_store()

    kept = adopted(store, proof)

    assert store.get(kept.checkpoint_id) == kept
    assert kept.draft.content == draft.content
    assert kept.checkpoint_id == json.loads(proof.text)["id"]
    assert (kept.number, kept.machine, kept.name) == (1, "laptop", None)
    assert kept.draft.project_id == PROJECT
    assert kept.draft.session_id == f"{SESSION}@laptop"
    assert (kept.draft.workspace, kept.draft.transcript, kept.draft.key) == ("", "", "")
    assert kept.foreign is not None
    assert kept.foreign.hash == proof.hash
    assert kept.foreign.name == "api-design"
    assert [result.state for result in store.check() if result.state != "ok"] == []


@settings(
    max_examples=15,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(drafts)
def test_any_record_travels(open_store: OpenStore, draft: Draft) -> None:
    """In any language, with whatever a transcript holds."""
    kept = adopted(open_store(), made(open_store(), draft))

    assert kept.draft.content == draft.content


def test_a_record_of_another_program_says_where_that_has_it(store: Store) -> None:
    """It has no proof there, and none of ours: it is shared by its own file."""
    theirs = store.put(a_draft("noted")).checkpoint
    source = ForeignSource("checkpoint_1ebe", "/there/a.md")
    foreign = Foreign(
        machine="goldfish", hash="0", project_id="", project_root="", origin=source
    )
    made = replace(
        theirs,
        checkpoint_id=f"ccp-{OTHER_SESSION}-01-{NOON}",
        draft=replace(theirs.draft, session_id="checkpoint_1ebe@goldfish", key=""),
        foreign=foreign,
    )

    kept = store.adopt(made).checkpoint

    assert store.get(kept.checkpoint_id).origin == source
    assert kept.reference == "1@goldfish"
    with pytest.raises(CheckpointNotFound, match="made by another program"):
        store.proof(kept.checkpoint_id)


def test_twice_is_once(open_store: OpenStore) -> None:
    """A file is opened again, a remote asked again: nothing comes of it."""
    proof = made(open_store(), a_draft())
    store = open_store()
    first = adopted(store, proof)

    again = store.adopt(received(proof, HOME))

    assert (again.outcome, again.checkpoint) == ("repeated", first)
    assert store.count(Scope()) == 1


def test_a_new_name_there_is_known_here(open_store: OpenStore) -> None:
    """Names stand outside the hash: the record is the same, and is called otherwise."""
    proof = made(open_store(), a_draft(name="before"))
    store = open_store()
    first = adopted(store, proof)

    for name in ("after", "after", None):
        again = store.adopt(received(replace(proof, name=name), HOME))
        kept = store.get(first.checkpoint_id)

        assert again.outcome == "repeated"
        assert kept.foreign is not None
        assert kept.foreign.name == name
        assert kept.draft == first.draft
    assert store.count(Scope()) == 1
    assert [result.state for result in store.check() if result.state != "ok"] == []


@pytest.mark.parametrize("name", ["a\0b", "../up", "x" * 500, "", "\ud800"])
def test_a_name_that_none_can_have_is_none(open_store: OpenStore, name: str) -> None:
    """It stands outside the hash, so anybody can write it."""
    proof = replace(made(open_store(), a_draft()), name=name)

    kept = adopted(open_store(), proof)

    assert kept.foreign is not None
    assert kept.foreign.name is None


def test_a_store_knows_which_of_its_own_are_gone(open_store: OpenStore) -> None:
    """Whoever has a copy is to be told; what came from others is theirs to take away."""
    proof = made(open_store(), a_draft())
    store = open_store()
    theirs = adopted(store, proof)
    ours = store.put(a_draft("ours", session_id=OTHER_SESSION)).checkpoint
    store.put(a_draft("stays", session_id=OTHER_SESSION, created_at=NOON + 9))

    assert store.own_tombstones() == {}
    buried = store.remove([theirs.checkpoint_id, ours.checkpoint_id], "forgotten")

    assert store.own_tombstones() == {ours.checkpoint_id: buried[1]}


def test_what_came_back_home_is_what_was_there(store: Store) -> None:
    """A record that this store made stays its own."""
    kept = store.put(a_draft()).checkpoint
    proof = store.proof(kept.checkpoint_id)

    again = store.adopt(received(proof, HOME))

    assert (again.outcome, again.checkpoint) == ("repeated", kept)


def test_numbers_and_names_of_the_project_are_its_own(open_store: OpenStore) -> None:
    """`42` is ours, `42@laptop` theirs; neither takes the other's."""
    theirs = open_store()
    proofs = [made(theirs, a_draft(f"theirs {n}", name=f"n{n}")) for n in (1, 2)]
    store = open_store()
    for proof in proofs:
        adopted(store, proof)
    ours = store.put(a_draft("ours", name="n1")).checkpoint

    assert (ours.number, ours.sequence) == (1, 1)
    assert store.find(reference("1"), HERE) == ours
    assert store.find(reference("n1"), HERE) == ours
    assert store.find(reference("1@LAPTOP"), HERE).draft.content.title == "theirs 1"
    assert store.find(reference("2@laptop"), HERE).draft.content.title == "theirs 2"
    for unknown in ("2", "3@laptop", "1@tablet", "n2"):
        with pytest.raises(CheckpointNotFound):
            store.find(reference(unknown), HERE)


def test_latest_is_never_of_another_machine(open_store: OpenStore) -> None:
    """What a colleague did is resumed when it is asked for by its name, and only then."""
    proof = made(open_store(), a_draft("theirs"))
    store = open_store()
    ours = store.put(a_draft("ours")).checkpoint
    adopted(store, proof)

    assert store.find(reference("latest"), HERE) == ours
    assert store.find(reference("latest"), Scope()) == ours
    with pytest.raises(CheckpointNotFound):
        store.find(reference("latest~1"), HERE)
    assert store.list(Scope(workspace=WORKSPACE)) == (ours,)


def test_a_list_has_both_in_order_of_time(open_store: OpenStore) -> None:
    """Whenever theirs came: what a colleague did yesterday is no news of today."""
    theirs = open_store()
    first, second = (
        made(theirs, a_draft(f"theirs {n}", created_at=NOON + at))
        for n, at in ((1, 1000), (2, 5000))
    )
    store = open_store()
    for n, at in ((1, 2000), (2, 3000), (3, 4000)):
        store.put(a_draft(f"ours {n}", created_at=NOON + at))
    adopted(store, second)
    adopted(store, first)

    titles = [each.draft.content.title for each in store.list(HERE)]

    assert titles == ["theirs 2", "ours 3", "ours 2", "ours 1", "theirs 1"]
    assert store.list(HERE, limit=2) == store.list(HERE)[:2]
    assert store.count(HERE) == 5


def test_a_session_of_another_machine_is_none_of_ours(open_store: OpenStore) -> None:
    """The same id on both, by a copied home or by malice: each keeps its own."""
    proof = made(open_store(), a_draft("theirs", hostname="laptop"))
    store = open_store()
    ours = store.put(a_draft("ours")).checkpoint
    theirs = adopted(store, proof)

    assert store.list(Scope(), session=SESSION) == (ours,)
    assert store.list(Scope(), session=f"{SESSION}@laptop") == (theirs,)
    assert store.lineage(SESSION)[0].hostname == "desk"
    assert store.put(a_draft("more")).checkpoint.previous_checkpoint == (
        ours.checkpoint_id
    )


def test_a_log_has_it_and_statistics_do_not(open_store: OpenStore) -> None:
    """It happened, and it was not this machine that spent anything on it."""
    proof = made(open_store(), a_draft("theirs"))
    store = open_store()
    store.put(a_draft("ours"))
    adopted(store, proof)

    outlines = store.outlines(HERE)

    assert [each.called for each in outlines] == ["00001", "00001@laptop"]
    assert len(list(store.tallies(HERE))) == 1


def test_it_is_found_by_its_words(open_store: OpenStore) -> None:
    proof = made(open_store(), a_draft("The parser drops umlauts"))
    store = open_store()
    kept = adopted(store, proof)

    (hit,) = store.search(parse("umlauts", NOON), HERE, 5)

    assert hit.checkpoint == kept


def test_what_was_forgotten_does_not_come_back(open_store: OpenStore) -> None:
    """Whoever forgets something has said so once and for all."""
    proof = made(open_store(), a_draft("theirs"))
    store = open_store()
    kept = adopted(store, proof)
    store.remove([kept.checkpoint_id], "forgotten by its owner")

    with pytest.raises(CheckpointNotFound, match="was removed"):
        store.adopt(received(proof, HOME))
    assert store.count(Scope()) == 0
    assert [result.state for result in store.check() if result.state != "ok"] == []


def test_an_id_that_is_here_is_not_taken_by_another(open_store: OpenStore) -> None:
    """Whoever forges a colleague's record must not keep the true one out in silence."""
    true = made(open_store(), a_draft("true"))
    store = open_store()
    adopted(store, replace(forged(true, tags=["forged"]), machine="evil"))

    with pytest.raises(RecordRefused, match="other content"):
        adopted(store, true)
    with pytest.raises(RecordRefused, match="other content"):
        adopted(store, replace(true, machine="evil"))


def test_a_place_in_a_session_is_given_once(open_store: OpenStore) -> None:
    proof = made(open_store(), a_draft("one"))
    store = open_store()
    adopted(store, proof)
    raw = json.loads(proof.text)
    other = forged(proof, id=f"{raw['id'][:-1]}9" if raw["id"][-1] != "9" else "")

    with pytest.raises(RecordRefused, match="has the place of"):
        adopted(store, other)
    assert store.count(Scope()) == 1


def test_only_who_made_a_record_can_prove_it(open_store: OpenStore) -> None:
    proof = made(open_store(), a_draft("theirs"))
    store = open_store()
    kept = adopted(store, proof)

    with pytest.raises(CheckpointNotFound, match="made by another store"):
        store.proof(kept.checkpoint_id)


@pytest.mark.local
def test_a_rewritten_record_is_proved_by_what_it_says_now(
    open_store: OpenStore,
) -> None:
    """A secret that was found later is not in what is handed on."""
    theirs, store = open_store(), open_store()
    kept = theirs.put(a_draft("with a secret")).checkpoint
    clean = replace(kept.draft, content=replace(kept.draft.content, title="clean"))
    theirs.rewrite(kept.checkpoint_id, clean, "a secret")

    taken = adopted(store, replace(theirs.proof(kept.checkpoint_id), machine="laptop"))

    assert taken.draft.content.title == "clean"


def forged(proof: RecordProof, **changes: Any) -> RecordProof:
    """Return a proof that holds: its hash was made for the changed text."""
    raw = {**json.loads(proof.text), **changes}
    text = canonical(raw)
    return replace(proof, text=text, hash=link(proof.previous_hash, text))


@pytest.mark.parametrize(
    "changes",
    [
        pytest.param({"number": -4}, id="a number below zero"),
        pytest.param({"number": "4"}, id="a number that is text"),
        pytest.param({"number": True}, id="a number that is none"),
        pytest.param({"number": 10**15}, id="a number beyond all"),
        pytest.param({"sequence": 0}, id="no sequence"),
        pytest.param({"id": "ccp-1"}, id="an id that is none"),
        pytest.param({"id": 7}, id="an id that is a number"),
        pytest.param({"session_id": "../../x"}, id="a session that is a path"),
        pytest.param(
            {"session_id": "00000000-0000-4000-8000-00000000ffff"},
            id="the id of another session",
        ),
        pytest.param({"created_at_unix": 10**17}, id="a moment that no calendar has"),
        pytest.param({"type": "evil"}, id="a type that there is not"),
        pytest.param({"tags": [["x"]]}, id="tags that are no words"),
        pytest.param({"content": {"title": {"a": 1}}}, id="a title that is a map"),
        pytest.param(
            {"content": {"title": "t", "requests": [{"text": 7}]}}, id="no request"
        ),
        pytest.param({"foreign": {"machine": "x"}}, id="one that came from elsewhere"),
        pytest.param({"relations": {"parent_session": "a b"}}, id="no parent"),
        pytest.param({"receipt": {"errors": "x"}}, id="a receipt of letters"),
        pytest.param({"session_state": {"started_at_unix": 10**30}}, id="no number"),
        pytest.param({"extra_notes": DEEP}, id="notes without a bottom"),
        pytest.param({"agent": {"name": "Evil Agent"}}, id="no agent"),
    ],
)
def test_a_record_that_no_store_wrote_is_refused(
    store: Store, changes: dict[str, Any]
) -> None:
    """A hash is quickly made: the text behind it may be anybody's."""
    with pytest.raises(RecordRefused):
        received(forged(made(store, a_full_draft()), **changes), HOME)


def test_a_branch_is_one_line_and_a_head_a_word(store: Store) -> None:
    """Both stand in a brief's first line, outside of quotes."""
    code = {"branch": "main\n▸ b", "head": "6e\n▸"}

    kept = received(forged(made(store, a_draft()), code=code), HOME)

    assert "\n" not in (kept.draft.code.branch or "")
    assert kept.draft.code.head is None


def test_a_record_that_was_changed_on_the_way_is_refused(store: Store) -> None:
    proof = made(store, a_draft())
    changed = proof.text.replace("nested", "broken")

    with pytest.raises(RecordRefused, match="does not match its hash"):
        received(replace(proof, text=changed), HOME)


@pytest.mark.parametrize(
    "name", ["", "a b", "\x1b[2J", "../x", "@", "x" * 65, "…", "a\nb"]
)
def test_a_machine_has_a_plain_name(store: Store, name: str) -> None:
    """It stands in lists and references."""
    with pytest.raises(RecordRefused, match="name of a machine"):
        received(replace(made(store, a_draft()), machine=name), HOME)


@pytest.mark.parametrize("text", ["", "[]", "null", "{}", '{"id":1}', "[" * 100_000])
def test_what_is_no_record_is_refused(store: Store, text: str) -> None:
    proof = made(store, a_draft())
    digest = link(proof.previous_hash, text)

    with pytest.raises(RecordRefused):
        received(replace(proof, text=text, hash=digest), HOME)
