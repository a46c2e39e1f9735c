"""Which shell commands matter, what they came to, and when two are the same.

Looking around (`ls`, `cat`, `grep`) says nothing to the next session; a test run, a
build, a commit or a server does. Of the same command the last run counts, and a failure
is never forgotten for a success of another.
"""

from collections.abc import Collection, Iterable, Sequence
from functools import lru_cache

from holdfast.analysis.command_kinds import COMMIT, INTERPRETERS, SUITES, kind_of
from holdfast.analysis.command_lines import (
    Segment,
    hidden_in,
    is_told_by_status,
    piped_in,
    segments_of,
)
from holdfast.analysis.result_lines import failure_line, success_line
from holdfast.analysis.telling import says_failure, says_success
from holdfast.domain.checkpoint import CommandRef
from holdfast.domain.session import Call
from holdfast.domain.text import one_line
from holdfast.patterns import pattern
from holdfast.values import dataclass, replace

__all__ = [
    "COMMAND_TOOLS", "SHELL_TOOLS", "SUITES", "Ran", "commands_of", "commit_subject", "exit_of",
    "has_failed", "kind_of", "runs_of", "shown_command", "steps_of", "telling_line",
]  # fmt: skip

COMMAND_TOOLS = frozenset(["Bash", "shell", "PowerShell", "local_shell"])
SHELL_TOOLS = COMMAND_TOOLS | {"BashOutput"}  # asks what a command printed since
_SHOWN = 140  # characters of a command in a brief
_MOST_SEGMENTS = 12
_TRIVIAL = frozenset(
    [
        "ls", "cat", "cd", "pwd", "echo", "head", "tail", "wc", "grep", "rg",
        "egrep", "find", "sleep", "which", "sed", "awk", "sort", "uniq", "mkdir",
        "rm", "cp", "mv", "touch", "true", "false", "export", "source", "test",
        "ps", "kill", "printf", "tree", "du", "df", "stat", "file", "xargs", "date",
        "env", "set", "unset", "for", "while", "if", "do", "done", "then", "else",
        "fi", "diff", "less", "more", "chmod", "chown", "tee", "tr", "cut", "jq",
        "type", "command", "whoami", "hostname", "basename", "dirname", "readlink",
        "realpath", "pushd", "popd", "exit", "open", "clear", "history", "alias",
        "hexdump", "xxd", "od", "strings", "column", "comm", "paste", "seq", "yes",
        "read", "wait", "break", "continue", "trap", "json.tool", "lsof", "pgrep", "pkill", "nl", "fold", "rev", "sha256sum",
        "md5sum",
    ]
)  # fmt: skip
# Subcommands that only look, by program.
_LOOKING = {
    "git": frozenset(
        [
            "status", "diff", "log", "show", "add", "branch", "rev-parse", "blame",
            "ls-files", "remote", "config", "describe", "reflog", "shortlog", "cat-file",
            "ls-tree", "for-each-ref", "merge-base", "rev-list", "name-rev", "grep",
            "symbolic-ref", "check-ignore", "help", "version",
        ]
    ),
    "gh": frozenset(["view", "diff", "list", "status", "checks", "search", "api"]),
    "go": frozenset(["doc", "env", "version", "list"]),
    "npm": frozenset(["ls", "list", "view", "outdated"]),
    "pip": frozenset(["list", "show", "freeze"]),
    "cargo": frozenset(["tree", "metadata"]),
    "docker": frozenset(["ps", "logs", "images", "inspect"]),
    "kubectl": frozenset(["get", "describe", "logs"]),
}  # fmt: skip
_LOOKING_TOGETHER = frozenset(
    [
        ("stash", "list"), ("stash", "show"), ("worktree", "list"), ("notes", "list"),
        ("submodule", "status"), ("bisect", "log"), ("compose", "ps"),
        ("compose", "logs"), ("container", "ls"), ("image", "ls"), ("rollout", "status"),
        ("rollout", "history"),
    ]
)  # fmt: skip
_WITHOUT_FILE = (["-c"], ["-e"], ["-"])
_WRAPPERS = frozenset(
    [
        "sudo", "time", "nohup", "npx", "pnpx", "bunx", "uvx", "exec", "env",
        "command", "nice", "stdbuf",
    ]
)  # fmt: skip
_ASSIGNMENT = pattern(r"^[A-Za-z_]\w*=")
_REDIRECT = pattern(r"\s*\d?&?>{1,2}\s*(?:&\d|/dev/null|\S+)|\s*<\s*/dev/null|\s&\s*$")
_SUBJECT = (
    pattern(r"<<-?\s*['\"]?\w+['\"]?\n\s*([^\n]+)"),
    pattern(r"-[a-z]*m\s*\"((?:\\.|[^\"\\\n$])+)"),
    pattern(r"-[a-z]*m\s*'([^'\n]+)"),
)
_WRITES_ELSEWHERE = pattern(r">\s*[^&\s>]")


