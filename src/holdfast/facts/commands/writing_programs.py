"""Programs that write files, each with how its words name them.

A program that is not here is taken to write nothing but where its output is sent.
"""

from collections.abc import Callable, Iterator, Sequence

from holdfast.domain.code import Deed, ShellChange
from holdfast.facts.commands.file_words import (
    each,
    has_ending,
    last_part,
    moves_in,
    names_in,
)
from holdfast.facts.commands.git_changes import changes_by_git
from holdfast.facts.commands.script_writes import patched, written_by
from holdfast.facts.commands.shell_words import ShellCommand, is_open, plain_word
from holdfast.kernel.lazy_patterns import pattern

# Only shows what it would do.
_TRIES = frozenset(["--dry-run", "--check", "--diff", "--list-different"])
# What notes down how a run went is no work on the project.
_RECORDS = pattern(r"(?:\.(?:log|out|err|pid|tmp)|/)$")
_NOWHERE = pattern(r"/dev/|/proc/|(?:NUL|nul|null)$")
_PRINTERS = frozenset(["echo", "printf", "Write-Output"])
_CODE = frozenset(["-c", "-e", "--eval", "-p", "-pe", "-ne", "-Command"])
WINDOWS = pattern(
    r"(?i)\b(?:Set|Add|Clear)-Content\b|\bOut-File\b"
    r"|\b(?:New|Remove|Move|Copy|Rename)-Item\b|(?:^|[;&|]\s*)(?:del|copy|move|ren)\s"
)
_Words = Sequence[str]
_Reads = Callable[[_Words, ShellCommand], Iterator[ShellChange]]


def changes_in(one: ShellCommand) -> Iterator[ShellChange]:
    """Yield what one command does to files, by the names it gives them."""
    program = last_part(one.words[0]) if one.words else ""
    for sign, to in one.writes:
        is_told = program in _PRINTERS or program == "cat" or not _RECORDS.search(to)
        if is_told and not _NOWHERE.match(to) and not is_open(to):
            text = printed(one._replace(writes=())) or ""
            yield ShellChange(
                "extended" if sign == ">>" else "written", to, text.count("\n")
            )
    words = one.words[1:]
    if not program or not _TRIES.isdisjoint(words):
        return
    known = program.removesuffix(".exe")
    if reads := _BY_PROGRAM.get(known) or _BY_PROGRAM.get(known.lower()):
        yield from reads(words, one)
    else:
        code = _code(words) or one.body or ""
        yield from written_by(known.rstrip("0123456789."), code)


def printed(one: ShellCommand) -> str | None:
    """Return what a command prints, where that can be told."""
    if not one.words or one.writes:
        return None
    if one.words[0] == "cat":
        return one.body if len(one.words) == 1 else None
    if one.words[0] in _PRINTERS:
        said = [plain_word(word) for word in one.words[1:] if word not in ("-e", "-n")]
        return " ".join(said).replace("\\n", "\n").rstrip("\n") + "\n"
    # A string alone is what PowerShell prints.
    return one.body if one.words == () else None


def _code(words: _Words) -> str:
    """Return the program that a command brings with it."""
    for place, word in enumerate(words[:-1]):
        if word in _CODE:
            return plain_word(words[place + 1])
        if not word.startswith("-"):
            break
    return ""


def _tee(words: _Words, one: ShellCommand) -> Iterator[ShellChange]:
    deed: Deed = "extended" if {"-a", "--append"} & {*words} else "written"
    for name in names_in(words):
        is_told = one.body or not _RECORDS.search(name)
        if is_told and not _NOWHERE.match(name):
            yield ShellChange(deed, name, (one.body or "").count("\n"))


def _sed(words: _Words, _: ShellCommand) -> Iterator[ShellChange]:
    in_place = has_script = skip = False
    names: list[str] = []
    for place, word in enumerate(words):
        if skip:
            skip = False
        elif word.startswith(("-i", "--in-place")):
            in_place = True
            # On a Mac the suffix of a copy is a word of its own, mostly an empty one.
            skip = word == "-i" and [*words[place + 1 : place + 2]] in ([""], [".bak"])
        elif word.startswith("-") and word != "-":
            is_short = not word.startswith("--")
            in_place = in_place or (is_short and "i" in word)
            if word in ("--expression", "--file") or (is_short and word[-1] in "ef"):
                has_script = skip = True
        else:
            names.append(word)
    if in_place:
        yield from _named("edited", names[0 if has_script else 1 :])


def _perl(words: _Words, _: ShellCommand) -> Iterator[ShellChange]:
    in_place = has_code = skip = False
    names: list[str] = []
    for word in words:
        if skip:
            skip = False
        elif word.startswith("-") and len(word) > 1:
            flags = word[1:].partition(".")[0]
            in_place = in_place or ("i" in flags and word[1] not in "IM-")
            skip = flags[-1:] in ("e", "E")
            has_code = has_code or skip
        else:
            names.append(word)
    if in_place and has_code:
        yield from _named("edited", names)


def _awk(words: _Words, _: ShellCommand) -> Iterator[ShellChange]:
    if [*words[:2]] == ["-i", "inplace"]:
        yield from each("edited", names_in(words[2:], "vF")[1:])


def _move(words: _Words, _: ShellCommand) -> Iterator[ShellChange]:
    for source, to in moves_in(words):
        yield ShellChange("moved", to, source=source)


def _copy(words: _Words, _: ShellCommand) -> Iterator[ShellChange]:
    for source, to in moves_in(words):
        yield ShellChange("written", to, source=source)


