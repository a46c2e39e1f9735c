"""What was compiled while running, kept from one process to the next."""

import gc
import importlib
import marshal
import os
import pkgutil
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

import holdfast
from holdfast.kernel import kept_code, kept_file, lazy_patterns
from holdfast.kernel.kept_code import KeptCode
from holdfast.kernel.kept_file import KeptFile
from holdfast.language.languages import BY_LETTERS, LATIN, Cues, Template
from holdfast.redaction.redactor import Redactor

_WORDS = r"(?P<word>\w+) (\d+)|naïve|[ก-๙]+"
_FLAGS = re.IGNORECASE | re.VERBOSE
_LINES = "a 12\nNAÏVE b 3 ครับ\n(x)\n\nWort 7"
_BESIDE = Path(__file__).parents[2]


@pytest.fixture
def place(tmp_path: Path) -> Path:
    return tmp_path / "expressions"


@pytest.fixture
def kept(place: Path) -> Path:
    """A file in which one expression is kept."""
    first = KeptCode(str(place))
    first.make(_WORDS, _FLAGS)
    first.keep()
    return place


def _known(place: Path) -> dict[Any, Any]:
    """What the next process sees."""
    return dict(KeptFile(str(place), kept_code._owner()).values())


def _compiles(monkeypatch: pytest.MonkeyPatch) -> list[object]:
    """What is given to Python's own compiler from now on."""
    asked: list[object] = []
    real = re.compile

    def noted(text: str, flags: int = 0) -> re.Pattern[str]:
        asked.append(text)
        return real(text, flags)

    monkeypatch.setattr(re, "compile", noted)
    return asked


def _found(expression: re.Pattern[str], text: str) -> list[tuple[object, ...]]:
    return [
        (hit.span(), hit.groups(), hit.groupdict(), hit.lastgroup)
        for hit in expression.finditer(text)
    ]


