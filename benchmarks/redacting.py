"""What redaction costs: per text and per megabyte, against what no scan can beat.

Goals: ≥ 10 MB/s on plain text and on the strings of JSONL, 1 MB ≤ 100 ms. Floors, taken
in the same run: `text.lower()` with one `in`, and `re.search` of one literal. Texts: prose and a log that are made up, our own
source, and the strings of the measuring data beside the repository.
"""

import json
import os
import re
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from holdfast.redaction.redactor import Redactor

_ROOT = Path(__file__).parents[1]
_SHARED = _ROOT / ".." / "shared" / "data" / "transcripts"
_ROUNDS = 9
_STARTS = 15
_MOST_REAL_FILES = 12
_LITERAL = re.compile("no such literal")
_WAYS: dict[str, Callable[[str], object]] = {
    "redact": Redactor(b"benchmark").text,
    "lower + in": lambda text: "no such literal" in text.lower(),
    "re.search": _LITERAL.search,
}
_IMPORTS = {
    "import re, hashlib": "import re, hashlib",
    "import redaction": "import holdfast.redaction.redactor",
    "… and its first text": (
        "from holdfast.redaction.redactor import Redactor;"
        "Redactor().text('a: b = c-d_e.f A dapi')"
    ),
}


def main() -> None:
    sources = {"prose": _prose(), "log": _log(), "our code": _code()}
    print(f"{'µs per text':24}" + "".join(f"{way:>14}" for way in _WAYS))
    for size in (200, 4096):
        for name, text in sources.items():
            _print_row(f"{name}, {size}", _pieces(text, size))
    print(f"\n{'MB/s':24}" + "".join(f"{way:>14}" for way in _WAYS))
    whole = "\n".join(sources.values())
    _print_speed("all, 4096", _pieces(whole, 4096))
    _print_speed(
        "all, 1 MB at once", [(whole * (1_000_000 // len(whole) + 1))[:1_000_000]]
    )
    _print_speed("1 secret in 4096", _with_secrets(_pieces(whole, 4096)))
    _print_real()
    _print_imports()
    print(f"load average {os.getloadavg()[0]:.1f}")


def _print_row(name: str, texts: list[str]) -> None:
    shown = (f"{each / len(texts) * 1e6:14.2f}" for each in _times(texts))
    print(f"{name:24}" + "".join(shown))


def _print_speed(name: str, texts: list[str]) -> None:
    size = sum(len(text.encode("utf-8", "replace")) for text in texts) / 1e6
    print(f"{name:24}" + "".join(f"{size / each:14.0f}" for each in _times(texts)))


def _print_real() -> None:
    texts = [
        text
        for path in sorted(_SHARED.glob("*/*.jsonl"))[:_MOST_REAL_FILES]
        for line in path.read_text(encoding="utf-8").splitlines()
        for text in _strings(json.loads(line))
    ]
    if texts:
        _print_speed("strings of transcripts", texts)
        _print_speed("JSONL, 1 MB at once", _pieces("\n".join(texts), 1_000_000)[:4])
    else:
        print("no measuring data beside the repository: transcripts left out")


def _print_imports() -> None:
    taken: dict[str, list[float]] = {name: [] for name in _IMPORTS}
    for _ in range(_STARTS):
        for name, code in _IMPORTS.items():  # interleaved: these machines are noisy
            before = time.perf_counter()
            subprocess.run([sys.executable, "-c", code], check=True)
            taken[name].append(time.perf_counter() - before)
    floor = min(taken["import re, hashlib"])
    print()
    for name, times in taken.items():
        print(f"{name:24}{(min(times) - floor) * 1e3:+8.1f} ms")


def _times(texts: list[str]) -> list[float]:
    """Return the least CPU time each way takes for all texts, interleaved."""
    best = [float("inf")] * len(_WAYS)
    for _ in range(_ROUNDS):
        for index, way in enumerate(_WAYS.values()):
            before = time.thread_time()
            for text in texts:
                way(text)
            best[index] = min(best[index], time.thread_time() - before)
    return best


def _pieces(text: str, size: int) -> list[str]:
    return [text[at : at + size] for at in range(0, len(text) - size, size)]


def _with_secrets(texts: list[str]) -> list[str]:
    secret = "ghp_" + "A1b2C3d4E" * 4
    return [f"{text[:2000]} token {secret} {text[2000:]}" for text in texts]


def _strings(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for key, item in value.items():
            if key != "signature":  # never kept
                yield from _strings(item)
    elif isinstance(value, list):
        for item in value:
            yield from _strings(item)


def _prose() -> str:
    return "".join(
        f"The {n}th part of the plan is done, and the rest follows: first the reader, then "
        "what it feeds. Nobody has to wait for it; a half-written line is left alone.\n"
        for n in range(600)
    )


def _log() -> str:
    return "".join(
        f"2026-01-18T15:{n % 60:02}:45.{n % 1000:03}Z INFO worker-{n % 7} request id={n:08x} "
        f"path=/api/v1/items/{n} status=200 duration_ms={n % 90} tokens=12{n}\n"
        for n in range(900)
    )


def _code() -> str:
    """Our own source, but for the rules: they are full of what they look for."""
    paths = sorted((_ROOT / "src").rglob("*.py"))
    return "".join(
        path.read_text(encoding="utf-8")
        for path in paths
        if not path.name.startswith("secret_")
    )


if __name__ == "__main__":
    main()
