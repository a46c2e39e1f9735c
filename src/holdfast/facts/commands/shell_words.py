"""The words of a command line as its shell takes them apart: quoting, here-documents,
redirections, `cd`, variables that the line itself sets, and loops over names.

What a here-document holds is text, never a command. A word that only the shell that ran
it can know (`$HOME`, `$(date)`) is open.
"""

from collections.abc import Iterator, Mapping
from itertools import islice, product
from typing import TYPE_CHECKING

from holdfast.facts.commands.lines import plain_path, without_drive
from holdfast.kernel.lazy_patterns import pattern
from holdfast.kernel.lazy_tuples import NamedTuple

if TYPE_CHECKING:
    import re

_MOST_VALUES = 40  # of a variable, and of a word with braces
_CUT = 1_900  # characters: a line of this length may have lost its end
_HEREDOC = pattern(
    r"<<-?[ \t]*\\?(['\"]?)([A-Za-z_]\w*)\1([^\n]*)\n"
    r"(?s:(.*?)(?:(?<=\n)[ \t]*\2(?=[\s)\"`;&|]|$)|(\Z)))"
)
_HERE_STRING = pattern(r"@(['\"])[ \t]*\n(?s:(.*?))\n\1@")  # of PowerShell
_BODY = "\x01"  # stands for a here-document, with its number, until the words are read
_RUNS = r"\$\([^()]*(?:\([^()]*\)[^()]*)*\)|`[^`]*`"
_TOKEN = pattern(
    r"(?P<body>\x01\d+\x01)"
    r"|(?P<blank>[ \t\r]+|\\\n)"
    r"|(?P<comment>(?<![^\s;&|(])\#[^\n]*)"
    r"|(?P<redirect>(?:\d*|&)(?:>>|>\||>&|>|<<<|<>|<&|<)|\*>{1,2})"
    r"|(?P<stop>&&|\|\||;;|\|&|[;|&\n()])"
    # A quotation that nothing ends goes on to the end, where the line was cut.
    rf"|(?P<word>(?:\\.|'[^']*(?:'|\Z)|\"(?:\\.|[^\"\\])*(?:\"|\\?\Z)|{_RUNS}"
    r"|[^\s;&|<>()'\"\\`\x01]+|[\\`])+)"
)
_PIECE = pattern(
    r"'(?P<raw>[^']*)(?:'|\Z)|\"(?P<soft>(?:\\.|[^\"\\])*)(?:\"|\\?\Z)|\\(?P<escaped>.)"
    rf"|(?P<rest>(?:{_RUNS}|[^'\"\\])+|.)"
)
_ESCAPED = pattern(r"\\([\"\\$`\n])")
_ASSIGNED = pattern(r"([A-Za-z_]\w*)=(?s:(.*))")
_VARIABLE = pattern(r"\$(?:\{([A-Za-z_]\w*)\}|([A-Za-z_]\w*))")
_CHOICE = pattern(r"\{([^{}\s]*,[^{}\s]*)\}")
_OPEN = pattern(r"[$`]")
# Signs that quotes took their meaning from, until the word is used.
_QUOTED = str.maketrans("*?[", "\x02\x03\x04")
_LITERAL = str.maketrans("*?[$`", "\x02\x03\x04\x05\x06")
_MEANT = str.maketrans("\x02\x03\x04\x05\x06", "*?[$`")
_DRIVE = pattern(r"[A-Za-z]:/")
_MOVING = frozenset(["cd", "pushd", "Set-Location", "Push-Location", "sl"])
_KEYWORDS = frozenset(
    [
        "do", "then", "else", "elif", "if", "while", "until", "!", "{", "done", "fi", "}",
        "esac",
    ]
)  # fmt: skip


class Redirect(NamedTuple):
    sign: str  # `>` or `>>`
    to: str


