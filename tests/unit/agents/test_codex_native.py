"""Conversations in Codex CLI's own format: forks hold their past, what comes back is whole."""

import json
from pathlib import Path
from typing import Any

import pytest
from zstandard import ZstdCompressor

from holdfast.agents.codex.agent import Codex
from holdfast.agents.linked_lines import line_of
from holdfast.agents.past_port import BranchCut, PastFile
from holdfast.domain.event import UserSaid
from holdfast.domain.session import Mark
from holdfast.kernel.errors import NativeRefused
from tests.contract.agents import native_of
from tests.unit.agents.codex_lines import (
    OTHER,
    THREAD,
    Rollouts,
    line,
    meta,
    name_of,
    raw,
    said,
    typed,
)

_NEW = "11a1ee2a-a4d3-4d72-b559-98cd1a9b3bdc"
_ALL = BranchCut(1 << 45, Mark())


@pytest.fixture
def rollouts(tmp_path: Path) -> Rollouts:
    return Rollouts(tmp_path)


def _fork_of(rollouts: Rollouts, base: Path, kept: int, *lines: dict[str, Any]) -> Path:
    """Write a fork that holds none of the first lines it has of another."""
    size = len(b"".join(base.read_bytes().splitlines(keepends=True)[:kept]))
    past = {"thread_id": THREAD, "end_ordinal_exclusive": kept, "end_byte_offset": size}
    about = meta(OTHER, history_base=past, forked_from_id=THREAD)
    return rollouts.write(about, *lines, name=name_of(OTHER))


def _files(rollouts: Rollouts) -> dict[str, tuple[PastFile, ...]]:
    past = Codex(str(rollouts.root), {}).past()
    return {Path(one.path).name: tuple(past.files(one)) for one in past.every()}


def _packed(rollouts: Rollouts, path: Path) -> list[tuple[str, bytes]]:
    past = Codex(str(rollouts.root), {}).past()
    files = _files(rollouts)[path.name]
    return [(file.name, b"".join(past.raw_lines(file))) for file in files]


def _prompts(rollouts: Rollouts, path: Path) -> list[str]:
    again = Rollouts(rollouts.root)
    return [one.text for one in again.read(path) if isinstance(one, UserSaid)]


def test_a_branch_of_a_fork_holds_what_that_only_points_to(rollouts: Rollouts) -> None:
    """The origin may be deleted afterwards."""
    base = rollouts.write(meta(), typed("one"), typed("two"))
    fork = _fork_of(rollouts, base, 2, typed("three"))

    native = native_of(Codex(str(rollouts.root), {}))
    made = Path(native.branch(str(fork), "/code/here", _NEW, _ALL))
    base.unlink()
    fork.unlink()

    assert _prompts(rollouts, made) == ["one", "three"]
    about = json.loads(made.read_text().splitlines()[0])["payload"]
    assert (about["id"], about["forked_from_id"]) == (_NEW, OTHER)
    assert "history_base" not in about


def test_a_branch_whose_past_is_gone_is_refused(rollouts: Rollouts) -> None:
    base = rollouts.write(meta(), typed("one"))
    fork = _fork_of(rollouts, base, 2, typed("two"))
    base.unlink()

    with pytest.raises(NativeRefused, match="continues is gone"):
        native_of(Codex(str(rollouts.root), {})).branch(
            str(fork), "/code/here", _NEW, _ALL
        )


def test_a_fork_comes_back_as_it_was_while_its_past_is_there(
    rollouts: Rollouts,
) -> None:
    """And with that in it, once that is gone: its client would not take half of it."""
    base = rollouts.write(meta(), typed("one"), typed("two"))
    fork = _fork_of(rollouts, base, 2, typed("three"))
    before, packed = fork.read_bytes(), _packed(rollouts, fork)
    native = native_of(Codex(str(rollouts.root), {}))

    fork.unlink()
    same = Path(native.unpack(OTHER, "/code/here", packed))
    as_it_was = same.read_bytes()
    same.unlink()
    base.unlink()
    whole = Path(native.unpack(OTHER, "/code/here", packed))

    assert as_it_was == before
    assert _prompts(rollouts, whole) == ["one", "three"]
    assert whole == fork
    whole.unlink()
    with pytest.raises(NativeRefused, match="continues is gone"):
        native.unpack(OTHER, "/code/here", packed[:1])


def test_sub_agents_are_kept_with_who_started_them(rollouts: Rollouts) -> None:
    """Theirs and those of theirs; each comes back under its own name."""
    ids = [f"01a1ee2b-0000-78f1-8de9-ff319b8d3c3{n}" for n in (1, 2)]
    rollouts.write(meta(), typed("one"))
    for own, above in zip(ids, (THREAD, ids[0]), strict=True):
        about = meta(own, parent_thread_id=above)
        rollouts.write(about, said("found it"), name=name_of(own))

    ((_, files),) = _files(rollouts).items()

    assert [file.name for file in files] == [
        name_of(),
        *(f"agents/{name_of(own)}" for own in ids),
    ]
    packed = [(file.name, Path(file.path).read_bytes()) for file in files]
    for file in files:
        Path(file.path).unlink()
    native = native_of(Codex(str(rollouts.root), {}))
    native.unpack(THREAD, "/code/here", packed)
    assert [Path(file.path).read_bytes() for file in files] == [d for _, d in packed]


