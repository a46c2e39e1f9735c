"""Passwords that a command, a connection string or a password file gives by position.

`mysql -p…`, `sshpass -p …`, `docker login -p …`, `redis-cli -a …`, `echo … | sudo -S`,
`["curl", "-u", "ada:…"]`, `user:…@tcp(…)`, `host:5432:db:user:…`.
"""

import re
from collections.abc import Callable, Iterator

from holdfast.kernel.lazy_patterns import pattern
from holdfast.redaction.values import is_password, is_placeholder, is_random

Span = tuple[int, int, str]  # start, end, kind
Look = Callable[[str, int], Iterator[Span]]

_FARTHEST = 256
_NEXT_COMMAND = "|;&"
_GIVEN = r"\\?[\"']?([^\s\"'`|;&\\]{4,256})"
_VALUE = pattern(_GIVEN)
_NEXT = r"\\?[\"'],[ \t]{0,4}"  # to the next of the words a program is called with
_SPACED = pattern(rf"(?:[ \t]{{1,4}}|{_NEXT}){_GIVEN}")
_EITHER = pattern(rf"(?:[ \t]{{0,4}}|{_NEXT}){_GIVEN}")
_USER = pattern(
    rf"(?:[ \t=]{{0,4}}|{_NEXT})\\?[\"']?(?!//)([^\s:\"'\\/]{{1,64}}):([^\s\"'\\]{{4,256}})"
)
# By option: words of which every command has one that it gives a password to (a search for
# them is cheap), the commands, and how the password stands behind it.
_OPTIONS = {
    "p": (
        (("mysql", "mariadb", "7z"), pattern(r"\b(?:mysql\w{0,6}|mariadb[\w\-]{0,6}|7z)[\s\"']"), _VALUE),
        (("mongo", "sshpass", "vncpasswd"), pattern(r"\b(?:mongo\w{0,8}|sshpass|vncpasswd)[\s\"']"), _EITHER),
        (("login",), pattern(r"[\s\"']login[\s\"']"), _SPACED),
        (("rar", "psexec", "twine", "useradd", "usermod", "cqlsh", "snowsql", "rdesktop", "ncftp"), pattern(r"\b(?:unrar|rar|psexec|twine|useradd|usermod|cqlsh|snowsql|rdesktop|ncftp\w{0,4})[\s\"']"), _EITHER),
        (("openssl",), pattern(r"\bopenssl\s"), pattern(rf"ass(?:in|out)?[ \t]{{1,4}}pass:{_GIVEN}")),
    ),
    "P": ((("zip", "sqlcmd", "ssh-keygen", "bcp", "ipmitool"), pattern(r"zip\s|\b(?:sqlcmd|ssh-keygen|bcp|ipmitool)\s"), _EITHER),),
    "N": ((("ssh-keygen",), pattern(r"\bssh-keygen\s"), _SPACED),),
    "a": (
        (("redis-cli",), pattern(r"\bredis-cli[\s\"']"), _SPACED),
        (("http",), pattern(r"\bhttps?[\s\"']"), _USER),
    ),
    "u": ((("curl",), pattern(r"\bcurl[\s\"']"), _USER),),
    "U": ((("curl",), pattern(r"\bcurl[\s\"']"), _USER),),
    "w": ((("ldap", "security add-"), pattern(r"\b(?:ldap\w{1,10}|security add-\w{1,10}-password)\s"), _EITHER),),
    "k": ((("openssl", "nuget"), pattern(r"\bopenssl\s|\bnuget\s"), _SPACED),),
}  # fmt: skip
_PIPED = pattern(
    r"\b(?:echo|printf)[ \t]{1,8}(?:-n[ \t]{1,8}|[\"']?%s(?:\\n)?[\"']?[ \t]{1,8})?"
    r"[\"']?([^\s\"'|]{4,256})[\"']?[ \t]{0,8}\|[^|]{0,200}$"
)
# By the words that come first: what a command takes without an option.
_TAKEN = {
    "vault login ": pattern(r"((?!-)[^\s\"'=]{8,256})"),
    "AUTH ": pattern(r"(?:[\w\-]{1,32}[ \t])?[\"']?([^\s\"']{4,256})"),
    "pass ": pattern(r"[\"']?([^\s\"']{4,256})"),
    "secret set ": pattern(
        r"[\w\-]{1,64}[ \t][^\n|;&]{0,80}?(?:--body|-b)[ =][\"']?([^\s\"']{4,256})"
    ),
    "from-literal=": pattern(r"[\"']?[\w.\-]{1,64}=[\"']?([^\s\"']{4,256})"),
    "htpasswd -": pattern(
        r"(?:(?=\w{0,4}n)\w{0,4}b\w{0,4}[ \t]{1,4}|\w{0,4}b\w{0,4}[ \t]{1,4}\S{1,128}[ \t]{1,4})"
        r"\S{1,64}[ \t]{1,4}[\"']?([^\s\"']{4,256})"
    ),
}
# Where such words are common, only what can be nothing else is taken.
_DOUBTED = ("AUTH ", "pass ", "vault login ")
_ORACLE = "jdbc:oracle:thin:"
_SHORTEST = 4
_IN_PGPASS = pattern(r":(?:5432|\*):[^\s:]{1,64}:[^\s:]{1,64}:([^\s:]{4,256})(?=\s|\Z)")