class ShellCommand(NamedTuple):
    """One simple command, as the shell would run it."""

    words: tuple[str, ...]
    writes: tuple[Redirect, ...] = ()
    body: str | None = None  # what a here-document gives it to read
    place: str | None = (
        ""  # where it runs, seen from the session's own; None: not known
    )
    before: str = ""  # the operator before it
    is_last: bool = False


class _Read(NamedTuple):
    """A simple command as it is written."""

    words: list[str]
    writes: list[Redirect]
    body: int | None
    behind: str


def shell_commands(
    line: str, cwd: str = "", place: str = "", *, is_windows: bool = False
) -> tuple[ShellCommand, ...]:
    """Return the commands of a line in order, with what a loop over names names.

    `place` is where the shell stands that runs it, if not in `cwd`."""
    text, bodies = _without_bodies(line)
    if is_windows:  # a backslash divides a path there
        text = text.replace("\\", "/")
    shell = _Shell(cwd, moved_to("", place, cwd), bodies)
    steps = _simple(text)
    found = [one for read in steps if (one := shell.run(read)) is not None]
    return (*found[:-1], found[-1]._replace(is_last=True)) if found else ()


class _Shell:
    """What a shell knows from one command of a line to the next."""

    def __init__(self, cwd: str, place: str | None, bodies: list[str]) -> None:
        self._cwd = cwd
        self._bodies = bodies
        self._place = place
        self._outer: list[str | None] = []  # where each open `(` began
        self._values: dict[str, tuple[str, ...]] = {}
        self._operator = ""

    def run(self, read: _Read) -> ShellCommand | None:
        """Return a command as it is run, or nothing if it only concerns the shell."""
        before, self._operator = self._operator, read.behind
        words = read.words
        while words and words[0] in _KEYWORDS:
            words = words[1:]
        if words[:1] == ["for"] and words[2:3] == ["in"]:
            self._values[words[1]] = self._expanded(words[3:])[:_MOST_VALUES]
            return None
        while words and (given := _ASSIGNED.fullmatch(words[0])):
            self._values[given[1]] = expanded(given[2], self._values)
            words = words[1:]
        place = self._place
        run = self._expanded(words)
        self._move(run)
        if not run and not read.writes:
            return None
        writes = tuple(
            Redirect(sign, name)
            for sign, to in read.writes
            for name in expanded(to, self._values)
        )
        body = None if read.body is None else self._bodies[read.body]
        return ShellCommand(run, writes, body, place, before)

    def _expanded(self, words: list[str]) -> tuple[str, ...]:
        return tuple(name for word in words for name in expanded(word, self._values))

    def _move(self, words: tuple[str, ...]) -> None:
        """Go where a command goes; a subshell comes back."""
        if words and words[0] in _MOVING:
            to = words[-1] if len(words) > 1 else "~"
            self._place = moved_to(self._place, to, self._cwd)
        if self._operator == "(":
            self._outer.append(self._place)
        elif self._operator == ")" and self._outer:
            self._place = self._outer.pop()


def moved_to(place: str | None, to: str, cwd: str) -> str | None:
    """Return where `to` leads from a place, seen from the session's own directory: a
    name, a whole path if it lies elsewhere, None if that is not known."""
    if is_open(to) or to.startswith(("~", "-")):
        return None
    if to.startswith("/") or _DRIVE.match(to):
        return _seen_from(cwd, plain_path(to))
    if place is None:
        return None
    path = plain_path(f"{place}/{to}" if place else to)
    if path.startswith("..") and cwd:
        return _seen_from(cwd, plain_path(f"{cwd}/{path}"))
    return _seen_from(cwd, path) if path.startswith("/") and cwd else path


def is_around(path: str, cwd: str) -> bool:
    """Say whether a directory holds the session's own."""
    base = plain_path(without_drive(cwd.replace("\\", "/")))
    return base.lower().startswith(f"{without_drive(path).rstrip('/')}/".lower())


