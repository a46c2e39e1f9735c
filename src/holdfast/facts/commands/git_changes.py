"""What git's commands do to files: put them back, move, stage, commit, stash them."""

from collections.abc import Callable, Iterator, Sequence

from holdfast.domain.code import ShellChange
from holdfast.facts.commands.file_words import each, has_ending, moves_in, names_in
from holdfast.facts.commands.script_writes import patched
from holdfast.facts.commands.shell_words import ShellCommand

_WITH_VALUE = frozenset(["-C", "-c", "--git-dir", "--work-tree"])
_EVERYTHING = frozenset([".", ":/", "*"])
_ALL = frozenset(["-A", "--all", "-u", "--update"]) | _EVERYTHING
_SWITCHES = frozenset(["-b", "-B", "--orphan", "--detach", "--track", "-t"])
_Words = Sequence[str]


def changes_by_git(words: _Words, one: ShellCommand) -> Iterator[ShellChange]:
    """Yield what a git command does to files; `words` are those behind `git`."""
    rest = list(words)
    while rest and rest[0].startswith("-"):
        rest = rest[2:] if rest[0] in _WITH_VALUE else rest[1:]
    if not rest:
        return
    verb, *given = rest
    if verb in ("apply", "am"):
        yield from patched(one.body or "")
    elif (reads := _BY_VERB.get(verb)) and not _only_shows(verb, given):
        yield from reads(given)


def _only_shows(verb: str, words: _Words) -> bool:
    return "-n" in words and verb in ("rm", "mv", "add", "stage")


def _checkout(words: _Words) -> Iterator[ShellChange]:
    if "--" in words:
        yield from _restored(names_in(words[words.index("--") + 1 :]))
    elif _SWITCHES.isdisjoint(words):
        # Without `--`, what looks like a file is one.
        names = names_in(words)
        yield from _restored([n for n in names if n == "." or has_ending(n)])


def _restore(words: _Words) -> Iterator[ShellChange]:
    if not {"--staged", "-S"} & {*words} or {"--worktree", "-W"} & {*words}:
        yield from _restored(names_in(words, "s"))


def _restored(names: _Words) -> Iterator[ShellChange]:
    yield from each("restored", ("" if n in _EVERYTHING else n for n in names))


def _reset(words: _Words) -> Iterator[ShellChange]:
    if "--hard" in words:
        yield ShellChange("restored", "")


def _move(words: _Words) -> Iterator[ShellChange]:
    for source, to in moves_in(words):
        yield ShellChange("moved", to, source=source)


def _remove(words: _Words) -> Iterator[ShellChange]:
    if "--cached" not in words:
        yield from each("removed", names_in(words))


def _stash(words: _Words) -> Iterator[ShellChange]:
    if not words or words[0] in ("push", "save") or words[0].startswith("-"):
        at = words.index("--") + 1 if "--" in words else len(words)
        yield from each("stashed", names_in(words[at:]) or [""])
    elif words[0] in ("pop", "apply"):
        yield ShellChange("unstashed", "")


def _add(words: _Words) -> Iterator[ShellChange]:
    names = [""] if not _ALL.isdisjoint(words) else names_in(words)
    yield from each("staged", names)


def _commit(words: _Words) -> Iterator[ShellChange]:
    flags = "".join(w for w in words if w.startswith("-") and not w.startswith("--"))
    if "a" in flags or "--all" in words:
        yield ShellChange("staged", "")
    at = words.index("--") + 1 if "--" in words else len(words)
    yield from each("staged", names_in(words[at:]))
    yield ShellChange("committed", "")


_BY_VERB: dict[str, Callable[[_Words], Iterator[ShellChange]]] = {
    "mv": _move, "rm": _remove, "checkout": _checkout, "restore": _restore,
    "reset": _reset, "stash": _stash, "add": _add, "stage": _add, "commit": _commit,
}  # fmt: skip
