"""Failures that leave nothing open: slips of the hand, looks that found nothing, and
programs that were tried out.

A mistyped command, an unknown flag, `python --version` where there is no Python, three
ways to open an archive of which the third works: none of them is work that broke. What
tests, checks and builds say is, and what a program of the project says of itself.
"""

import re

from holdfast.domain.event import Role
from holdfast.domain.session import Call
from holdfast.facts.commands.carriers import carried
from holdfast.facts.commands.command_kinds import SUITES, kind_of
from holdfast.facts.commands.result_lines import says_what
from holdfast.facts.commands.runs import Ran
from holdfast.kernel.lazy_patterns import pattern
from holdfast.session.key_line_words import PROGRAM_NOT_FOUND

_NOT_RUN = (126, 127)  # the shell's own: not to be executed, not found
# The shell's or the program's word that a command was written wrong.
_MISWRITTEN = pattern(
    r"syntax error (?:near|at|:)|parse error near|unexpected EOF while looking|unmatched ['\"]"
    r"|no matches found:|(?:bash|sh|zsh|fish)\b.*: (?:cd|pushd): |^(?:cd|pushd)[:\s].*(?:no such|not a dir)"
    r"|^\(eval\):(?:cd|pushd):\d+:|cannot access '/[a-z]{1,2}': "
    r"|bad (?:substitution|pattern|option)|event not found|ParserError|ParameterBindingException"
    r"|unknown (?:flag|option|command|shorthand|argument|subcommand)|unrecognized (?:option|argument|command)"
    r"|unrecognised (?:option|argument)|(?:invalid|illegal) option|no such (?:option|command|subcommand)"
    r"|is not a (?:\S+ )?command|missing script:|unexpected argument|can't open file|cannot find module '/"
    r"|the following arguments are required|^usage: |too (?:many|few) arguments|cannot find main module",
    re.IGNORECASE | re.MULTILINE,
)
# What only asks a program about itself.
_ASKS = frozenset(
    ["--version", "-version", "-V", "--help", "-h", "-help", "version", "help", "info", "show", "doctor"]
)  # fmt: skip
# What a program is asked to list, behind the words that say what of.
_LISTS = frozenset(["list", "ls", "status"])
_DEEPEST = 5  # words
_NAMED = frozenset(
    ["test", "check", "commit"]
)  # to these it is a name: `pytest -k list`
# Programs that look at something which others keep: a page, a port, a database.
_PROBES = frozenset(
    [
        "curl", "wget", "http", "ping", "nc", "netcat", "telnet", "dig", "nslookup", "host", "openssl",
        "redis-cli", "mongosh", "mongo", "where", "netstat", "ss", "tasklist", "osascript", "ssh", "scp", "rsync", "tmux", "nvidia-smi",
        "findstr", "select-string", "ffprobe", "exiftool", "pdftotext", "unzip", "tar", "7z", "xdg-open",
    ]
)  # fmt: skip
# Of these, what they are given to run.
_OTHER_SHELLS = frozenset(["powershell", "pwsh", "cmd"])
# Of git, what changes the history: the rest is tried again at once, or was not needed.
_GIT_WORK = pattern(
    r"\bgit\b(?: -\S+ \S+)* (?:push|pull|merge|rebase|commit|cherry-pick|revert|clone|am|apply)\b"
)
_CODE_ALONE = pattern(
    r"(?:^|[\s/])(?:py(?:thon)?[\d.]*(?:\.exe)?|node|ruby|perl|php|deno|bun|tsx|ts-node|Rscript|bash|sh|zsh)"
    r"\s(?:-\S+\s)*(?:-[cepr]|--eval|eval)(?:\s|$)|\brails runner\b|\bmanage\.py shell\b|^(?:psql|mysql)\s.*\s-[ce]\s"
)
# Whose failure says something about the work.
_TELL: frozenset[Role] = frozenset(["server", "agent"])
# Of the machine, not of the work: a target nobody wrote. A password that nobody can type
# holds the work up until somebody does.
_ENVIRONMENT = pattern(
    r"no rule to make target [^,\n]*$|no targets specified and no makefile found",
    re.IGNORECASE | re.MULTILINE,
)
_STOPPED = (130, 137, 143)  # by a signal: interrupted, killed, ended


def is_slip(call: Call, run: Ran) -> bool:
    """Say whether a failed run leaves nothing open."""
    if call.cause in ("refused", "stopped") or call.exit_status in _STOPPED:
        return True
    if _is_miswritten(call, run) or all(_asks(step.text) for step in run.steps):
        return True
    if run.kind in SUITES or run.kind == "commit":
        return False
    if run.kind == "git":
        return not any(_GIT_WORK.search(step.text) for step in run.steps)
    # A program that was tried out among others, or that does not say what is wrong.
    return len(run.steps) > 1 or not says_what(call.output)


def is_tool_slip(call: Call) -> bool:
    """Say whether the failure of a tool that is no shell leaves nothing open."""
    return call.role not in _TELL or bool(call.cause) or not call.output.strip()


def _is_miswritten(call: Call, run: Ran) -> bool:
    if call.exit_status in _NOT_RUN and run.kind not in SUITES:
        return True
    if _MISWRITTEN.search(run.line) or _ENVIRONMENT.search(run.line):
        return True
    missing = PROGRAM_NOT_FOUND.search(call.output)
    if missing is None:
        return False
    name = next(filter(None, missing.groups()), "")
    return run.kind not in SUITES or _has_word(call.target, name)


def _has_word(command: str, name: str) -> bool:
    """Say whether a program that is not there was named by the command itself, and not
    by a script that it runs."""
    base = name.replace("\\", "/").rpartition("/")[2]
    words = re.split(r"[\s;&|()'\"/=]+", command)
    return bool(base) and base in words


def _asks(step: str) -> bool:
    """Say whether a step only looks: asks a program, probes, or runs a line of code."""
    words = carried(step.split())
    program = words[0].replace("\\", "/").rsplit("/", 1)[-1].lower() if words else ""
    if program.removesuffix(".exe") in _OTHER_SHELLS:
        return kind_of(step) not in SUITES
    is_question = any(word in _ASKS for word in words[1:3])
    lists = not _LISTS.isdisjoint(words[1:_DEEPEST]) and kind_of(step) not in _NAMED
    is_question = is_question or lists
    return program in _PROBES or is_question or bool(_CODE_ALONE.search(step))
