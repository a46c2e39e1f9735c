"""What a command line does to files: written, edited, moved, removed, put back, committed.

Told from the line alone, so only where it names them: what a generator, a script or a
formatter of a whole directory changed is seen by the difference of two snapshots. Work on
another machine or in a container is not the project's, and a dry run does nothing.
"""

import re
from collections.abc import Iterator
from functools import lru_cache

from holdfast.domain.code import ShellChange
from holdfast.domain.session import Call
from holdfast.facts.commands.file_words import last_part
from holdfast.facts.commands.shell_words import (
    ShellCommand,
    is_around,
    moved_to,
    plain_word,
    shell_commands,
)
from holdfast.facts.commands.writing_programs import WINDOWS, changes_in, printed
from holdfast.kernel.lazy_patterns import pattern

# Most lines name no program that changes a file, and are not taken apart.
_MAY_CHANGE = pattern(
    r">|\b(?:tee|g?sed|perl|ruby|g?awk|mv|cp|rm|git|touch|patch|applypatch|apply_patch|ln"
    r"|install|unlink|truncate|dd|python[\d.]*|node|bun|deno|eval|prettier|eslint|black"
    r"|isort|ruff|gofmt|goimports|gofumpt|rustfmt|clang-format|shfmt|biome|stylelint"
    r"|rubocop|autopep8|yapf|dart|mix|terraform|tofu|del|erase|copy|move|ren|ni|ri|mi)\b"
    r"|-(?:Content|File|Item)\b"
)
_WRAPPERS = frozenset(
    [
        "sudo", "time", "nohup", "npx", "pnpx", "bunx", "uvx", "exec", "command", "nice",
        "stdbuf", "env", "builtin", "pnpm", "yarn", "poetry", "uv", "pipenv",
    ]
)  # fmt: skip
_RUNS_IT = frozenset(["run", "exec", "dlx", "x", "tool"])
_SHELLS = frozenset(["bash", "sh", "zsh", "dash", "eval"])
_MOST_DEEP = 3  # shells that run shells
_SAYS_NOT = pattern(
    r"No such file|not found|cannot|can't|denied|Read-only|Not a directory|Is a directory"
)
_COMMITS = ("staged", "committed")
_OTHER_REPOSITORY = pattern(r"\bgit (?:init|clone|worktree)\b|\bmktemp\b")
_HAS_COMMITTED = pattern(r"^\[[^\]\n]+ [0-9a-f]{7,}\]", re.MULTILINE)


def changes_by(call: Call, cwd: str) -> tuple[ShellChange, ...]:
    """Return what a call has done to files, as far as its line and its result tell.

    Of one that failed, what stands before its last command is done: mostly that is the
    one that failed. What stands behind `||` is not known.
    """
    if call.role != "run" or call.outcome not in ("ok", "failed"):
        return ()
    is_proven = "git" in call.target and _has_committed(call)
    found = _changes(call.target, cwd, call.place, is_proven)
    if not found:
        return ()
    refused = call.output if _SAYS_NOT.search(call.output) else ""
    return tuple(
        change
        for change, is_sure, is_last in found
        if is_sure
        and not (is_last and call.outcome == "failed")
        and not _is_refused(change, refused)
    )


def changes_of(command: str, cwd: str = "") -> tuple[ShellChange, ...]:
    """Return what a command line does to files if all of it goes well."""
    return tuple(change for change, _, _ in _changes(command, cwd, ""))


def commands_in(command: str, cwd: str = "") -> tuple[ShellCommand, ...]:
    """Return the commands of a line as they are run, with what each is given to read."""
    return tuple(_commands(command, cwd, "", 0))


def _has_committed(call: Call) -> bool:
    """Say whether git told of a commit, in a repository that was not made for the try."""
    is_told = "] " in call.output and _HAS_COMMITTED.search(call.output)
    return bool(is_told) and not _OTHER_REPOSITORY.search(call.target)


def _is_refused(change: ShellChange, refused: str) -> bool:
    names = (last_part(path) for path in (change.path, change.source) if path)
    return any(name in refused for name in names)


@lru_cache(maxsize=4096)  # every pass asks
def _changes(
    command: str,
    cwd: str,
    place: str,
    is_proven: bool = False,  # noqa: FBT001, FBT002  # a cache knows places only
) -> tuple[tuple[ShellChange, bool, bool], ...]:
    """Return each change, whether it surely happens, and whether by the last command."""
    if not _MAY_CHANGE.search(command):
        return ()
    return tuple(
        (change, one.before != "||", one.is_last)
        for one in _commands(command, cwd, place, 0)
        for change in _resolved(one, cwd, is_proven=is_proven)
    )


def _commands(line: str, cwd: str, place: str, depth: int) -> Iterator[ShellCommand]:
    """Yield the commands of a line, and of lines that it gives to a shell."""
    before: ShellCommand | None = None
    is_windows = WINDOWS.search(line) is not None
    for found in shell_commands(line, cwd, place, is_windows=is_windows):
        one = found._replace(words=_unwrapped(found.words))
        if one.before == "|" and one.body is None and before is not None:
            one = one._replace(body=printed(before))
        before = one
        inner = _inner(one) if depth < _MOST_DEEP else ""
        yield one._replace(words=()) if inner else one
        if inner and one.place is not None:
            for step in _commands(inner, cwd, one.place, depth + 1):
                yield step._replace(is_last=step.is_last and one.is_last)


def _unwrapped(words: tuple[str, ...]) -> tuple[str, ...]:
    """Return a command without what only says how it is run."""
    while words:
        if words[0] in ("timeout", "gtimeout"):
            words = words[2:]
        elif words[0] not in _WRAPPERS:
            break
        else:
            words = words[1:]
            while words and (words[0].startswith("-") or "=" in words[0]):
                words = words[1:]
            words = words[1:] if words and words[0] in _RUNS_IT else words
    return words


def _inner(one: ShellCommand) -> str:
    """Return the line that a command gives to a shell."""
    if not one.words or last_part(one.words[0]) not in _SHELLS:
        return ""
    if one.words[0] == "eval":
        return " ".join(map(plain_word, one.words[1:]))
    for place, word in enumerate(one.words[1:-1], 1):
        if word.startswith("-") and word.endswith("c"):
            return plain_word(one.words[place + 1])
    has_script = any(not word.startswith("-") for word in one.words[1:])
    return "" if has_script else one.body or ""


def _resolved(one: ShellCommand, cwd: str, *, is_proven: bool) -> Iterator[ShellChange]:
    """Yield the changes of one command, their paths seen from the session's directory.
    Where a commit was made may not be known; that it was is proven by what git said."""
    place = one.place
    if one.words[:2] == ("git", "-C"):
        place = moved_to(place, "".join(one.words[2:3]), cwd)
    for change in changes_in(one):
        path = moved_to(place, change.path, cwd)
        if path is None and is_proven and not change.path and change.deed in _COMMITS:
            path = ""
        if path is None or (not path and change.path):
            continue
        if not change.path and path.startswith(("/", "~")):
            if not is_around(path, cwd):
                continue  # every file of another directory is none of the project's
            path = ""
        source = moved_to(place, change.source, cwd) if change.source else ""
        yield change._replace(
            path=plain_word(path) if change.path else "",
            source=plain_word(source or ""),
        )