def look_at_option(text: str, index: int) -> Iterator[Span]:
    """Yield the password that the option at `index` gives to its command."""
    if text.endswith("sudo ", 0, index):
        yield from look_at_pipe(text, index - len("sudo "))
    elif text.endswith("htpasswd ", 0, index):
        yield from look_at_taken(text, index + 1)
    line = ""
    for words, command, form in _OPTIONS.get(text[index + 1 : index + 2], ()):
        hit = form.match(text, index + 2)
        if hit is None:
            continue
        line = line or _command(text, index)
        if not (any(word in line for word in words) and command.search(line)):
            continue
        start, end = hit.span(hit.re.groups)
        if _is_given(text[start:end]) and not (form is _USER and _is_plain(hit)):
            yield start, end, "password"
            return


def _is_plain(hit: re.Match[str]) -> bool:
    """Say whether `ada:…` is a group, a port or an example instead of a password."""
    return hit[2].isdigit() or hit[2] == hit[1]


def look_at_pipe(text: str, index: int) -> Iterator[Span]:
    """Yield the password that `echo` pipes into the command at `index`."""
    line = _line_before(text, index)
    hit = _PIPED.search(line)
    if hit and _is_given(hit[1]):
        user = len(hit[1].partition(":")[0]) + 1 if text[index] == "c" else 0
        start = index - len(line)
        yield start + hit.start(1) + user % len(hit[1]), start + hit.end(1), "password"


def look_at_taken(text: str, end: int) -> Iterator[Span]:
    """Yield the password that words which end here take without an option."""
    words = next((each for each in _TAKEN if text.endswith(each, 0, end)), "")
    index = end - len(words)
    hit = _TAKEN[words].match(text, end) if words else None
    if hit is None or not _is_given(hit[1]):
        return
    if words == "from-literal=" and " secret " not in _command(text, index):
        return
    value = hit[1]
    if words not in _DOUBTED or is_password(value) or _is_taken(text, index, value):
        yield hit.start(1), hit.end(1), "password"


def _look_at_login(text: str, index: int) -> Iterator[Span]:
    return look_at_taken(text, index + len("vault login "))


def _is_taken(text: str, index: int, value: str) -> bool:
    """Say whether a value behind common words is one: by its command, by its line."""
    line = _line_before(text, index)
    is_known = not line.strip() or "redis-cli" in line
    return is_random(value) and (is_known or text.startswith("pass ", index))


def look_at_host(text: str, index: int) -> Iterator[Span]:
    """Yield the password before the `@` of an address without a scheme."""
    is_dsn = text.startswith(("@tcp(", "@unix("), index)
    begin = max(0, index - _FARTHEST)
    mark = ":" if is_dsn else _ORACLE
    if mark not in text[begin:index]:
        return
    _, _, value = _last_word(text[begin:index]).partition(mark)
    value = value if is_dsn else value.partition("/")[2]
    if len(value) >= _SHORTEST and _is_given(value):
        yield index - len(value), index, "password"


def _last_word(text: str) -> str:
    """Return what of a text stands behind its last blank or quote."""
    word = text.rsplit(maxsplit=1)[-1] if text and not text[-1].isspace() else ""
    return word[1 + max(map(word.rfind, "\"'`")) :]


def look_at_port(text: str, index: int) -> Iterator[Span]:
    """Yield the password of a line of a `.pgpass` file."""
    hit = _IN_PGPASS.match(text, index)
    if hit and _is_given(hit[1]) and not hit[1].isdigit():
        yield hit.start(1), hit.end(1), "password"


def _line_before(text: str, index: int) -> str:
    return text[max(0, index - _FARTHEST) : index].rpartition("\n")[2]


def _command(text: str, index: int) -> str:
    line = _line_before(text, index)
    return line[1 + max(map(line.rfind, _NEXT_COMMAND)) :]


def _is_given(value: str) -> bool:
    return not is_placeholder(value) and value[0] not in "$-/<%{"


# A character, what must hold where it stands, and who looks there.
SCANS: tuple[tuple[str, str, Look], ...] = (
    ("vault login ", "vault login ", _look_at_login),
)
