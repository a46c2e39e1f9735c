"""What a drain does with each parcel, whatever the mirror says."""

import json
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import pytest

from holdfast.app.checkpoints.save import save
from holdfast.app.sharing.mirroring import (
    Synced,
    mirror_to,
    mirrored,
    mirrored_record,
    observation_numbers,
    state_of,
)
from holdfast.domain.outbox import ParcelDone
from holdfast.kernel.errors import MirrorDown
from holdfast.mirrors.port import Delivered, MirrorEntry, MirrorHit
from holdfast.store.retention import REASON
from tests.builders import NOON, a_draft, a_foreign_checkpoint, a_full_draft
from tests.conversation import Conversation
from tests.fakes import Workbench

TARGET = "claude-mem"
_KEY = "AKIA" + "Z7Q2M4XW9K3RT5VB"


@dataclass
class RecordingMirror:
    """Takes what it is sent, but for what it refuses; or is down."""

    refuses: str = "nothing"
    is_down: bool = False
    most_at_once: int = 2
    got: list[MirrorEntry] = field(default_factory=list)

    def check(self) -> str:
        return "1.0"

    def deliver(self, entries: Sequence[MirrorEntry]) -> Delivered:
        if self.is_down:
            raise MirrorDown("nobody answers", hint="start it")
        self.got += entries
        refused = {
            e.parcel.checkpoint_id: "it said no"
            for e in entries
            if any(self.refuses in text.title for text in e.texts)
        }
        done = tuple(
            ParcelDone(e.parcel, json.dumps({"observations": [len(self.got)]}))
            for e in entries
            if e.parcel.checkpoint_id not in refused
        )
        return Delivered(done, refused)

    def search(self, words: str, limit: int) -> tuple[MirrorHit, ...]:
        del words, limit
        return ()


@pytest.fixture
def bench() -> Workbench:
    bench = Workbench()
    bench.store.outbox.follow(TARGET)
    return bench


def drained(bench: Workbench, mirror: RecordingMirror, **how: bool) -> Synced:
    return mirror_to(TARGET, lambda: mirror, bench.ports, **how)


def kept(bench: Workbench, title: str = "Parser", **changes: object) -> str:
    return bench.store.put(a_draft(title, **changes)).checkpoint.checkpoint_id


def test_everything_that_waits_is_sent_batch_after_batch(bench: Workbench) -> None:
    """As much at once as the mirror takes."""
    ids = [kept(bench) for _ in range(5)]
    mirror = RecordingMirror()

    done = drained(bench, mirror)

    assert done == Synced(target=TARGET, sent=5)
    assert [entry.parcel.checkpoint_id for entry in mirror.got] == ids
    assert drained(bench, mirror) == Synced(target=TARGET)


def test_what_is_refused_waits_alone_and_is_not_tried_twice_in_a_run(
    bench: Workbench,
) -> None:
    """One bad record must not keep the others, nor be sent for ever."""
    kept(bench, "Bad one")
    for _ in range(2):
        kept(bench)
    mirror = RecordingMirror(refuses="Bad")

    done = drained(bench, mirror)

    assert (done.sent, done.waiting, done.problem) == (2, 1, "it said no")
    assert len(mirror.got) == 3
    assert drained(bench, mirror, only_due=True).sent == 0
    assert len(mirror.got) == 3
    assert drained(bench, RecordingMirror()).sent == 1  # whoever asks by hand asks now


def test_a_mirror_that_is_down_is_paused_and_its_parcels_stay(bench: Workbench) -> None:
    """Nobody asks it by himself before the pause is over; each one is longer."""
    kept(bench)
    down = RecordingMirror(is_down=True)

    done = drained(bench, down)

    assert (done.sent, done.waiting) == (0, 1)
    assert (done.problem, done.hint) == ("nobody answers", "start it")
    assert state_of(TARGET, bench.store).due_at == NOON + 30_000
    up = RecordingMirror()
    assert drained(bench, up, only_due=True).problem == "nobody answers"
    assert up.got == []
    bench.clock.now = NOON + 30_000
    drained(bench, down, only_due=True)
    assert state_of(TARGET, bench.store).due_at == bench.clock.now + 60_000
    assert drained(bench, up).sent == 1
    assert state_of(TARGET, bench.store).failures == 0


def test_what_is_sent_has_passed_the_rules_of_today(bench: Workbench) -> None:
    """A record that was kept before a rule was learned must not carry it out."""
    kept(bench, f"Uses {_KEY}")
    mirror = RecordingMirror()

    drained(bench, mirror)

    (entry,) = mirror.got
    assert _KEY not in repr(entry)
    assert entry.checkpoint is not None


def test_a_forgotten_record_is_removed_there_and_a_pruned_one_stays(
    bench: Workbench,
) -> None:
    """How long a mirror remembers is its own affair; what was forgotten is not."""
    gone, pruned = kept(bench), kept(bench)
    drained(bench, RecordingMirror())
    bench.store.remove([gone], "forgotten", NOON)
    bench.store.remove([pruned], REASON, NOON)
    mirror = RecordingMirror()

    drained(bench, mirror)

    assert [(e.parcel.checkpoint_id, e.parcel.action) for e in mirror.got] == [
        (gone, "remove")
    ]
    assert mirror.got[0].texts == ()
    assert bench.store.outbox.states()[0].waiting == 0


def test_what_others_made_is_not_sent(bench: Workbench) -> None:
    """Whoever made it has it, and claude-mem must not get its own rows back."""
    bench.store.adopt(a_foreign_checkpoint(7, "laptop"))
    kept(bench, trigger="import")
    mirror = RecordingMirror()

    done = drained(bench, mirror)

    assert (done.sent, done.waiting, mirror.got) == (0, 0, [])


def test_a_checkpoint_knows_what_the_mirror_calls_the_one_before(
    bench: Workbench,
) -> None:
    """A graph links them."""
    first = kept(bench)
    drained(bench, RecordingMirror())
    kept(bench)
    mirror = RecordingMirror()

    drained(bench, mirror)

    assert mirror.got[0].previous == bench.store.outbox.remotes([first])[first][TARGET]


def test_a_record_tells_what_mirrors_call_it(bench: Workbench) -> None:
    """The contract's `observations.mirrors`."""
    checkpoint = bench.store.put(a_full_draft()).checkpoint
    drained(bench, RecordingMirror())

    shown = mirrored_record(checkpoint, bench.store)

    assert shown["observations"]["mirrors"] == {TARGET: {"observations": [1]}}
    known = mirrored([checkpoint.checkpoint_id], bench.store)
    assert observation_numbers(known[checkpoint.checkpoint_id]) == (1,)
    assert observation_numbers({}) == ()


def test_a_save_follows_first_and_starts_the_sync_after(bench: Workbench) -> None:
    """What is kept by the first save after a mirror was set up is for it, too."""
    started: list[str] = []
    ports = replace(
        bench.ports,
        targets=("memora",),
        start_sync=lambda: started.append("once"),
    )
    talk = Conversation()
    talk.asks("Let the parser accept quotes.")
    talk.says("It does.")
    bench.writes(bench.request().session_id, talk)

    save(bench.request(), ports)
    save(bench.request(), ports)

    states = {state.target: state.waiting for state in bench.store.outbox.states()}
    assert states == {TARGET: 1, "memora": 1}
    assert started == ["once"]  # the second one kept nothing new