def test_a_compressed_rollout_is_kept_as_what_it_says(rollouts: Rollouts) -> None:
    """It comes back plain: the client reads both. One that cut off is not kept."""
    plain = raw(meta(), typed("one"), *(said(f"{n} found") for n in range(2000)))
    path = rollouts.path(f"{name_of()}.zst")
    path.write_bytes(ZstdCompressor().compress(plain))

    ((name, data),) = _packed(rollouts, path)
    path.write_bytes(path.read_bytes()[:-20])

    assert (name, data) == (name_of(), plain)
    with pytest.raises(OSError, match="cut off"):
        _packed(rollouts, path)


_LONG = "[redacted:own:ab12]"


@pytest.mark.parametrize(
    ("left", "told"),
    [("*", "*"), (_LONG, "*"), (f"{_LONG} it", None), ("é" * 9, None)],
    ids=["shorter", "a word for it", "still too long", "no word of ours"],
)
@pytest.mark.parametrize("end", [b"\n", b""], ids=["whole", "without an end"])
def test_what_is_cleaned_keeps_its_length(
    rollouts: Rollouts, left: str, told: str | None, end: bytes
) -> None:
    """A fork names the end of its past by bytes: also where what stands for a secret is
    longer than it was."""
    native = native_of(Codex(str(rollouts.root), {}))
    secret = line_of(typed("the word is pw.")).removesuffix(b"\n") + end

    def redact(value: Any) -> Any:
        return json.loads(json.dumps(value, ensure_ascii=False).replace("pw", left))

    clean = native.cleaned(secret, redact)

    assert len(clean) == len(secret)
    assert clean.endswith(end)
    assert b"pw" not in clean
    if told is not None:
        assert f"the word is {told}." in str(json.loads(clean))
        assert native.cleaned(clean, redact) == clean


def test_no_more_is_shortened_than_must_be(rollouts: Rollouts) -> None:
    """Equal secrets stay equal wherever there is room."""
    native = native_of(Codex(str(rollouts.root), {}))
    for secret, told in (("s" * 19, _LONG), ("s" * 10, "[redacted]")):
        said = line_of(typed(f"it is {secret}."))

        clean = native.cleaned(said, lambda _: typed(f"it is {_LONG}."))

        assert f"it is {told}." in clean.decode()


def test_a_fork_still_fits_what_came_back_without_its_secrets(
    rollouts: Rollouts,
) -> None:
    """Its file is its client's, and names as many bytes as before."""
    base = rollouts.write(meta(), typed("my pw"), said("I see"), typed("two"))
    own = map(json.loads, base.read_text().splitlines())
    base.write_bytes(b"".join(map(line_of, own)))  # without a blank, as the client does
    fork = _fork_of(rollouts, base, 3, typed("three"))
    native = native_of(Codex(str(rollouts.root), {}))
    past = Codex(str(rollouts.root), {}).past()
    (file,) = _files(rollouts)[base.name]

    def redact(value: Any) -> Any:
        return json.loads(json.dumps(value).replace("pw", _LONG))

    kept = [native.cleaned(line, redact) for line in past.raw_lines(file)]
    base.unlink()
    native.unpack(THREAD, "/code/here", [(file.name, b"".join(kept))])

    assert _prompts(rollouts, fork) == ["my *", "three"]


def test_before_a_compaction_is_all_that_came_before_its_line(
    rollouts: Rollouts,
) -> None:
    """The line's own time says which one is meant."""
    path = rollouts.write(
        meta(), typed("one"), line("compacted", message="a"), typed("two")
    )
    native = native_of(Codex(str(rollouts.root), {}))
    cut = BranchCut(0, Mark(), before_compaction=True)

    made = Path(native.branch(str(path), "/code/here", _NEW, cut))

    assert _prompts(rollouts, made) == ["one"]


def test_what_the_client_archived_is_not_opened_behind_its_back(
    rollouts: Rollouts,
) -> None:
    """It would refuse; its own command takes the session out again."""
    path = rollouts.write(meta(), typed("one"))
    put = rollouts.root / "archived_sessions" / path.name
    put.parent.mkdir()
    path.rename(put)
    native = native_of(Codex(str(rollouts.root), {}))

    assert not native.is_found(str(put), THREAD, "/code/here")
    with pytest.raises(NativeRefused, match="archived") as refused:
        native.bring(str(put), THREAD, "/code/here")
    assert f"codex unarchive {THREAD}" in str(refused.value.hint)
