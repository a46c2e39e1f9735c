"""What a command is for: to test, check, build, serve or commit.

A program that does one thing is known by its name, or by how such names end; one that
runs tasks is known, and the task tells what for. A task may be called `test:unit`,
`testDebugUnitTest` or `type-check`: the parts of its name count.
"""

from collections.abc import Iterator
from functools import lru_cache

from holdfast.facts.commands.carriers import carried
from holdfast.kernel.lazy_patterns import pattern

COMMIT = pattern(r"\bgit\b[^|;&\n]*\bcommit\b")
SUITES = frozenset(["test", "check", "build"])  # judged by what they print, too
INTERPRETERS = frozenset(
    ["python", "python3", "node", "ruby", "perl", "bash", "sh", "zsh"]
)
_FIRST = ("test", "check", "server", "build")  # which of a command's kinds counts
_MAKES = (
    "build", "compile", "package", "bundle", "migrate", "install", "deploy", "generate",
)  # fmt: skip
_BY_TOOL = {
    tool: kind
    for kind, tools in {
        "test": (
            "tox", "nox", "jest", "vitest", "mocha", "bats", "cypress", "karma", "ava",
            "wdio", "pest", "gotestsum", "nextest", "nosetests",
        ),
        "check": (
            "ruff", "mypy", "pyright", "basedpyright", "flake8", "prettier", "tsc",
            "vue-tsc", "clippy", "gofmt", "rubocop", "pre-commit", "phpstan", "psalm",
            "php-cs-fixer", "detekt", "credo", "bandit", "kubeconform", "golangci-lint",
        ),
        "server": ("uvicorn", "gunicorn", "nodemon", "http.server", "runserver", "serve"),
        "build": (
            "webpack", "vite", "rollup", "cmake", "ninja", "gcc", "g++", "clang",
            "clang++", "msbuild", "devenv", "javac", "rustc", "latexmk", "make", "gmake", "xcodebuild",
            *_MAKES,
        ),
    }.items()
    for tool in tools
}  # fmt: skip
_NAMED_FOR_TESTS = pattern(r"(?:py|c|unit|e)test$|(?:^r|[a-z]-)spec$|[a-z]unit$")
_NAMED_FOR_CHECKS = pattern(r"lint(?:$|[-_:])|[a-z-](?:check|tidy)$")
_RUNNERS = frozenset(
    [
        "go", "cargo", "npm", "pnpm", "yarn", "bun", "deno", "make", "gmake", "mix",
        "dotnet", "mvn", "mvnw", "gradle", "gradlew", "swift", "mise", "just", "task",
        "rake", "sbt", "bazel", "turbo", "nx", "artisan", "flutter", "dart", "zig",
        "xcodebuild", "lein", "stack", "cabal", "manage.py", "rails", "dbt", "composer",
        "hatch", "pdm", "poe", "uv", "poetry", "invoke", "lerna", "moon", "molecule",
        "meson", "terraform", "tofu", "forge", "hardhat", "biome", "nix", "ty", "helm",
        "next", "playwright", "mill", "rebar3", "dune", "bundle", "mkdocs", "hugo",
    ]
)  # fmt: skip
_BY_TASK = {
    task: kind
    for kind, tasks in {
        "test": ("test", "tests", "spec", "specs", "nextest", "verify"),
        "check": (
            "check", "lint", "typecheck", "validate", "vet", "fmt", "analyze", "analyse",
        ),
        "server": ("dev", "start", "serve", "server"),
        "build": (*_MAKES, "assemble", "uberjar", "publish"),
    }.items()
    for task in tasks
}  # fmt: skip
# What two words say together.
_BY_PAIR = {
    ("npm", "t"): "test", ("rails", "s"): "server", ("flask", "run"): "server",
    ("flutter", "run"): "server", ("streamlit", "run"): "server", ("compose", "up"): "server",
    ("docker-compose", "up"): "server", ("terraform", "plan"): "check",
    ("tofu", "plan"): "check", ("terraform", "apply"): "build",
    ("tofu", "apply"): "build", ("terraform", "init"): "build", ("pulumi", "up"): "build",
    ("dbt", "run"): "build", ("alembic", "upgrade"): "build", ("npm", "audit"): "check",
}  # fmt: skip
_BY_OPTION = {
    "--check": "check", "--syntax-check": "check", "--check-formatted": "check",
    "--dry-run": "check", "--test": "test",
}  # fmt: skip
_ONLY_WHOLE = frozenset(["dev", "start"])  # `build:dev` builds
_FETCHES = frozenset(["install", "add", "i", "get"])  # what follows is no task
_PART = pattern(r"[a-z]+|[A-Z][a-z]*|[A-Z]+")
_PATH = pattern(r"/|\.(?!py$|server$)")


@lru_cache(maxsize=4096)  # every pass asks, and sessions repeat themselves
def kind_of(shown: str) -> str:
    """Return what a command is for."""
    if COMMIT.search(shown):
        return "commit"
    steps = [words for part in shown.split(" && ") if (words := _words(part))]
    kinds = {kind for words in steps for kind in _kinds(words)}
    default = "git" if steps and steps[0][0] == "git" else "run"
    return next((kind for kind in _FIRST if kind in kinds), default)


def _words(step: str) -> list[str]:
    """Return the words of a step; where it runs says nothing."""
    words = [*carried(step.lstrip("(").split())]
    if words[:1] == ["cd"]:
        return []
    at = words.index("-C") if "-C" in words else len(words)
    return words[:at] + words[at + 2 :]


def _kinds(words: list[str]) -> Iterator[str]:
    """Yield what the words of one command say that it is for."""
    if words[0] == "git":
        return
    before, runs_tasks = "", False
    for place, quoted in enumerate(words):
        word = quoted.strip("\"'")
        if word.startswith("-"):
            yield from filter(None, [_BY_OPTION.get(word)])
            continue
        name = word.rsplit("/", 1)[-1]
        is_program = place == 0 or "/bin/" in word
        if is_program or not _PATH.search(word):
            yield from _by_name(before, name)
            yield from _by_task(word) if runs_tasks else ()
        if "\\" in word and word.endswith(
            ".exe"
        ):  # a program of Windows, by its whole path
            yield from _by_name("", word.rsplit("\\", 1)[-1].lower()[:-4])
        if is_program or before in INTERPRETERS:
            yield from _by_task(_script(word, name))
        if place and name in _FETCHES:
            return
        runs_tasks = runs_tasks or name in _RUNNERS
        before = name


def _script(word: str, name: str) -> str:
    """Return what a script is called; a program of the system is none."""
    return name.partition(".")[0] if "/" in word or "." in name else ""


def _by_name(before: str, name: str) -> Iterator[str]:
    if kind := _BY_PAIR.get((before, name)) or _BY_TOOL.get(name):
        yield kind
    elif _NAMED_FOR_TESTS.search(name):
        yield "test"
    elif _NAMED_FOR_CHECKS.search(name):
        yield "check"


def _by_task(name: str) -> Iterator[str]:
    for part in _PART.findall(name):
        kind = _BY_TASK.get(part.lower())
        if kind and (part == name or part not in _ONLY_WHOLE):
            yield kind