@dataclass(frozen=True, slots=True)
class Ran:
    """One run of a command that matters."""

    key: str  # equal for two runs of the same command
    shown: str
    kind: str  # test, check, build, commit, server, git or run
    call: Call
    line: str  # what tells its result
    failed: bool
    hidden: frozenset[str]  # its steps of which it is not known whether they went well
    unsaid: frozenset[str]  # its steps that told of no failure, and of no success


def runs_of(calls: Iterable[Call]) -> tuple[Ran, ...]:
    """Return every run of a command that matters, in order."""
    found = []
    for call in calls:
        if call.tool in COMMAND_TOOLS and call.target and call.outcome != "interrupted":
            shown = shown_command(call.target)
            if shown:
                kind = kind_of(shown)
                failed = has_failed(call, kind)
                line = telling_line(call, failed=failed)
                parts = (frozenset(), frozenset()) if failed else _unknown(call, kind)
                found.append(Ran(_key(shown), shown, kind, call, line, failed, *parts))
    return tuple(found)


def commands_of(
    runs: Sequence[Ran], mended: Collection[str] = ()
) -> tuple[CommandRef, ...]:
    """Return the last run of each command, the one most likely wanted next first.

    Calls in `mended` failed, and another command went well with their work since: what
    they would come to now is not known. Of such a chain, its steps are told.
    """
    last: dict[str, Ran] = {}
    times: dict[str, int] = {}
    for run in (step for whole in runs for step in steps_of(whole)):
        last.pop(run.key, None)
        last[run.key] = run
        times[run.key] = times.get(run.key, 0) + 1
    newest = {run.key: place for place, run in enumerate(reversed(last.values()))}
    order = sorted(
        last.values(),
        key=lambda run: newest[run.key] - 4 * min(times[run.key], 4) - _BONUS[run.kind],
    )
    return tuple(
        CommandRef(run.shown, _exit(run), run.line, _line_of(run))
        if run.call.call_id not in mended
        else CommandRef(run.shown, None, "", run.call.uuid)
        for run in order
        if run.call.call_id not in mended or " && " not in run.shown
    )


def _line_of(run: Ran) -> str:
    """Return the line that holds what is told of a run: what it printed, or its call."""
    return (run.call.answer if run.line else "") or run.call.uuid


def steps_of(run: Ran) -> list[Ran]:
    """A chain that went well is its steps; which step of another failed is not known."""
    if run.failed or " && " not in run.shown or run.shown.endswith("…"):
        return [run]
    steps = run.shown.split(" && ")
    return [
        replace(
            run,
            key=_key(step),
            shown=step,
            kind=kind_of(step),
            line=run.line if step == steps[-1] else "",
            hidden=run.hidden & {step},
            unsaid=run.unsaid & {step},
        )
        for step in steps
    ]


# How many places a kind moves up: what is run again after a break is mostly a test.
_BONUS = {
    "test": 10, "check": 7, "build": 5, "commit": 4, "server": 4, "git": 2, "run": 0,
}  # fmt: skip


def has_failed(call: Call, kind: str) -> bool:
    """Say whether a run failed, even where a pipe (`make | tail`) hid its status."""
    if call.outcome != "ok":
        return call.outcome == "failed"
    segments = _segments(call)
    if kind == "git":
        is_heard = any("git" in one.text for one in piped_in(segments))
    else:
        is_known = call.exit_status == 0 and is_told_by_status(segments)
        is_heard = kind in SUITES and not is_known
    return is_heard and says_failure(call.output)


def exit_of(call: Call) -> int | None:
    """Return the exit status; a run that went well without saying so ended with 0."""
    if call.exit_status is not None:
        return call.exit_status
    return {"ok": 0, "failed": 1}.get(call.outcome)


