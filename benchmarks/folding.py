"""What the fold costs: per event, to continue, and to keep.

Goals: folding ≤ 3 µs per event; continuing by one event ≤ 1 % of folding from zero, or
5 ms, also for 1,000 turns and 20,000 calls; a digest of such a state in a few ms. Events
are those of the measuring data beside the repository, else of a made-up session.
"""

import json
import os
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import orjson

from holdfast.agents.claude_code.transcript.transcripts import (
    ClaudeCodeTranscripts,
)
from holdfast.domain.event import Event
from holdfast.domain.session import SessionState
from holdfast.session.fold import begin, fold
from holdfast.session.key_lines import key_lines
from holdfast.session.state_codec import decode, encode_head, encode_turn, state_digest
from tests.conversation import Conversation

_SHARED = Path(__file__).parents[1] / ".." / "shared" / "data" / "transcripts"
_ROUNDS = 5
_TURNS, _CALLS_EACH = 1_000, 20
_OUTPUT = "".join(
    f"src/part_{n}/module.py:{n}:1: error: name 'x{n}' is not defined\n"
    if n % 9 == 0
    else f"  {n} |     total = total + price[{n}]  # what it costs in all\n"
    for n in range(115)
)


def main() -> None:
    _real_sessions()
    _long_session()
    _outputs()
    print(f"load average {os.getloadavg()[0]:.1f}")


def _real_sessions() -> None:
    """Folding against parsing the same bytes with the fastest parser there is."""
    paths = sorted(_SHARED.glob("*/*.jsonl"))
    if not paths:
        print("no measuring data beside the repository: real sessions left out")
        return
    reader = ClaudeCodeTranscripts(str(_SHARED), str, bulk=True)
    raw = [path.read_bytes().splitlines() for path in paths]
    told = [list(reader.read(str(path))) for path in paths]
    parsing = _best(lambda: _parse(raw))
    folding = _best(lambda: [fold(begin("s", "a"), events) for events in told])
    count = sum(map(len, told))
    print(f"{len(paths)} real sessions, {count} events")
    print(f"  folding               {folding / count * 1e6:8.2f} µs per event")
    print(f"  folding / orjson parse{folding / parsing:8.2f}")


def _parse(files: list[list[bytes]]) -> None:
    for file in files:
        for line in file:
            with suppress(orjson.JSONDecodeError):
                orjson.loads(line)


def _long_session() -> None:
    """A session as long as the bounds allow in detail."""
    events = _made_up()
    state = fold(begin("s", "a"), events)
    one_more = Conversation()
    one_more.says("one more")
    whole = _best(lambda: fold(begin("s", "a"), events), rounds=2)
    further = _best(lambda: fold(state, one_more.events))
    calls = sum(len(turn.calls) for turn in state.turns)
    print(f"{len(state.turns)} turns, {calls} calls, {len(events)} events")
    print(f"  from zero             {whole * 1e3:8.1f} ms")
    print(f"  one more line         {further * 1e3:8.3f} ms, {further / whole:.3%}")
    print(f"  digest                {_best(lambda: state_digest(state)) * 1e3:8.2f} ms")
    _keeping(state)


def _keeping(state: SessionState) -> None:
    head, *turns = _encoded(state)
    size = sum(map(len, turns)) + len(head)
    last = _best(
        lambda: (_text(encode_head(state)), _text(encode_turn(state.turns[-1])))
    )
    reading = _best(lambda: decode(json.loads(head), map(json.loads, turns)), rounds=2)
    print(f"  kept whole            {size / 1e6:8.2f} MB")
    print(f"  head and last turn    {len(head) + len(turns[-1]):8d} bytes")
    print(f"  write them            {last * 1e3:8.3f} ms")
    print(f"  write everything      {_best(lambda: _encoded(state), 2) * 1e3:8.1f} ms")
    print(f"  read everything       {reading * 1e3:8.1f} ms")


def _outputs() -> None:
    success = _best(lambda: key_lines(_OUTPUT, failed=False), rounds=50)
    failure = _best(lambda: key_lines(_OUTPUT, failed=True), rounds=50)
    print(f"an output of {len(_OUTPUT)} characters")
    print(f"  lines of a success    {success * 1e6:8.0f} µs")
    print(f"  lines of a failure    {failure * 1e6:8.0f} µs")


def _made_up() -> list[Event]:
    talk = Conversation()
    for turn in range(_TURNS):
        talk.asks(f"prompt number {turn}, with a few words of what to do")
        for call in range(_CALLS_EACH):
            path = f"/home/me/shop/src/part_{turn % 37}/module_{call}.py"
            tool = ("Read", "Edit", "Bash", "Grep")[call % 4]
            talk.calls(tool, path, output="12 passed in 0.31s", added=call)
        talk.says("Done: the part is finished and its tests pass. " * 5)
    return talk.events


def _encoded(state: SessionState) -> list[str]:
    return [_text(encode_head(state)), *(_text(encode_turn(t)) for t in state.turns)]


def _text(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def _best(work: Callable[[], object], rounds: int = _ROUNDS) -> float:
    taken = []
    for _ in range(rounds):
        before = time.perf_counter()
        work()
        taken.append(time.perf_counter() - before)
    return min(taken)


if __name__ == "__main__":
    main()