def _seen_from(cwd: str, path: str) -> str:
    """Return a path from a directory; shells of Windows write its drive in two ways."""
    base = plain_path(without_drive(cwd.replace("\\", "/")))
    full = without_drive(path)
    if not base or full.lower() == base.lower():
        return "" if base else path
    is_inside = full.lower().startswith(f"{base}/".lower())
    return full[len(base) + 1 :] if is_inside else path


def is_open(word: str) -> bool:
    """Say whether only the shell that ran it knows what a word stands for."""
    return _OPEN.search(word) is not None


def plain_word(word: str) -> str:
    """Return a word as a program gets it."""
    return word.translate(_MEANT)


def expanded(word: str, values: Mapping[str, tuple[str, ...]]) -> tuple[str, ...]:
    """Return what a word stands for without its quotes: more than one, if it has braces
    or a variable that has."""
    texts: list[list[str]] = []
    for piece in _PIECE.finditer(word):
        raw, soft, escaped, rest = piece.group("raw", "soft", "escaped", "rest")
        if soft is not None:
            inner = _ESCAPED.sub(lambda sign: sign[1].translate(_LITERAL), soft)
            texts.append([text.translate(_QUOTED) for text in _filled(inner, values)])
        elif rest is not None:
            filled = _filled(rest, values)
            texts.append([text for one in filled for text in _chosen(one)])
        else:
            texts.append([(escaped if raw is None else raw).translate(_LITERAL)])
    every = product(*(parts[:_MOST_VALUES] for parts in texts))
    return tuple("".join(parts) for parts in islice(every, _MOST_VALUES))


def _filled(text: str, values: Mapping[str, tuple[str, ...]]) -> list[str]:
    """Return a text with the variables that are known in place."""
    found = _VARIABLE.search(text)
    known = values.get(found[1] or found[2]) if found else None
    if found is None or known is None:
        return [text]
    head, tail = text[: found.start()], text[found.end() :]
    rests = _filled(tail, values)
    return [f"{head}{value}{rest}" for value in known for rest in rests][:_MOST_VALUES]


def _chosen(text: str) -> list[str]:
    """Return what `src/{a,b}.py` stands for."""
    found = _CHOICE.search(text)
    if found is None:
        return [text]
    head, tail = text[: found.start()], text[found.end() :]
    rests = _chosen(tail)
    return [f"{head}{one}{rest}" for one in found[1].split(",") for rest in rests][
        :_MOST_VALUES
    ]


def _without_bodies(line: str) -> tuple[str, list[str]]:
    """Return a line with marks where here-documents are given, and what they hold."""
    bodies: list[str] = []

    def here_string(found: "re.Match[str]") -> str:
        bodies.append(found[2])
        return f"{_BODY}{len(bodies) - 1}{_BODY}"

    text = _HERE_STRING.sub(here_string, line) if "@" in line else line
    is_cut = len(line) >= _CUT
    at = 0
    while found := _HEREDOC.search(text, at):
        at = found.start() + 2
        if found[5] is not None and not is_cut:
            continue  # nothing ends it: a shift in some program, no document
        bodies.append(found[4])
        # What stands behind the sign on its line belongs to the command.
        mark = f" {_BODY}{len(bodies) - 1}{_BODY} {found[3]}\n"
        text = text[: found.start()] + mark + text[found.end() :]
    return text, bodies


def _simple(text: str) -> Iterator[_Read]:
    """Yield each simple command as it is written."""
    read = _Read([], [], None, "")
    sign = ""  # of a redirection whose name comes next
    for token in _TOKEN.finditer(text):
        kind, value = token.lastgroup, token[0]
        if kind == "stop":
            yield read._replace(behind=value)
            read, sign = _Read([], [], None, ""), ""
        elif kind == "redirect":
            sign = value.lstrip("1&*")
        elif kind == "body":
            read = read._replace(body=int(value.strip(_BODY)))
        elif kind == "word":
            if sign in (">", ">>", ">|"):
                read.writes.append(Redirect(sign.rstrip("|"), value))
            elif not sign:
                read.words.append(value)
            sign = ""
    yield read
