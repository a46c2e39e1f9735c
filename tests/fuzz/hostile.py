"""What fuzzing feeds to each door: the corpus, and whatever Hypothesis makes of it.

`HOLDFAST_FUZZ` says how hard to try: 3 in an ordinary run, hundreds with `make fuzz`.
"""

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

from hypothesis import HealthCheck, settings, strategies as st

from holdfast.kernel.errors import HoldfastError

_CORPUS = Path(__file__).parents[1] / "fixtures" / "fuzz"
_SAMPLES = Path(__file__).parents[1] / "fixtures"
_EFFORT = int(os.environ.get("HOLDFAST_FUZZ", "3"))


def _read(name: str) -> Any:
    return json.loads((_CORPUS / name).read_text(encoding="utf-8"))


DOCUMENTS: list[str] = [each["text"] for each in _read("json-documents.json")]
TEXTS: list[str] = _read("texts.json") + [
    each["text"] for each in _read("sources.json")
]
LINES: list[bytes] = [
    line
    for sample in sorted((_SAMPLES / "transcripts").glob("*.jsonl"))
    for line in sample.read_bytes().splitlines()
    if len(line) < 4_000
]
HOOK_INPUTS: list[dict[str, Any]] = [
    json.loads(line)["stdin"]
    for line in (_SAMPLES / "hook-inputs.jsonl").read_text("utf-8").splitlines()
]


# Some of what a terminal obeys or a reader cannot see.
ESCAPES = frozenset("\x1b\x07\x9b\x9d\x90\x7f\u202e\u2066\u200b\ufeff\U000e0041")


def effort(examples: int) -> Callable[[Any], Any]:
    """Try so many examples, times what the environment asks for."""
    return settings(
        max_examples=examples * _EFFORT,
        deadline=None,
        suppress_health_check=list(HealthCheck),
        print_blob=True,
    )


def refusal(action: Callable[[], object]) -> HoldfastError | None:
    """Return the outcome that an action ended with; any other exception is a bug."""
    try:
        action()
    except HoldfastError as problem:
        return problem
    return None


texts = st.one_of(
    st.sampled_from(TEXTS),
    st.text(max_size=60),
    st.lists(st.sampled_from(TEXTS), min_size=2, max_size=4).map("".join),
    st.lists(st.sampled_from(TEXTS) | st.text(max_size=20), max_size=6).map("\n".join),
    st.tuples(st.sampled_from(TEXTS), st.integers(2, 40)).map(lambda t: t[0] * t[1]),
)
values = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**70), 2**70) | st.floats() | texts,
    lambda inner: (
        st.lists(inner, max_size=4) | st.dictionaries(texts, inner, max_size=4)
    ),
    max_leaves=8,
)


@st.composite
def _bent(draw: st.DrawFn, whole: bytes) -> bytes:
    """Return bytes of which some were cut, doubled, replaced or added."""
    for _ in range(draw(st.integers(1, 4))):
        place = draw(st.integers(0, len(whole)))
        end = draw(st.integers(place, min(len(whole), place + 40)))
        put = draw(
            st.binary(max_size=4)
            | st.just(b"")
            | texts.map(lambda text: text.encode("utf-8", "surrogatepass"))
            | texts.map(lambda text: json.dumps(text).encode())
        )
        whole = whole[:place] + put + whole[end:]
    return whole


def bent(wholes: list[bytes]) -> st.SearchStrategy[bytes]:
    return st.sampled_from(wholes).flatmap(_bent)


def objects_like(samples: list[dict[str, Any]]) -> st.SearchStrategy[dict[str, Any]]:
    """Objects with the fields that are expected, and anything in them."""
    names = sorted({name for sample in samples for name in sample})
    return st.tuples(
        st.sampled_from(samples),
        st.dictionaries(st.sampled_from(names) | texts, values, max_size=5),
        st.sets(st.sampled_from(names), max_size=3),
    ).map(
        lambda made: {
            name: value
            for name, value in (made[0] | made[1]).items()
            if name not in made[2]
        }
    )
