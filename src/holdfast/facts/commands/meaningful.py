"""Which commands of a line do something: looking around (`ls`, `cat`, `grep`) says nothing
to the next session, and speaking to this tool is no work."""

import re
from collections.abc import Sequence

from holdfast.domain.event import SHELL
from holdfast.domain.session import Call
from holdfast.facts.commands.carriers import carried
from holdfast.facts.commands.command_kinds import INTERPRETERS
from holdfast.facts.commands.lines import segments_of
from holdfast.kernel.lazy_patterns import pattern

_TRIVIAL = frozenset(
    [
        "ls", "dir", "cat", "cd", "pwd", "echo", "head", "tail", "wc", "grep", "rg",
        "egrep", "find", "sleep", "which", "sed", "awk", "sort", "uniq", "mkdir",
        "rm", "cp", "mv", "touch", "true", "false", "export", "source", "test",
        "ps", "kill", "printf", "tree", "du", "df", "stat", "file", "xargs", "date",
        "env", "set", "unset", "for", "while", "if", "do", "done", "then", "else",
        "fi", "diff", "less", "more", "chmod", "chown", "tee", "tr", "cut", "jq",
        "type", "command", "whoami", "hostname", "basename", "dirname", "readlink",
        "realpath", "pushd", "popd", "exit", "open", "clear", "history", "alias",
        "hexdump", "xxd", "od", "strings", "column", "comm", "paste", "seq", "yes",
        "read", "wait", "break", "continue", "trap", "json.tool", "lsof", "pgrep", "pkill", "nl", "fold", "rev", "sha256sum",
        "md5sum", "fd", "man",
        # What a machine, a network or its processes look like.
        "ss", "netstat", "ping", "dig", "nslookup", "host", "top", "htop", "free", "uptime", "uname", "id",
        "lscpu", "nvidia-smi", "vmstat", "iostat",
        # The same where Windows names them.
        "findstr", "where", "tasklist", "taskkill", "ipconfig", "systeminfo", "ver", "copy", "move", "del", "rd", "md",
        "foreach", "elseif", "try", "catch", "finally", "switch", "param", "function", "return", "throw",
    ]
)  # fmt: skip

# What PowerShell's names say by themselves: a verb that only looks, or what only stands
# for files, places and values.
_CMDLET = pattern(
    r"(?:Get|Select|Where|Sort|Format|Out|Measure|Test|Write|Read|Resolve|Compare|ConvertTo|ConvertFrom|Split|Join|ForEach|Group|Find|Show)-[A-Z]"
    r"|[A-Z][a-z]+-(?:Item|ItemProperty|Content|Location|Object|Variable|String|Host|Sleep|Expression)\b"
)
_OTHER_SHELL = pattern(
    r"(?:\S*[\\/])?(?:powershell|pwsh|cmd)(?:\.exe)?\s+(?:-(?!c)\w+\s+(?:\w+\s+)?)*(?:-c(?:ommand)?|/c)\s+(.*)$",
    re.IGNORECASE | re.DOTALL,
)
_CALLED_BY_PATH = pattern(r"\s*&\s*['\"]")  # as PowerShell calls it

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
    "systemctl": frozenset(["status", "show", "cat", "is-active", "is-enabled", "list-units"]),
    "uv": frozenset(["tree"]),
}  # fmt: skip
_LOOKING_TOGETHER = frozenset(
    [
        ("stash", "list"), ("stash", "show"), ("worktree", "list"), ("notes", "list"),
        ("submodule", "status"), ("bisect", "log"), ("compose", "ps"),
        ("compose", "logs"), ("container", "ls"), ("image", "ls"),
        ("network", "ls"), ("volume", "ls"), ("rollout", "status"),
        ("rollout", "history"), ("pip", "list"), ("pip", "show"), ("pip", "freeze"),
    ]
)  # fmt: skip
_WITHOUT_FILE = (["-c"], ["-e"], ["-"])
# Not told with a command; who finds it or by whose right it runs is (`carriers`).
_WRAPPERS = frozenset(
    ["time", "nohup", "exec", "env", "command", "nice", "stdbuf"]
)  # fmt: skip
_ASSIGNMENT = pattern(r"^[A-Za-z_]\w*=")
_ASSIGNED = pattern(r"[A-Za-z_]\w*=((?:\"(?:\\.|[^\"\\])*\"|'[^']*'|\\.|[^\s\"'])*)\s*")
_REDIRECT = pattern(r"\s*\d?&?>{1,2}\s*(?:&\d|/dev/null|\S+)|\s*<\s*/dev/null|\s&\s*$")
# This tool itself, and its tools and skills.
_OURS = "holdfast"
_OWN_PROGRAM = pattern(r"(?:\S*/)?holdfast(?:-hook)?|\$\{?HOLDFAST\b\S*")
_OWN_MODULE = pattern(r"holdfast(?:\.\S+)?")
_OWN_NAME = pattern(r"(?:^|_|/)holdfast(?:__|_|:|$)")
_SPACED_PATH = pattern(r"(?:'[^']*/holdfast'|\"[^\"]*/holdfast\")(?:\s|$)")
_SUBSTITUTION = pattern(r"\$\(|`")
# What may stand before a program without being the one that works.
_CARRIERS = _WRAPPERS | frozenset(
    [
        "timeout", "gtimeout", "watch", "xargs", "uv", "run", "pipx", "poetry", "pdm",
        "hatch", "rye", "sudo", "npx", "pnpx", "bunx", "uvx", "if", "while", "until", "then", "do", "else", "bash", "sh", "zsh",
    ]
)  # fmt: skip
_PYTHON = pattern(r"(?:\S*/)?python[\d.]*")
_TAKES_VALUE = frozenset(
    ["-n", "-u", "-k", "-s", "-i", "--with", "--from", "--project"]
)


