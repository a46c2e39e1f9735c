"""What a command line makes of a file's text, as far as the line itself tells.

A command is read, never run. Where its line holds what it wrote (a here-document, `echo`,
a plain `sed -i`), the text that it left can be made again and compared with what was
seen; of any other it is only known that it names the file.
"""

from collections.abc import Iterator, Sequence
from typing import Literal

from holdfast.facts.blame.sed_scripts import LineEdit, perl_edit, sed_edit
from holdfast.facts.commands.file_changes import commands_in
from holdfast.facts.commands.file_words import last_part, moves_in, names_in
from holdfast.facts.commands.lines import plain_path
from holdfast.facts.commands.shell_words import (
    ShellCommand,
    is_open,
    moved_to,
    plain_word,
)
from holdfast.facts.commands.writing_programs import changes_in
from holdfast.kernel.lazy_patterns import pattern
from holdfast.kernel.lazy_tuples import NamedTuple

EffectKind = Literal[
    "written", "extended", "edited", "moved", "copied", "removed", "named"
]

_FORMATTERS = pattern(
    r"\b(?:black|ruff|yapf|autopep8|isort|prettier|eslint|biome|gofmt|gofumpt|goimports"
    r"|rustfmt|clang-format|shfmt|stylelint|rubocop|standard|dprint|fmt|format|lint)\b"
)
_ESCAPES = {"n": "\n", "t": "\t", "\\": "\\", '"': '"', "'": "'"}
_LOOKERS = frozenset(
    [
        "ls", "cat", "cd", "pwd", "echo", "head", "tail", "wc", "grep", "rg", "egrep",
        "which", "sort", "uniq", "true", "test", "tree", "du", "df", "stat", "file",
        "date", "diff", "basename", "dirname", "realpath", "readlink", "printf", "jq",
        "cut", "tr", "ps", "whoami", "hostname", "type", "sleep", "holdfast",
    ]
)  # fmt: skip
_GIT_LOOKS = frozenset(
    ["status", "diff", "log", "show", "rev-parse", "blame", "ls-files", "branch",
     "remote", "describe", "add", "push", "fetch", "tag"]
)  # fmt: skip


class ShellEffect(NamedTuple):
    """What a command does to one file, by its whole path."""

    kind: EffectKind
    path: str
    text: str = ""  # what is written, or put behind what is there
    edit: LineEdit | None = None
    source: str = ""  # what is moved or copied there

    def applied(self, before: str | None) -> str | None:
        """Return the file's text afterwards; None where that cannot be told."""
        if self.kind == "written":
            return self.text
        if self.kind == "extended":
            return None if before is None else before + self.text
        if self.kind == "edited" and self.edit is not None and before is not None:
            return "\n".join(self.edit(before.split("\n")))
        return None


def effects_of(command: str, cwd: str) -> tuple[ShellEffect, ...]:
    """Return what a command line does to files if all of it goes well, in order."""
    found = []
    for one in commands_in(command, cwd):
        for effect in _effects(one, cwd):
            name = _whole(one, effect.path, cwd)
            source = _whole(one, effect.source, cwd) if effect.source else ""
            if name is None:
                continue
            if one.before == "||":  # nobody knows whether it was run
                found.append(ShellEffect("named", name))
            else:
                found.append(effect._replace(path=name, source=source or ""))
    return tuple(found)


def is_formatter(command: str) -> bool:
    """Say whether a command line may be one that lays code out anew."""
    return _FORMATTERS.search(command) is not None


def only_looks(command: str) -> bool:
    """Say whether a command line surely changes no file of the work tree."""
    commands = commands_in(command)
    return bool(commands) and all(map(_only_looks, commands))


def _only_looks(one: ShellCommand) -> bool:
    if not one.words or any(not to.startswith("/dev/") for _, to in one.writes):
        return False
    if any("$(" in word or "`" in word for word in one.words):
        return False
    program = last_part(one.words[0])
    if program == "git":
        return one.words[1:2] != () and one.words[1] in _GIT_LOOKS
    return program in _LOOKERS


def _whole(one: ShellCommand, name: str, cwd: str) -> str | None:
    path = moved_to(one.place, name, cwd)
    if not path:
        return None
    path = plain_word(path)
    return path if path.startswith("/") else plain_path(f"{cwd}/{path}")


