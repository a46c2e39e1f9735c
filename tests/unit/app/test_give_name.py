"""A name for what is kept already, and who came from whom."""

import pytest

from holdfast.app.checkpoints.code_since import CodeSince, code_since, patch_of_file
from holdfast.app.checkpoints.lineage import Family
from holdfast.app.checkpoints.timeline import Timelines
from holdfast.app.notes.give_name import give_name
from holdfast.app.page_answers.checkpoint import patch_answer
from holdfast.kernel.errors import NameInvalid, NameTaken, UsageWrong
from tests.builders import PROJECT, a_draft, a_foreign_checkpoint, session_number
from tests.fakes import Workbench
from tests.memory_store.store import MemoryStore


def test_a_name_is_given_changed_and_taken_away() -> None:
    """As every command spells it; the same one again changes nothing."""
    bench = Workbench()
    own = bench.keep(a_draft("one"))

    names = [
        give_name(bench.store.get(own), text, bench.ports)
        for text in ("Api Design", "api-design", "other", " ")
    ]

    assert names == ["api-design", "api-design", "other", None]
    assert bench.store.get(own).name is None


def test_a_name_that_cannot_be_given_is_told() -> None:
    """Taken, unusable, or another machine's."""
    bench = Workbench()
    bench.keep(a_draft("one", name="taken"))
    own = bench.store.get(bench.keep(a_draft("two")))
    foreign = a_foreign_checkpoint(7, "laptop")

    with pytest.raises(NameTaken):
        give_name(own, "taken", bench.ports)
    for bad in ("latest", "...", "ghp_" + "a1B2c3D4e5F6" * 3):
        with pytest.raises(NameInvalid):
            give_name(own, bad, bench.ports)
    with pytest.raises(UsageWrong, match="laptop"):
        give_name(foreign, "mine", bench.ports)


def test_kin_are_parents_children_and_siblings() -> None:
    """Two that went on from one stand beside each other."""
    store = MemoryStore()
    one, two, three = (session_number(each) for each in (1, 2, 3))
    ids = [
        store.put(draft).checkpoint.checkpoint_id
        for draft in (
            a_draft("root", session_id=one),
            a_draft("left", session_id=two, parent_session=one),
            a_draft("right", session_id=three, parent_session=one),
        )
    ]
    family = Family(Timelines(store).rows(PROJECT))

    root, left = family.of(ids[0]), family.of(ids[1])

    assert [kin.row.outline.title for kin in root.children] == ["left", "right"]
    assert [kin.row.outline.title for kin in left.parents] == ["root"]
    assert [kin.row.outline.title for kin in left.siblings] == ["right"]
    assert list(family.before(ids[2])) == [ids[0]]
    assert family.of("ccp-gone").parents == ()


def test_code_that_cannot_be_compared_says_why() -> None:
    """Without its code, or without any before it."""
    bench = Workbench()
    own = bench.store.get(bench.keep(a_draft("one")))
    snapshots = bench.ports.snapshots

    since = code_since(own, iter(()), bench.store, snapshots)

    assert "has no code" in since.reason
    assert patch_of_file(own, CodeSince(), 0, snapshots) == b""


def test_a_patch_is_signs_and_texts_and_ends_somewhere() -> None:
    """Heads are left off, long lines and long patches are cut, and that is told."""
    long = b"".join(b"+line %d\n" % count for count in range(2_000))
    patch = b"a/x b/x\n--- a/x\n+++ b/x\n@@ -1 +1 @@\n-\xff\n+" + b"y" * 5_000
    told, cut = patch_answer(patch), patch_answer(b"@@ -0 +1 @@\n" + long)

    assert [sign for sign, _ in told["lines"]] == ["@", "-", "+"]
    assert (len(told["lines"][2][1]), told["more"]) == (1_000, 0)
    assert (len(cut["lines"]), cut["more"]) == (1_500, 501)