def test_what_one_process_compiled_the_next_does_not(
    kept: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It took 37 ms of every save."""
    asked = _compiles(monkeypatch)

    made = KeptCode(str(kept)).make(_WORDS, _FLAGS)

    assert asked == []
    assert made == re.compile(_WORDS, _FLAGS)
    assert _found(made, _LINES) == _found(re.compile(_WORDS, _FLAGS), _LINES)


@pytest.mark.parametrize(
    ("text", "flags"),
    [
        pytest.param(_WORDS, 0, id="other flags"),
        pytest.param(f"{_WORDS} ", _FLAGS, id="one more space"),
        pytest.param(_WORDS.encode(), re.VERBOSE, id="bytes"),
    ],
)
def test_another_expression_is_another(
    kept: Path, monkeypatch: pytest.MonkeyPatch, text: str, flags: int
) -> None:
    """All of the text and all flags are compared, and no digest of them."""
    asked = _compiles(monkeypatch)

    made = KeptCode(str(kept)).make(text, flags)

    assert asked == [text]
    assert made == re.compile(text, flags)


def test_a_wrong_expression_raises_as_ever(place: Path) -> None:
    """And nothing of it is kept."""
    keeper = KeptCode(str(place))

    with pytest.raises(re.error):
        keeper.make("(")
    keeper.keep()

    assert not place.exists()


def _cut(share: float) -> Callable[[bytes], bytes]:
    return lambda data: data[: int(len(data) * share)]


def _flipped(place: float) -> Callable[[bytes], bytes]:
    def flip(data: bytes) -> bytes:
        at = min(int(len(data) * place), len(data) - 1)
        return data[:at] + bytes([data[at] ^ 0x10]) + data[at + 1 :]

    return flip


def _resealed(value: Any) -> Callable[[bytes], bytes]:
    """A file with a right seal that holds something else."""
    owner = kept_code._owner()  # what a stranger would need to know
    if isinstance(value, dict):
        return lambda _: kept_file.file_of(value, owner)
    return lambda _: kept_file.sealed(marshal.dumps(value), owner)


def _coded(*code: Any) -> Callable[[bytes], bytes]:
    return _resealed({_KEY: (code, None)})


_KEY = (_WORDS, int(_FLAGS), False)
_DAMAGES = [
    *(pytest.param(_cut(n / 20), id=f"cut at {n}/20") for n in range(20)),
    *(pytest.param(_flipped(n / 40), id=f"a bit at {n}/40") for n in range(41)),
    pytest.param(lambda data: data + b"\0", id="a byte more"),
    pytest.param(lambda data: bytes(len(data)), id="a page that was never written"),
    pytest.param(lambda _: b"\xff" * 5000, id="noise"),
    pytest.param(lambda data: data * 2, id="twice"),
    pytest.param(lambda _: b"x" * 7_000_000, id="far too much"),
    pytest.param(_resealed([1, 2]), id="no table"),
    pytest.param(_resealed({_KEY: 7}), id="no code"),
    pytest.param(_coded(0, b"abc", 0, {}, (None,)), id="half a number"),
    pytest.param(_coded(0, b"\xff" * 40, 0, {}, (None,)), id="no program"),
    pytest.param(_coded(0, b"", -1, {}, ()), id="an empty program"),
    pytest.param(_coded("a", b"", "b", [], 3), id="other types"),
]


@pytest.mark.parametrize("damage", _DAMAGES)
def test_a_damaged_file_costs_time_and_never_a_match(
    kept: Path, damage: Callable[[bytes], bytes]
) -> None:
    """Power goes, disks fail: what is found in a text may not depend on it."""
    kept.write_bytes(damage(kept.read_bytes()))

    made = KeptCode(str(kept)).make(_WORDS, _FLAGS)

    fresh = re.compile(_WORDS, _FLAGS)
    assert made == fresh
    assert _found(made, _LINES) == _found(fresh, _LINES)


@pytest.mark.parametrize("damage", _DAMAGES)
def test_a_damaged_file_is_mended_by_who_finds_it(
    kept: Path, damage: Callable[[bytes], bytes], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Otherwise each process from then on would pay."""
    kept.write_bytes(damage(kept.read_bytes()))
    keeper = KeptCode(str(kept))
    keeper.make(_WORDS, _FLAGS)
    keeper.keep()

    asked = _compiles(monkeypatch)
    KeptCode(str(kept)).make(_WORDS, _FLAGS)

    assert asked == []


@pytest.mark.parametrize("name", ["version", "byteorder"])
def test_the_code_of_another_python_is_not_used(
    kept: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    """Numbers that mean one thing to one build mean another to the next."""
    asked = _compiles(monkeypatch)
    monkeypatch.setattr(sys, name, "3.99.0 (of somebody else)")

    KeptCode(str(kept)).make(_WORDS, _FLAGS)

    assert asked == [_WORDS]


def test_the_code_of_another_version_of_holdfast_is_not_used(
    kept: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What an update no longer asks for must not be read for ever."""
    asked = _compiles(monkeypatch)
    monkeypatch.setattr(kept_code, "__version__", "99")

    KeptCode(str(kept)).make(_WORDS, _FLAGS)

    assert asked == [_WORDS]


def test_a_python_that_does_not_show_its_code_is_asked_once(
    place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its parts are private: a later one may have others, and every hook would look."""
    from re import _compiler  # type: ignore[attr-defined]  # noqa: PLC0415  # the subject

    looked: list[object] = []

    def gone(parsed: object, flags: int) -> None:
        looked.append((parsed, flags))
        raise AttributeError

    first = KeptCode(str(place))
    first.make("a+b")
    monkeypatch.setattr(_compiler, "_code", gone)
    first.keep()
    again = KeptCode(str(place))
    monkeypatch.undo()
    made = again.make("a+b")
    again.keep()

    assert len(looked) == 1
    assert made.findall("aab ab b") == ["aab", "ab"]


def test_code_that_makes_another_expression_is_not_kept(
    place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What goes in is compared with what `re.compile` made."""
    from re import _compiler  # type: ignore[attr-defined]  # noqa: PLC0415  # the subject

    real = _compiler._code  # the subject
    keeper = KeptCode(str(place))
    keeper.make("ab")
    other = _compiler._parser.parse("xy")  # the subject
    monkeypatch.setattr(_compiler, "_code", lambda _, flags: real(other, flags))
    keeper.keep()
    monkeypatch.undo()

    assert KeptCode(str(place)).make("ab").findall("ab xy") == ["ab"]


@pytest.mark.parametrize(
    "path",
    [
        pytest.param("", id="no place"),
        pytest.param("/proc/self/expressions", id="no file can be made"),
        pytest.param("/nowhere/at all/expressions", id="no directory"),
        pytest.param(f"{__file__}/expressions", id="below a file"),
    ],
)
def test_where_nothing_can_be_kept_all_is_compiled(path: str) -> None:
    """An installation that belongs to somebody else, or a disk that only reads."""
    keeper = KeptCode(path)

    assert keeper.make("a+").findall("aa b a") == ["aa", "a"]
    keeper.keep()


def test_a_directory_that_may_not_be_written_is_left_alone(
    place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Looking for the code of what cannot be kept would be paid at every hook."""
    asked: list[tuple[object, ...]] = []

    def refuse(*of: object) -> bool:  # root may write everywhere
        asked.append(of)
        return False

    monkeypatch.setattr(os, "access", refuse)
    keeper = KeptCode(str(place))
    keeper.make("a+")
    keeper.keep()

    assert asked == [(str(place.parent), os.W_OK)]
    assert not place.exists()


def test_who_may_not_add_only_reads(place: Path) -> None:
    """`python -B` means: write nothing beside the code."""
    keeper = KeptCode(str(place), may_add=False)
    keeper.make("a+")
    keeper.keep()

    assert not place.exists()


def test_two_that_end_at_once_both_keep(place: Path) -> None:
    """Who comes second adds to what the first one kept meanwhile."""
    one, other = KeptCode(str(place)), KeptCode(str(place))
    one.make("one+")
    other.make("other+")
    one.keep()
    other.keep()

    assert _known(place).keys() == {("one+", 0, False), ("other+", 0, False)}


def test_what_is_kept_does_not_grow_for_ever(
    place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """While somebody works on the expressions themselves, old ones are asked for no more."""
    monkeypatch.setattr(kept_file, "_MOST_OCTETS", 4000)
    for number in range(40):
        keeper = KeptCode(str(place))
        keeper.make(f"[a-z]{{{number}}}|{'long' * 20}")
        keeper.keep()

    assert 0 < place.stat().st_size <= 4000


_ENDS = """
import sys
from holdfast.kernel.kept_code import KeptCode
print("ready", flush=True)
sys.stdin.readline()
for number in range(20):
    keeper = KeptCode(sys.argv[1])
    for name in ("shared", sys.argv[2]):
        assert keeper.make(f"{name}{number}+").findall(f"{name}{number}{number % 10}")
    keeper.keep()
"""


@pytest.mark.process
def test_many_processes_that_keep_at_once_leave_a_whole_file(place: Path) -> None:
    """Windows close together; each of them finds a file that it can use."""
    call = [sys.executable, "-c", _ENDS, str(place)]
    running = [
        subprocess.Popen(
            [*call, f"own{n}x"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        for n in range(4)
    ]
    for each in running:
        assert each.stdout is not None
        assert each.stdout.readline() == "ready\n"
    for each in running:
        each.communicate("go\n")

    assert [each.returncode for each in running] == [0] * 4
    assert ("shared19+", 0, False) in _known(place)
    assert list(place.parent.iterdir()) == [place]  # and nothing half written


_ASKS = """
import re
compiled = []
real = re._compiler.compile
re._compiler.compile = lambda *given: compiled.append(given[0]) or real(*given)
import os
from holdfast.bootstrap import Container
Container(environ=os.environ)
from holdfast.facts.requests.rules import is_rule
assert is_rule("Never push to main.")
print(*sorted(one for one in compiled if "never" in str(one)), sep="")
"""


@pytest.mark.process
def test_a_process_finds_what_another_one_compiled(tmp_path: Path) -> None:
    """The whole way: wired in by the composition root, kept at the end of a process."""
    environ = {"PATH": os.environ["PATH"], "HOME": str(tmp_path / "user")}
    environ["PYTHONPYCACHEPREFIX"] = str(tmp_path / "compiled")

    def asked() -> str:
        return subprocess.run(
            [sys.executable, "-c", _ASKS],
            env=environ,
            cwd=tmp_path,
            capture_output=True,
            text=True,
            check=True,
        ).stdout.strip()

    assert "never" in asked()
    assert asked() == ""
    kept = list((tmp_path / "compiled").rglob("compiled.*"))
    assert [path.stat().st_mode & 0o777 for path in kept] == [0o644]


_FUNCTION = "def __init__(self, a, b=3):\n self.sum = a + b"


@pytest.mark.parametrize(
    "damage",
    [
        pytest.param(lambda data: data, id="whole"),
        pytest.param(_cut(0.5), id="cut"),
        pytest.param(_flipped(0.7), id="a bit"),
        pytest.param(_resealed({_FUNCTION: b"not code"}), id="no code"),
        pytest.param(_resealed({_FUNCTION: b""}), id="nothing"),
        pytest.param(_resealed({_FUNCTION: (1, 2)}), id="something else"),
    ],
)
def test_a_function_is_the_one_that_its_text_says(
    place: Path, damage: Callable[[bytes], bytes]
) -> None:
    """The methods of values come from texts that are put together when first used."""
    first = KeptCode(str(place))
    first.function(_FUNCTION)
    first.keep()
    place.write_bytes(damage(place.read_bytes()))

    code = KeptCode(str(place)).function(_FUNCTION)

    space: dict[str, Any] = {}
    exec(code, space)  # noqa: S102  # what is done with it
    made = type("Made", (), {"__init__": space["__init__"]})
    assert (made(1).sum, made(1, 1).sum, made(a=1, b=4).sum) == (4, 2, 5)


def test_a_function_is_compiled_once(
    place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A save makes some hundred of them."""
    first = KeptCode(str(place))
    first.function(_FUNCTION)
    first.keep()
    monkeypatch.setattr(kept_code, "compile", None, raising=False)

    assert KeptCode(str(place)).function(_FUNCTION).co_names == ("__init__",)


def test_what_a_user_wrote_is_never_kept(
    place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A rule of redaction names a secret; the file lies outside of what is private."""
    keeper = KeptCode(str(place))
    monkeypatch.setattr(lazy_patterns._MAKER, "make", keeper.make)
    monkeypatch.setattr(lazy_patterns._MAKER, "make_guarded", keeper.make_guarded)
    redactor = Redactor(lambda: b"key", rules=("mysecret-*",), allow=("mine-*",))

    assert "mysecret-1" not in redactor.text("it is mysecret-1 and password=mine-1")
    keeper.make(
        "ours+"
    )  # the redactor's own may have been made in this process already
    keeper.keep()

    assert place.stat().st_size > 0
    assert b"mysecret" not in place.read_bytes()
    assert b"mine" not in place.read_bytes()


def _loaded() -> list[object]:
    for module in pkgutil.walk_packages(holdfast.__path__, "holdfast."):
        if not module.name.endswith("__main__"):
            importlib.import_module(module.name)
    return gc.get_objects()


def our_cues() -> Iterator[tuple[str, int]]:
    """Yield every cue that the program can ask for, in every language."""
    for cues in [each for each in _loaded() if isinstance(each, Cues)]:
        for code in ("", *LATIN, *BY_LETTERS):
            if expression := cues._expression(code):
                yield expression.pattern, int(cues._flags)


def _ours() -> Iterator[tuple[str | bytes, int]]:
    """Yield every expression that the program can ask for, in every language."""
    yield from our_cues()
    known = _loaded()
    late = [each for each in known if type(each) is lazy_patterns._Pattern]
    yield from ((each.pattern, int(each._flags)) for each in late)
    for template in [each for each in known if isinstance(each, Template)]:
        for text in ("plain", "né", "да", "ครับ", "안녕", "漢字", "né да ครับ 안녕 漢字"):
            yield template.for_text(text).pattern, int(template._flags)


def test_every_expression_of_ours_is_the_same_from_the_file(place: Path) -> None:
    """In code, flags and groups, and in what it finds in sessions of every language."""
    ours = dict.fromkeys(_ours())
    keeper = KeptCode(str(place))
    for text, flags in ours:
        keeper.make(text, flags)
    keeper.keep()
    again = KeptCode(str(place))
    corpus = [path.read_bytes() for path in (_BESIDE / "fixtures").rglob("*.json*")]
    octets = b"\n".join(part[:4000] for part in corpus)[:60_000]
    texts = octets.decode("utf-8", "replace").splitlines()[:400]

    known = _known(place)
    assert len(ours) > 700
    assert all(known[*one, False][0] is not None for one in ours)
    for text, flags in ours:
        made, fresh = again.make(text, flags), re.compile(text, flags)
        assert made == fresh
        assert (made.groups, made.groupindex) == (fresh.groups, fresh.groupindex)
        for line in (
            octets.splitlines()[:400] if isinstance(text, bytes) else texts[::8]
        ):
            assert _spans(made, line) == _spans(fresh, line)


def _spans(expression: re.Pattern[Any], line: Any) -> list[tuple[int, int]]:
    return [hit.span() for hit in expression.finditer(line)][:5]