def _effects(one: ShellCommand, cwd: str) -> Iterator[ShellEffect]:
    del cwd
    for sign, to in one.writes:
        text = _printed(one)
        kind: EffectKind = "extended" if sign == ">>" else "written"
        yield ShellEffect("named" if text is None else kind, to, text or "")
    program = last_part(one.words[0]) if one.words else ""
    words = one.words[1:]
    if program in ("sed", "gsed"):
        yield from _by_sed(words)
    elif program == "perl":
        yield from _by_perl(words)
    elif program == "tee" and one.body is not None and one.before != "|":
        kind = "extended" if "-a" in words else "written"
        yield from (ShellEffect(kind, name, one.body) for name in names_in(words))
    elif program in ("mv", "cp") or one.words[:2] == ("git", "mv"):
        given = words[1:] if program == "git" else words
        kind = "copied" if program == "cp" else "moved"
        yield from (ShellEffect(kind, to, source=of) for of, to in moves_in(given))
    elif program == "rm":
        yield from (ShellEffect("removed", name) for name in names_in(words))
    else:
        bare = one._replace(writes=())
        yield from (ShellEffect("named", c.path) for c in changes_in(bare) if c.path)


def _printed(one: ShellCommand) -> str | None:
    """Return what a command prints, to the letter; None where that cannot be told."""
    if not one.words:
        return None
    program, words = one.words[0], [*one.words[1:]]
    if program == "cat":
        return one.body if not words else None
    if program not in ("echo", "printf") or any(map(is_open, words)):
        return None
    plain = [plain_word(word) for word in words]
    return _echoed(plain) if program == "echo" else _formatted(plain)


def _echoed(words: list[str]) -> str | None:
    end, is_escaped = "\n", False
    while words and words[0] in ("-n", "-e", "-ne", "-en"):
        end = "" if "n" in words[0] else end
        is_escaped = is_escaped or "e" in words[0]
        words = words[1:]
    text = " ".join(words)
    shown = _unescaped(text) if is_escaped else text
    return None if shown is None else shown + end


def _formatted(words: list[str]) -> str | None:
    if not words:
        return None
    form = _unescaped(words[0])
    if form is None or "%" not in form:
        return form if len(words) == 1 else None
    if form in ("%s", "%s\n") and words[1:]:
        return "".join(form.replace("%s", word) for word in words[1:])
    return None


def _unescaped(text: str) -> str | None:
    parts = iter(text)
    out = ""
    for letter in parts:
        if letter != "\\":
            out += letter
            continue
        meant = _ESCAPES.get(next(parts, ""))
        if meant is None:
            return None
        out += meant
    return out


class _SedWords(NamedTuple):
    """The words of `sed`, told apart."""

    scripts: list[str]
    names: list[str]
    flags: set[str]  # what else it was told: `i`, `E`, or `?` for anything unknown


def _sed_words(words: Sequence[str]) -> _SedWords:
    found = _SedWords([], [], set())
    rest = list(words)
    while rest:
        word = rest.pop(0)
        if word in ("-e", "--expression") and rest:
            found.scripts.append(rest.pop(0))
        elif word in ("-E", "-r", "--regexp-extended"):
            found.flags.add("E")
        elif word.startswith(("-i", "--in-place")):
            found.flags.add("i")
            if word == "-i" and rest[:1] == [""]:  # on a Mac: without a copy
                rest.pop(0)
        elif word.startswith("-"):
            found.flags.update("?i" if "i" in word else "?")
        else:
            found.names.append(word)
    return found


def _by_sed(words: Sequence[str]) -> Iterator[ShellEffect]:
    """Read `sed -i [-E] [-e] SCRIPT FILE…`; anything else only names its files."""
    scripts, names, flags = _sed_words(words)
    if "i" not in flags:
        return
    if not scripts:
        scripts, names = names[:1], names[1:]
    script = ";".join(map(plain_word, scripts))
    is_plain = "?" not in flags and not any(map(is_open, map(_quoted_end, scripts)))
    edit = sed_edit(script, is_extended="E" in flags) if is_plain else None
    kind: EffectKind = "named" if edit is None else "edited"
    yield from (ShellEffect(kind, name, edit=edit) for name in names)


def _quoted_end(script: str) -> str:
    """A `$` before a sign of sed is its own; the shell's is followed by a name."""
    return script.replace("$/", "/").replace("$d", "d").replace("$|", "|")


def _by_perl(words: Sequence[str]) -> Iterator[ShellEffect]:
    if len(words) < 3 or words[0] not in ("-pi", "-i", "-pi.bak"):  # noqa: PLR2004  # options, script, file
        bare = ShellCommand(("perl", *words))
        yield from (ShellEffect("named", c.path) for c in changes_in(bare) if c.path)
        return
    given = words[2:] if words[:2] == ("-i", "-pe") else words[1:]
    given = given[1:] if given[:1] == ("-e",) else given
    edit = perl_edit(plain_word(given[0])) if given else None
    kind: EffectKind = "named" if edit is None else "edited"
    yield from (ShellEffect(kind, name, edit=edit) for name in given[1:])
