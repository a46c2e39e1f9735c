"""When two calls are about the same work: by what a later success may be called that ends
a failure, and what must be looked at again before it does."""

from holdfast.domain.session import Call
from holdfast.facts.commands.command_kinds import INTERPRETERS, SUITES, kind_of
from holdfast.facts.commands.runs import Ran
from holdfast.facts.commands.suite_scopes import SuiteScope, apart, scope_of
from holdfast.facts.work.files import base_name
from holdfast.kernel.lazy_patterns import pattern

# What a package manager was given is there, whatever the flags were.
INSTALLS = pattern(
    r"(?:npm|pnpm|yarn|bun|pip3?|uv|poetry|cargo|go|brew|apt|apt-get|dnf|yum|apk|conda|gem|bundle|composer)"
    r" (?:install|i|ci|add|get|sync|update)\b"
)
_CHECKS_ONLY = frozenset(["--check", "--list-different", "-l"])
_PLACE = pattern(r" -C \S+")  # where a command runs, behind its key


def scopes_of(run: Ran) -> tuple[SuiteScope, ...]:
    """Return what must go well before a run that failed counts as mended; of a chain,
    each step, or each suite in it: nobody knows which one failed."""
    steps = run.key.split(" && ")
    suites = [step for step in steps if kind_of(step) in SUITES]
    return tuple(
        part for step in suites or steps for part in apart(scope_of_step(step))
    )


def scope_of_step(step: str) -> SuiteScope:
    kind = kind_of(step)
    return scope_of(step, kind) if kind in SUITES else SuiteScope(kind, step)


def names_of_success(what: str, call: Call, run: Ran | None) -> tuple[str, ...]:
    """Return what a later success may be called to end this trouble."""
    if run is None:
        # An issue that was not there was looked up by its right name; another file
        # that was edited mends nothing.
        is_of_server = call.role == "server"
        served = server_and_target(call)
        names = (f"={what}", f"~{call.tool}", *filter(None, [served]))
        return names if is_of_server else (f"={what}",)
    steps = what.split(" && ")
    if run.kind != "git":
        steps = [step for step in steps if INSTALLS.match(step)] or [what]
    programs = (f"~{program_of(step)}" for step in steps)
    writers = (f"!{_without_flags(step)}" for step in steps if _only_checks(step))
    return (f"={what}", anywhere(what), *programs, *writers)


def writer_of(key: str) -> str:
    """Return what a program is called that puts right what a check of it found:
    `ruff format` for `ruff format --check`."""
    is_check = kind_of(key) == "check" and not _only_checks(key)
    return f"!{_without_flags(key)}" if is_check else ""


def may_put_right(writer: str, check: str) -> bool:
    """Say whether a program that writes was given something that a check of it looked
    at: it is given what was found, which is a part or all of that."""
    written, looked_at = _places_of(writer), _places_of(check)
    return not (written and looked_at) or any(
        _is_within(one, other) or _is_within(other, one)
        for one in written
        for other in looked_at
    )


def _places_of(key: str) -> tuple[str, ...]:
    """Return what a program was given, none where that is everything."""
    program = _without_flags(key).split()
    words = [word for word in key.split() if not word.startswith("-")][len(program) :]
    places = [word.removeprefix("./").rstrip("/") for word in words]
    return () if {"", "."} & {*places} else tuple(places)


def _is_within(place: str, directory: str) -> bool:
    return place == directory or place.startswith(f"{directory}/")


def _only_checks(key: str) -> bool:
    return not _CHECKS_ONLY.isdisjoint(key.split())


def _without_flags(key: str) -> str:
    """Return a program, and its verb where a flag of it checks only."""
    words = [word for word in key.split() if not word.startswith("-")]
    return " ".join(words[: 2 if words[1:2] in (["format"], ["fmt"]) else 1])


def script_of(run: Ran) -> str:
    """Return the name of the script that a run is all about, or nothing."""
    words = [word for word in run.steps[0].text.split() if not word.startswith("-")]
    is_script = len(run.steps) == 1 and words[0].rpartition("/")[2] in INTERPRETERS
    named = words[1].strip("\"'").replace("\\", "/") if words[1:] else ""
    return base_name(named) if is_script else ""


def anywhere(key: str) -> str:
    """Return what a command is called wherever it runs: what failed here for want of the
    right place goes well in a container."""
    return f"*{_PLACE.sub('', key)}"


def server_and_target(call: Call) -> str:
    """Return what a server was asked about, by whichever of its tools."""
    server, _, _ = call.tool.rpartition("__")
    about = base_name(call.target).split()
    return f"@{server} {about[0]}" if server and about else ""


def program_of(key: str) -> str:
    return " ".join(key.split()[:2])


def operands_of(key: str, program: str) -> frozenset[str]:
    """Return what a program was given, by whatever flags; of a chain, in its steps."""
    steps = [step for step in key.split(" && ") if program_of(step) == program]
    words = " ".join(steps or [key]).split()
    return frozenset(word for word in words if not word.startswith("-"))


def tool_and_target(call: Call) -> str:
    return f"{call.tool} {base_name(call.target)}"
