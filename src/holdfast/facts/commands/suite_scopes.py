"""Which part of a suite a command runs, and whether that is all another one ran.

`pytest tests/test_a.py` that goes well says nothing about `tests/test_b.py`; `pytest`
says something about both, `cargo test` about neither.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from fnmatch import fnmatchcase
from functools import lru_cache
from itertools import dropwhile, takewhile

from holdfast.kernel.lazy_patterns import pattern
from holdfast.kernel.lazy_tuples import NamedTuple

_WORD = pattern(r"(?:[^\s\"']|\"[^\"]*\"|'[^']*')+")
_FOR_ALL = pattern(r"[:_-](?:all|ci)$")  # `test:ci` runs all that `test` does
_ASSIGNED = pattern(r"^[A-Za-z_]\w*=")
# Programs that are nothing but a suite, wherever in a command they stand.
_RUNNERS = frozenset(
    [
        "pytest", "py.test", "unittest", "tox", "nox", "jest", "vitest", "mocha", "ava",
        "rspec", "phpunit", "pest", "ctest", "gotestsum", "bats", "playwright", "cypress",
        "ruff", "mypy", "pyright", "flake8", "pylint", "eslint", "prettier", "biome", "tsc",
        "golangci-lint", "gofmt", "shellcheck", "rubocop", "webpack", "vite", "rollup", "mvn", "gradle", "gradlew",
    ]
)  # fmt: skip
# Programs that do many things: the word behind them says which.
_WITH_VERB = frozenset(
    ["go", "cargo", "dotnet", "swift", "mix", "deno", "bun", "bazel", "sbt", "docker"]
)  # fmt: skip
# What runs whatever the project wrote down: one script, or any number of targets.
_SCRIPTS = frozenset(["npm", "pnpm", "yarn", "turbo", "nx", "lerna", "composer"])
_TARGETS = frozenset(["make", "just", "task", "mise", "rake", "pre-commit"])
_SAME = {"py.test": "pytest", "gotestsum": "go test", "gradlew": "gradle"}
# A linter that went well says nothing about types; `make check` does about both.
_TYPES = pattern(r"\b(?:mypy|pyright|tsc|type-?check|types)\b")
_CHECK = pattern(r"\bchecks?\b")
_PART_OF = {"lint": "check", "types": "check"}
_STARTS_SCRIPT = ("run", "run-script", "exec")
_VERBS = frozenset(
    ["run", "run-script", "exec", "test", "check", "format", "watch", "lint", "x"]
)
_WHOLE = {
    "test": frozenset(["test", "tests", "t"]),
    "lint": frozenset(["lint"]),
    "types": frozenset(["typecheck", "type-check", "types"]),
    "check": frozenset(["check", "checks"]),
    "build": frozenset(["build", "all", "compile"]),
}
# Goals, tasks and targets that choose no test.
_GOALS = frozenset(
    [
        "all", "build", "check", "clean", "compile", "fmt", "format", "install", "lint", "package", "test",
        "tests", "typecheck", "verify", "vet",
    ]
)  # fmt: skip
_EVERYTHING = frozenset([".", "./", "./...", "...", "//...", "--", ""])
# What an option does to a run: it chooses a name or a place, adds to what is run, or
# has a value that is none of these. What is not listed stands alone.
_OPTIONS: dict[str, str] = {
    **dict.fromkeys(
        [
            "-k", "-m", "-t", "-g", "-e", "-s", "-R", "-run", "--run", "--grep", "--filter",
            "--testNamePattern", "--test-name-pattern", "--testsuite", "--group", "--only", "--spec",
            "--project", "--test", "--bin", "--example", "--ignore", "--deselect", "--skip", "-skip",
            "--exclude", "-w", "--workspace", "--prefix", "-C",
        ],
        "name",
    ),
    **dict.fromkeys(["-p", "--package", "-pl", "--projects", "-Dtest", "--tests"], "place"),
    **dict.fromkeys(["-tags", "--tags", "--features"], "added"),
    **dict.fromkeys(["--lib", "--doc", "--bins", "--examples", "--benches"], "itself"),
    **dict.fromkeys(
        [
            "-n", "-o", "-c", "-W", "-j", "-l", "-f", "-E", "--tb", "--timeout", "--maxfail", "--config",
            "--rootdir", "--cov", "--cov-report", "--reporter", "--workers", "--maxWorkers", "--retries",
            "--jobs", "--test-threads", "--color", "--durations", "--target", "--profile", "--logger",
            "--configuration", "--verbosity", "-timeout", "-count", "-parallel", "-coverprofile",
            "--out-format", "--ext", "--max-warnings", "--parser", "--environment",
        ],
        "value",
    ),
}  # fmt: skip
_TO_ONE_RUNNER = {
    ("pytest", "-p"): "value",
    ("pytest", "-s"): "",
    ("vitest", "-w"): "",
    ("tsc", "-p"): "name",
    ("tsc", "-w"): "",
    ("gofmt", "-w"): "",
    ("gofmt", "-s"): "",
    ("cargo test", "--workspace"): "",
    ("cmake", "--target"): "name",
}
# Runners that take what they are given for a part of a path.
_BY_PART_OF_PATH = frozenset(["", "jest", "vitest", "bun test", "playwright", "mocha"])
_BY_NAME = frozenset(
    ["cargo test", "cargo nextest", "cmake"]
)  # what they are given is a name
_WITH_GOALS = frozenset(["mvn", "gradle"])
_BEHIND_PLACE = ("", "/", ":", "[", "#", ".")
_ALTERNATIVE = pattern(r"\||\s+or\s+")
_EXACTLY = "$"


class SuiteScope(NamedTuple):
    """What a run of a suite looked at; without places and names, at all of it."""

    kind: str
    runner: str  # empty: whatever the project wrote down
    places: tuple[str, ...] = ()  # files, directories, packages
    names: tuple[str, ...] = ()  # of tests, or of a script that runs a part
    added: frozenset[str] = frozenset()  # what is run besides: build tags, features


@lru_cache(maxsize=4096)
def scope_of(command: str, kind: str) -> SuiteScope:
    """Return what a command looks at that is no chain."""
    kind = _aspect(command) if kind == "check" else kind
    words = [word.strip("\"'") for word in _WORD.findall(command)]
    bases = [word.rsplit("/", 1)[-1] for word in words]
    for at, base in enumerate(bases):
        if base in _RUNNERS:
            rest, place = _placed(words[at + 1 :])
            scope = _scope(kind, _SAME.get(base, base), _but_verb(rest))
            return _seen_from_home(scope, place) if place else scope
    for at, base in enumerate(bases):
        if base in _WITH_VERB:
            verb = next((w for w in words[at + 1 :] if not w.startswith("-")), "")
            rest = [word for word in words[at + 1 :] if word != verb]
            if verb in ("run", "task"):
                return _written_down(kind, rest, has_many=False)
            return _scope(kind, f"{base} {verb}", rest)
        if base in _SCRIPTS or base in _TARGETS:
            return _written_down(kind, words[at + 1 :], has_many=base in _TARGETS)
    rest, place = _placed(words[1:])
    scope = _scope(kind, words[0] if words else "", rest)
    return _seen_from_home(scope, place) if place else scope


def _placed(words: list[str]) -> tuple[list[str], str]:
    """Return words without the directory that is told behind them, and that."""
    return (words[:-2], words[-1]) if words[-2:-1] == ["-C"] else (words, "")


def _seen_from_home(scope: SuiteScope, place: str) -> SuiteScope:
    """Return a scope whose places are seen from where the session began: `eslint a.ts`
    in `web` is `eslint web/a.ts`."""
    seen = (p if p.startswith("/") else f"{place}/{p}" for p in scope.places)
    return scope._replace(places=tuple(seen) or (place,))


def covers(ran: SuiteScope, failed: SuiteScope) -> bool:
    """Say whether one run looked at everything that the other one did."""
    return (
        ran.kind in (failed.kind, _PART_OF.get(failed.kind))
        and _may_cover(ran, failed)
        and _all_within(
            ran.places, failed.places, lambda a, b: _is_within(ran.runner, a, b)
        )
        and _all_within(ran.names, failed.names, _is_named)
    )


def apart(scope: SuiteScope) -> Iterator[SuiteScope]:
    """Yield a scope place by place: each may be seen to by a run of its own."""
    for place in scope.places:
        yield scope._replace(places=(place,))
    if not scope.places:
        yield scope


def _aspect(command: str) -> str:
    """Return what of the code a check is about: its types, all else, or both."""
    if _TYPES.search(command):
        return "types"
    program, _, target = command.partition(" ")
    is_project = program in _SCRIPTS or program in _TARGETS
    return "check" if is_project and _CHECK.search(target) else "lint"


def _may_cover(ran: SuiteScope, failed: SuiteScope) -> bool:
    """What the project wrote down may be run by any runner, and run any."""
    if ran.runner and failed.runner:
        return ran.runner == failed.runner and failed.added <= ran.added
    return ran.runner == failed.runner or not ran.names


def _all_within(
    chosen: Sequence[str], wanted: Sequence[str], within: Callable[[str, str], bool]
) -> bool:
    if not chosen:
        return True
    return bool(wanted) and all(
        any(within(part, whole) for part in chosen) for whole in wanted
    )


def _is_within(runner: str, part: str, whole: str) -> bool:
    """A directory holds what is below it; a package of Go only with `/...` behind it."""
    if part.endswith("/..."):
        base = part.removesuffix("...")
        return f"{whole.removesuffix('...').removesuffix('/')}/".startswith(base)
    if runner.startswith("go "):
        return part == whole
    if "*" in part:
        return fnmatchcase(whole, part)
    if runner in _BY_PART_OF_PATH and f"/{part}" in whole:
        whole = part + whole.partition(f"/{part}")[2]
    return whole.startswith(part) and whole.removeprefix(part)[:1] in _BEHIND_PLACE


def _is_named(part: str, whole: str) -> bool:
    """A pattern of tests may stand anywhere in a longer one."""
    return part == whole if part.endswith(_EXACTLY) else part in whole


def _but_verb(words: list[str]) -> list[str]:
    return words[1:] if words[:1] and words[0] in _VERBS else words


def _written_down(kind: str, words: Sequence[str], *, has_many: bool) -> SuiteScope:
    """Return the scope of a script or of targets that the project names."""
    scope = _scope(kind, "", [*dropwhile(_STARTS_SCRIPT.__contains__, words)])
    most = len(scope.places) if has_many else 1
    targets = [*takewhile(_is_target, scope.places[:most])]
    bare = {_FOR_ALL.sub("", target) for target in targets}
    is_whole = not targets or not _WHOLE[kind].isdisjoint(bare)
    parts = [t for t in targets if not (is_whole and _FOR_ALL.sub("", t) in _GOALS)]
    names = (*scope.names, *(target + _EXACTLY for target in parts))
    return scope._replace(places=scope.places[len(targets) :], names=names)


def _is_target(word: str) -> bool:
    return not ("/" in word or "." in word)


def _scope(kind: str, runner: str, words: Sequence[str]) -> SuiteScope:
    found: dict[str, dict[str, None]] = {"place": {}, "name": {}, "added": {}}
    for what, value in _choices(runner, words):
        found[what][value] = None
    places, names, added = (found[what] for what in ("place", "name", "added"))
    if runner.startswith("go ") and "./..." not in words:
        places = places or {".": None}  # without a package, the one it stands in
    return SuiteScope(kind, runner, tuple(places), tuple(names), frozenset(added))


def _choices(runner: str, words: Iterable[str]) -> Iterator[tuple[str, str]]:
    """Yield what the words behind a runner choose: a name, a place, or more to run."""
    rest = iter(words)
    for word in rest:
        option, given, value = word.partition("=")
        if not word.startswith("-"):
            what, value = _operand(runner, word)
        else:
            what = _TO_ONE_RUNNER.get((runner, option), _OPTIONS.get(option, ""))
            if what == "itself":
                what, value = "name", option
            elif what and not given:
                value = next(rest, "")
        if what in ("place", "name", "added"):
            yield from ((what, one) for one in _each(what, value))


def _operand(runner: str, word: str) -> tuple[str, str]:
    if word in _EVERYTHING or (runner in _WITH_GOALS and word in _GOALS):
        return "", ""
    is_name = runner in _BY_NAME or _ASSIGNED.match(word)
    return ("name" if is_name else "place"), word


def _each(what: str, value: str) -> Iterator[str]:
    """Yield what one value lists, in the form that it is compared in."""
    if what == "place":
        for place in value.split(","):
            bare = place.removeprefix("./").rstrip("/*")
            yield bare or place
    else:
        for name in _ALTERNATIVE.split(value):
            yield name.strip("^() ")
