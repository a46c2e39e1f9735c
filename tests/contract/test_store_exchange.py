"""What machines of a team give each other: once, whole, and gone when it is taken back."""

from pathlib import Path

import pytest

from holdfast.domain.checkpoint import Checkpoint
from holdfast.domain.code import Project
from holdfast.domain.foreign import RecordProof
from holdfast.kernel.errors import CheckpointNotFound, RecordRefused
from holdfast.kernel.lazy_values import replace
from holdfast.store.foreign_records import received
from holdfast.store.postgres.store import PostgresStore
from holdfast.store.sqlite.store import open_store
from tests.builders import OTHER_PROJECT, PROJECT, a_full_draft, session_number

HERE = Project(
    project_id=PROJECT, root="/code", remote=None, paths=(), root_commits=(), remotes=()
)
THERE = replace(HERE, project_id=OTHER_PROJECT)
ALL = 100


def proofs(home: Path, count: int, machine: str = "laptop") -> list[RecordProof]:
    """Return what a machine's own store proves of some of its checkpoints."""
    with open_store(str(home), create=True, machine=machine) as store:
        kept = [
            store.put(a_full_draft(session_id=session_number(each))).checkpoint
            for each in range(1, count + 1)
        ]
        return [store.proof(each.checkpoint_id) for each in kept]


def given(team: PostgresStore, proof: RecordProof, to: Project = HERE) -> Checkpoint:
    return team.give(proof, received(proof, to)).checkpoint


def test_what_was_given_is_found_and_proved(
    team: PostgresStore, tmp_path: Path
) -> None:
    """A teammate reads the text that was hashed where it was made."""
    (proof,) = proofs(tmp_path, 1)

    kept = given(team, proof)

    assert team.get(kept.checkpoint_id) == kept
    assert kept.machine == "laptop"
    (news,) = team.news(PROJECT, 0, ALL)
    assert news.proof == team.given(kept.checkpoint_id) == proof
    assert (news.checkpoint_id, news.machine) == (kept.checkpoint_id, "laptop")


def test_given_twice_is_given_once(team: PostgresStore, tmp_path: Path) -> None:
    """A push whose answer was lost is made again."""
    (proof,) = proofs(tmp_path, 1)
    first = team.give(proof, received(proof, HERE))

    again = team.give(proof, received(proof, HERE))

    assert (first.outcome, again.outcome) == ("saved", "repeated")
    assert again.checkpoint == first.checkpoint
    assert len(team.news(PROJECT, 0, ALL)) == 1


def test_a_new_name_is_news(team: PostgresStore, tmp_path: Path) -> None:
    """Names stand outside the hash: the record is the same, and is called otherwise."""
    (proof,) = proofs(tmp_path, 1)
    kept = given(team, proof)
    known = team.news(PROJECT, 0, ALL)[-1].change

    given(team, replace(proof, name="parser"))
    given(team, replace(proof, name="parser"))

    (news,) = team.news(PROJECT, known, ALL)
    assert news.proof == replace(proof, name="parser")
    assert team.get(kept.checkpoint_id).foreign.name == "parser"  # type: ignore[union-attr]  # it is
    assert team.news(PROJECT, news.change, ALL) == ()


def test_news_come_in_order_and_once(team: PostgresStore, tmp_path: Path) -> None:
    """Whoever goes on after the last change has everything, and nothing twice."""
    kept = [given(team, proof).checkpoint_id for proof in proofs(tmp_path, 5)]

    seen: list[str] = []
    after = 0
    while page := team.news(PROJECT, after, 2):
        seen += [each.checkpoint_id for each in page]
        after = page[-1].change

    assert seen == kept


def test_what_was_removed_is_news_without_text(
    team: PostgresStore, tmp_path: Path
) -> None:
    """Who has it already lets it go, and who comes later never gets it."""
    first, second = (given(team, proof) for proof in proofs(tmp_path, 2))
    known = team.news(PROJECT, 0, ALL)[-1].change

    team.remove([first.checkpoint_id], "forgotten")

    (news,) = team.news(PROJECT, known, ALL)
    assert (news.checkpoint_id, news.proof) == (first.checkpoint_id, None)
    told = {each.checkpoint_id: each.proof for each in team.news(PROJECT, 0, ALL)}
    assert told[first.checkpoint_id] is None
    assert told[second.checkpoint_id] is not None


def test_what_was_removed_does_not_come_again(
    team: PostgresStore, tmp_path: Path
) -> None:
    """Another clone that still has it must not bring it back."""
    (proof,) = proofs(tmp_path, 1)
    kept = given(team, proof)
    team.remove([kept.checkpoint_id], "forgotten")

    with pytest.raises(CheckpointNotFound, match="was removed: forgotten"):
        given(team, proof)

    assert team.news(PROJECT, 0, ALL)[0].proof is None
    assert team.given(kept.checkpoint_id) is None


def test_another_text_under_the_same_id_is_refused(
    team: PostgresStore, tmp_path: Path
) -> None:
    """Somebody who forges cannot replace what a machine gave."""
    (proof,) = proofs(tmp_path, 1)
    kept = given(team, proof)
    assert kept.foreign is not None
    other = replace(kept.foreign, hash="f" * 64)
    forged = replace(received(proof, HERE), foreign=other)

    with pytest.raises(RecordRefused, match="is here already, with other content"):
        team.give(proof, forged)

    assert team.get(kept.checkpoint_id) == kept


def test_news_of_one_project_are_not_anothers(
    team: PostgresStore, tmp_path: Path
) -> None:
    first, second = proofs(tmp_path, 2)
    given(team, first)

    given(team, second, THERE)

    (here,) = team.news(PROJECT, 0, ALL)
    (there,) = team.news(OTHER_PROJECT, 0, ALL)
    assert (here.proof, there.proof) == (first, second)