def _remove(words: _Words, _: ShellCommand) -> Iterator[ShellChange]:
    yield from each("removed", names_in(words))


def _touch(words: _Words, _: ShellCommand) -> Iterator[ShellChange]:
    yield from each("written", names_in(words, "drtsS"))


def _dd(words: _Words, _: ShellCommand) -> Iterator[ShellChange]:
    names = [word[3:] for word in words if word.startswith("of=")]
    yield from _named("written", [name for name in names if not _NOWHERE.match(name)])


def _link(words: _Words, _: ShellCommand) -> Iterator[ShellChange]:
    names = names_in(words)
    if len(names) > 1 and not names[-1].endswith("/"):
        yield from each("written", names[-1:])


def _patch(words: _Words, one: ShellCommand) -> Iterator[ShellChange]:
    if found := [*patched(one.body or "".join(map(plain_word, words[:1])))]:
        yield from found
    else:
        named = names_in(words, "pdiFoBDr")[:1]
        yield from each("edited", filter(has_ending, named))


def _named(deed: Deed, names: _Words) -> Iterator[ShellChange]:
    yield from each(deed, (name for name in names if name and not is_open(name)))


def _formats(*flags: str, verb: str = "") -> _Reads:
    """Return how a formatter is read: it writes if it has one of `flags`, or needs none;
    `verb` is what it must be asked for. Of a whole directory nothing is told."""

    def read(words: _Words, _: ShellCommand) -> Iterator[ShellChange]:
        rest = list(words)
        if verb and rest[:1] != [verb]:
            return
        if flags and not any(word.partition("=")[0] in flags for word in rest):
            return
        named = names_in(rest[1:] if verb else rest, "lc")
        yield from each("edited", filter(has_ending, named))

    return read


def _either(*readers: _Reads) -> _Reads:
    def read(words: _Words, one: ShellCommand) -> Iterator[ShellChange]:
        for reader in readers:
            yield from reader(words, one)

    return read


def _windows(deed: Deed) -> _Reads:
    """Return how a cmdlet of PowerShell, or a command of Windows, is read."""

    def read(words: _Words, one: ShellCommand) -> Iterator[ShellChange]:
        given = [*_arguments(words)]
        names = [word for option, word in given if option == "" and not is_open(word)]
        values = [plain_word(word) for option, word in given if option == "-value"]
        if ("-itemtype", "directory") in given:
            return
        if deed == "removed":
            yield from each(deed, names)
        elif deed == "moved":
            yield from _move(names, one)
        elif names:
            text = "".join(values) or one.body or ""
            added = text.count("\n") + (text[-1:] not in ("", "\n"))
            yield ShellChange(deed, names[0], added)

    return read


_PATHS = frozenset(["-path", "-literalpath", "-filepath", "-destination", "-newname"])
_VALUES = frozenset(["-itemtype", "-encoding", "-name", "-inputobject", "-value"])


def _arguments(words: _Words) -> Iterator[tuple[str, str]]:
    """Yield the words with the option each belongs to; those that name files have none."""
    option = ""
    for word in words:
        low = word.lower()
        if option:
            yield ("", word) if option in _PATHS else (option, low)
            option = ""
        elif low in _PATHS or low in _VALUES:
            option = low
        elif not low.startswith(("-", "/")):
            yield "", word


def _windows_copy(words: _Words, one: ShellCommand) -> Iterator[ShellChange]:
    for change in _windows("moved")(words, one):
        yield change._replace(deed="written")


_BY_PROGRAM: dict[str, _Reads] = {
    "tee": _tee, "sed": _sed, "gsed": _sed, "perl": _perl, "awk": _awk, "gawk": _awk,
    "mv": _move, "cp": _copy, "install": _copy, "rm": _remove, "unlink": _remove,
    "touch": _touch, "truncate": _touch, "dd": _dd, "ln": _link, "patch": _patch,
    "apply_patch": _patch, "applypatch": _patch, "git": changes_by_git,
    "prettier": _formats("--write", "-w"), "eslint": _formats("--fix"),
    "stylelint": _formats("--fix"), "black": _formats(), "isort": _formats(),
    "autopep8": _formats("-i", "--in-place"), "yapf": _formats("-i", "--in-place"),
    "ruff": _either(_formats(verb="format"), _formats("--fix", verb="check")),
    "gofmt": _formats("-w"), "goimports": _formats("-w"), "gofumpt": _formats("-w"),
    "rustfmt": _formats(), "clang-format": _formats("-i"), "shfmt": _formats("-w"),
    "biome": _either(
        *(_formats("--write", "--apply", verb=v) for v in ("format", "check", "lint"))
    ),
    "rubocop": _formats("-a", "-A", "--autocorrect", "--autocorrect-all"),
    "dart": _formats(verb="format"), "mix": _formats(verb="format"),
    "terraform": _formats(verb="fmt"), "tofu": _formats(verb="fmt"),
    "set-content": _windows("written"), "out-file": _windows("written"),
    "add-content": _windows("extended"), "clear-content": _windows("written"),
    "new-item": _windows("written"), "ni": _windows("written"),
    "remove-item": _windows("removed"), "ri": _windows("removed"),
    "del": _windows("removed"), "erase": _windows("removed"),
    "move-item": _windows("moved"), "mi": _windows("moved"), "move": _windows("moved"),
    "rename-item": _windows("moved"), "ren": _windows("moved"),
    "copy-item": _windows_copy,
    "copy": _windows_copy,
}  # fmt: skip