def _exit(run: Ran) -> int | None:
    if run.hidden or run.unsaid:
        return None
    status = exit_of(run.call)
    return 1 if run.failed and status == 0 else status


@lru_cache(maxsize=4096)  # every pass asks, and sessions repeat themselves
def shown_command(command: str) -> str:
    """Return the part of a command line that does something, or nothing."""
    parts: dict[str, None] = {}
    for segment in segments_of(command):
        # The subject of a commit is told among the outcomes.
        is_commit = COMMIT.search(segment.text)
        if part := "git commit" if is_commit else _meaningful(segment.text):
            parts[part] = None
        if len(parts) >= _MOST_SEGMENTS:
            break
    return one_line(" && ".join(parts), _SHOWN)


def commit_subject(command: str) -> str:
    """Return the first line of the message a `git commit` was given."""
    for expression in _SUBJECT:
        if found := expression.search(command):
            return found[1].strip()
    return ""


def telling_line(call: Call, *, failed: bool) -> str:
    """Return the one line of the output that says how it went."""
    return failure_line(call.output) if failed else success_line(call.output)


def _unknown(call: Call, kind: str) -> tuple[frozenset[str], frozenset[str]]:
    """Return the steps of a run that neither its status nor its output tells of, and
    those that spoke behind a pipe, but only of other things."""
    segments = _segments(call)
    if _is_under_way(call):
        return _meaningful_in(segments), frozenset()
    is_told = kind in SUITES and says_success(call.output)
    if kind == "commit" or is_told:
        return frozenset(), frozenset()
    hidden = _meaningful_in(hidden_in(segments))
    piped = frozenset[str]() if kind == "git" else _meaningful_in(piped_in(segments))
    if kind in SUITES:  # a compiler or linter says nothing unless something is wrong
        is_silent = not call.output and not _WRITES_ELSEWHERE.search(call.target)
        is_well = is_silent and kind != "test"
        return hidden if is_well else hidden | piped, frozenset()
    return hidden, frozenset() if says_success(call.output) else piped


def _meaningful_in(segments: Iterable[Segment]) -> frozenset[str]:
    return frozenset(part for one in segments if (part := _meaningful(one.text)))


def _segments(call: Call) -> tuple[Segment, ...]:
    return tuple(segments_of(call.target.strip()))


def _is_under_way(call: Call) -> bool:
    """Say whether a call was started only: no result, or none of what it left running."""
    is_left_running = call.background or bool(call.reference)
    return call.outcome == "pending" or (is_left_running and call.exit_status is None)


def _meaningful(segment: str) -> str:
    """Return a segment without wrapping and redirection, or nothing if it only looks."""
    words = _REDIRECT.sub("", segment).strip(" \t()&{}!").split()
    while words and (_ASSIGNMENT.match(words[0]) or words[0] in _WRAPPERS):
        if "$(" in words[0]:  # the rest is what the variable gets
            return ""
        words.pop(0)
    if words and words[0] in ("timeout", "gtimeout"):
        words = words[2:]
    program = words[0].rsplit("/", 1)[-1] if words else ""
    only_looks = (
        program in _TRIVIAL
        or not program[:1].isalpha()
        or (program in _LOOKING and _only_looks(program, words[1:]))
        or (program in INTERPRETERS and words[1:2] in _WITHOUT_FILE)
        or words[1:3] == ["-m", "json.tool"]
    )
    return "" if only_looks else " ".join(words)


def _only_looks(program: str, words: list[str]) -> bool:
    rest = list(words)
    looking = _LOOKING[program]
    while rest and rest[0].startswith("-"):
        has_value = "=" not in rest[0] and rest[2:] and rest[1] not in looking
        rest = rest[2:] if has_value else rest[1:]
    if tuple(rest[:2]) in _LOOKING_TOGETHER:
        return True
    verbs = rest[1:2] if program == "gh" and rest[:1] != ["api"] else rest[:1]
    return not verbs or verbs[0] in looking


def _key(shown: str) -> str:
    """Two runs are the same if only flags that change the report differ."""
    words = [
        word
        for word in shown.split()
        if word not in ("-v", "-q", "-s", "-x", "--verbose", "--quiet", "-count=1")
    ]
    return " ".join(words)