def is_own(call: Call) -> bool:
    """Say whether a call only speaks to this tool: that is no work."""
    if call.role in SHELL:
        return _OURS in call.target.lower() and any(
            is_own_command(one.text) for one in segments_of(call.target)
        )
    named = call.tool if call.role == "server" else call.target
    return call.role in ("server", "skill") and _OWN_NAME.search(named) is not None


def is_own_command(segment: str) -> bool:
    """Say whether a command starts this tool, whatever carries it: `uv run holdfast`."""
    if _OURS not in segment.lower():
        return False
    bare = _bare(_SUBSTITUTION.sub(" ", segment))
    if _SPACED_PATH.match(bare):
        return True
    before = ""
    for word in (quoted.strip("\"'") for quoted in bare.split()):
        named = _OWN_MODULE if before == "-m" else _OWN_PROGRAM
        if named.fullmatch(word) or before == "-m" or not _carries(word, before):
            return named.fullmatch(word) is not None
        before = word
    return False


def _carries(word: str, before: str) -> bool:
    return (
        word[:1].isdigit()
        or word.startswith("-")
        or before in _TAKES_VALUE
        or word.rpartition("/")[2] in _CARRIERS
        or _ASSIGNMENT.match(word) is not None
        or _PYTHON.fullmatch(word) is not None
    )


def _bare(segment: str) -> str:
    flat = " ".join(segment.split())  # a long run of blanks is asked at each of them
    bare = _REDIRECT.sub("", flat).strip(" &{}!").lstrip("( ")
    while bare.endswith(")") and bare.count(")") > bare.count("("):
        bare = bare[:-1].rstrip(" &{}!")
    return bare


def meaningful(segment: str) -> str:
    """Return a segment without wrapping and redirection, or nothing if it only looks."""
    told = _unwrapped(_bare(segment)).split()
    words = carried(told)
    program = words[0].rsplit("/", 1)[-1] if words else ""
    only_looks = (
        program in _TRIVIAL
        or _CMDLET.match(program)
        or _only_looks_elsewhere(" ".join(told))
        or is_own_command(segment)
        or not program[:1].isalpha()
        or (program in _LOOKING and _only_looks(program, words[1:]))
        or (program in INTERPRETERS and list(words[1:2]) in _WITHOUT_FILE)
        or list(words[1:3]) == ["-m", "json.tool"]
    )
    return "" if only_looks else " ".join(told)


def _only_looks_elsewhere(command: str) -> bool:
    """Say whether a command gives another shell nothing to do but to look."""
    if not (given := _OTHER_SHELL.match(command)):
        return False
    line = given[1].strip().strip("\"'")
    steps = [one.text for one in segments_of(line)]
    return not any(meaningful(step) or _CALLED_BY_PATH.match(step) for step in steps)


def _unwrapped(command: str) -> str:
    """Return a command without the variables that are set for it, and what only says
    how it is run."""
    while command:
        first, _, rest = command.partition(" ")
        if assigned := _ASSIGNED.match(command):
            if assigned[1].startswith(("$(", "`")):  # what runs is for the variable
                return ""
            command = command[assigned.end() :]
        elif first in ("timeout", "gtimeout"):
            command = rest.partition(" ")[2]
        elif first in _WRAPPERS:
            command = rest
        else:
            break
    return command


def _only_looks(program: str, words: Sequence[str]) -> bool:
    rest = list(words)
    looking = _LOOKING[program]
    while rest and rest[0].startswith("-"):
        has_value = "=" not in rest[0] and rest[2:] and rest[1] not in looking
        rest = rest[2:] if has_value else rest[1:]
    if tuple(rest[:2]) in _LOOKING_TOGETHER:
        return True
    verbs = rest[1:2] if program == "gh" and rest[:1] != ["api"] else rest[:1]
    return not verbs or verbs[0] in looking
