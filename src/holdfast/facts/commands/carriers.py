"""What stands before a program and is not the one that works: who finds it (`uv run`,
`npx`), by whose right it runs (`sudo`), and the container it runs in. A command is told
with it, so that it can be run again; two commands are compared without it."""

from collections.abc import Sequence

from holdfast.kernel.lazy_patterns import pattern

_FINDS_PROGRAM = pattern(
    r"^(?:(?:conda|mamba|micromamba)\s+run\s+(?:-{1,2}[\w-]+\s+(?:[\w./-]+\s+)?){0,4}"
    r"|(?:uv|poetry|pipenv|pdm|rye|hatch)\s+run\s+|bundle\s+exec\s+"
    r"|(?:pnpm|npm|yarn)\s+exec\s+(?:--\s+)?"
    r"|[\w./~-]*(?:venv|env)/(?:bin|Scripts)/)"
)
# Told with a command, with their options that take a value.
_KEPT = {
    "sudo": frozenset(["-u", "-g", "-h", "-p", "-C", "-D", "-R", "-T", "-U"]),
    "npx": frozenset(["-p", "--package"]),
    "pnpx": frozenset(["-p", "--package"]),
    "bunx": frozenset(["-p", "--package"]),
    "uvx": frozenset(["--from", "--with", "-p", "--python"]),
}
_CONTAINERS = frozenset(
    ["docker", "podman", "nerdctl", "kubectl", "oc", "docker-compose", "podman-compose"]
)
_OF_CONTAINERS = frozenset(["compose", "container", "pod"])  # before `exec`
# Options of `exec` that take a value.
_VALUED = frozenset(
    [
        "-w", "--workdir", "-u", "--user", "-e", "--env", "--env-file", "--detach-keys",
        "-n", "--namespace", "-c", "--container", "--context", "--index", "-f", "--file",
        "--project-name",
    ]
)  # fmt: skip


def carried(words: Sequence[str]) -> Sequence[str]:
    """Return the words of a command without who runs it: `sudo -E npx tsc` is `tsc`."""
    while words and (takes := _KEPT.get(words[0])) is not None:
        words = _behind_options(words[1:], takes)
    return words


def bare_program(command: str) -> str:
    """Return a command as it is compared: without who finds it or runs it, and where."""
    words = carried(command.split())
    inside = _in_container(words)
    return _FINDS_PROGRAM.sub("", " ".join(inside or words))


def is_in_container(command: str) -> bool:
    """Say whether a command runs in a container, whose paths are its own."""
    return " exec " in command and bool(_in_container(carried(command.split())))


def _in_container(words: Sequence[str]) -> Sequence[str]:
    """Return the words of the command that a container is given, or nothing."""
    if len(words) <= 2 or words[0].rpartition("/")[2] not in _CONTAINERS:  # noqa: PLR2004  # the program, its verb, the container
        return ()
    rest = _behind_options(words[1:], _VALUED)
    if rest and rest[0] in _OF_CONTAINERS:
        rest = _behind_options(rest[1:], _VALUED)
    if rest[:1] != ["exec"]:
        return ()
    named = _behind_options(rest[1:], _VALUED)  # the container, perhaps more options
    inside = _behind_options(named[1:], _VALUED)
    return inside[1:] if inside[:1] == ["--"] else inside


def _behind_options(words: Sequence[str], takes_value: frozenset[str]) -> Sequence[str]:
    """Return words from the first that is no option, and no value of one."""
    at = 0
    while at < len(words) and words[at].startswith("-") and words[at] != "--":
        at += 2 if words[at] in takes_value else 1
    return words[at:]
