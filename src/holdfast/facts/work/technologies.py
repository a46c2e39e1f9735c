"""What a session worked with, and what holds it up: technologies by their files and
commands, and blockers, which only somebody else can take away."""

from collections import Counter
from collections.abc import Sequence

from holdfast.domain.checkpoint import FileRef, Item, is_open
from holdfast.domain.fact import Failure
from holdfast.facts.commands.runs import Ran
from holdfast.kernel.lazy_patterns import pattern

_MOST, _MOST_BLOCKERS = 10, 5
_BY_ENDING = {
    "py": "Python", "ipynb": "Jupyter", "ts": "TypeScript", "tsx": "React",
    "jsx": "React", "js": "JavaScript", "mjs": "JavaScript", "vue": "Vue",
    "svelte": "Svelte", "go": "Go", "rs": "Rust", "java": "Java", "kt": "Kotlin",
    "swift": "Swift", "rb": "Ruby", "php": "PHP", "cs": "C#", "c": "C", "h": "C",
    "cpp": "C++", "cc": "C++", "hpp": "C++", "scala": "Scala", "ex": "Elixir",
    "exs": "Elixir", "lua": "Lua", "dart": "Dart", "zig": "Zig", "sql": "SQL",
    "sh": "shell", "bash": "shell", "zsh": "shell", "tf": "Terraform", "nix": "Nix",
    "css": "CSS", "scss": "Sass", "html": "HTML", "proto": "Protocol Buffers",
    "graphql": "GraphQL",
}  # fmt: skip
_BY_NAME = {
    "dockerfile": "Docker", "docker-compose.yml": "Docker", "package.json": "npm",
    "cargo.toml": "Cargo", "go.mod": "Go", "pyproject.toml": "Python",
    "makefile": "make", "gemfile": "Bundler", "pom.xml": "Maven",
}  # fmt: skip
_BY_PROGRAM = {
    "pytest": "pytest", "ruff": "ruff", "mypy": "mypy", "uv": "uv", "pip": "pip",
    "poetry": "Poetry", "npm": "npm", "pnpm": "pnpm", "yarn": "Yarn", "bun": "Bun",
    "deno": "Deno", "node": "Node.js", "vitest": "Vitest", "jest": "Jest",
    "tsc": "TypeScript", "eslint": "ESLint", "cargo": "Cargo", "go": "Go",
    "docker": "Docker", "docker-compose": "Docker", "podman": "Podman",
    "kubectl": "Kubernetes", "helm": "Helm", "terraform": "Terraform",
    "ansible-playbook": "Ansible", "psql": "PostgreSQL", "sqlite3": "SQLite",
    "mysql": "MySQL", "redis-cli": "Redis", "make": "make", "cmake": "CMake",
    "gradle": "Gradle", "mvn": "Maven", "gh": "GitHub", "aws": "AWS",
    "gcloud": "Google Cloud", "az": "Azure", "rails": "Rails", "composer": "Composer",
    "dotnet": ".NET", "flutter": "Flutter", "playwright": "Playwright",
}  # fmt: skip
_PROGRAM = pattern(r"[\w.-]+")
# What no agent can mend: a right, a secret, room or a machine that is missing.
_FROM_OUTSIDE = pattern(
    r"permission denied|operation not permitted|password is required|authentication"
    r"|unauthori[sz]ed|forbidden|\b40[13]\b|not logged in|access denied|credential"
    r"|api key|token (?:has )?expired|rate limit|quota|\b429\b|no space left"
    r"|could not resolve host|connection refused|network is unreachable|billing"
)


def technologies_of(files: Sequence[FileRef], runs: Sequence[Ran]) -> tuple[str, ...]:
    """Return the languages and tools of a session, the most used first."""
    used: Counter[str] = Counter()
    for file in files:
        name = file.path.rpartition("/")[2].lower()
        ending = name.rpartition(".")[2] if "." in name else ""
        if found := _BY_NAME.get(name) or _BY_ENDING.get(ending):
            used[found] += 1 if file.change == "read" else 2
    for run in runs:
        words = (_PROGRAM.match(word) for word in run.shown.split()[:3])
        programs = (_BY_PROGRAM.get(word[0]) for word in words if word)
        if program := next(filter(None, programs), ""):
            used[program] += 1
    most_used = used.most_common()[:_MOST]  # with a number it would import `heapq`
    return tuple(name for name, _ in most_used)


def blockers_of(errors: Sequence[Item], questions: Sequence[Item]) -> tuple[Item, ...]:
    """Return what waits for somebody: failures that need a right, a secret, room or a
    machine, and the questions that nobody answered."""
    outside = [
        error
        for error in errors
        if is_open(error) and _FROM_OUTSIDE.search(_said(error).lower())
    ]
    return tuple(
        Item(held.text, held.source, held.evidence, held.excerpt, held.origin)
        for held in (*outside, *questions)
    )[:_MOST_BLOCKERS]


def _said(error: Item) -> str:
    return error.fact.line if isinstance(error.fact, Failure) else error.text
