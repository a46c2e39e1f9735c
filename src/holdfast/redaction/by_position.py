"""Secrets that stand at a known place: of a command, an address, a call, a setting.

`mysql -p…`, `--token …`, `docker login -p …`, `echo … | sudo -S`, `["curl", "-u",
"ada:…"]`; `https://ada:…@host`, `user:…@tcp(…)`, `host:5432:db:user:…`; `auth=('ada',
'…')`, `SecretStr('…')`, `variable "db_password" { default = "…" }`, `-b 'session=…'`.
"""

import re
from collections.abc import Iterable, Iterator

from holdfast.kernel.lazy_patterns import pattern
from holdfast.redaction import Look, Span
from holdfast.redaction.by_name import (
    NAME,
    announced,
    kind_of,
    precise_kind,
    value_behind,
)
from holdfast.redaction.values import (
    Place,
    is_jumbled,
    is_key,
    is_password,
    is_placeholder,
    is_random,
)

_FARTHEST = 256
_CONTINUES = (
    "\\",
    "\\\r",
    " `",
    " ^",
    " `\r",
    " ^\r",
)  # what a line ends with that goes on
_MOST_CONTINUED = 1_024
_NEXT_COMMAND = "|;&"
_GIVEN = r"\\?[\"']?([^\s\"'`|;&\\]{4,256})"
_VALUE = pattern(_GIVEN)
_NEXT = r"\\?[\"'],[ \t]{0,4}"  # to the next of the words a program is called with
_SPACED = pattern(rf"(?:[ \t]{{1,4}}|{_NEXT}){_GIVEN}")
_EITHER = pattern(rf"(?:[ \t]{{0,4}}|{_NEXT}){_GIVEN}")
_USER = pattern(
    rf"(?:[ \t=]{{0,4}}|{_NEXT})\\?[\"']?(?!//)([^\s:\"'\\/]{{1,64}}):([^\s\"'\\]{{4,256}})"
)
_USER_PERCENT = pattern(
    rf"(?:[ \t=]{{0,4}}|{_NEXT})\\?[\"']?[^\s%\"'\\]{{1,64}}%([^\s\"'\\]{{4,256}})"
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
    "P": ((("zip", "sqlcmd", "ssh-keygen", "bcp", "ipmitool", "mosquitto"), pattern(r"zip\s|\b(?:sqlcmd|ssh-keygen|bcp|ipmitool|mosquitto_\w{2,4})\s"), _EITHER),),
    "N": ((("ssh-keygen",), pattern(r"\bssh-keygen\s"), _SPACED),),
    "a": (
        (("redis-cli",), pattern(r"\bredis-cli[\s\"']"), _SPACED),
        (("http",), pattern(r"\bhttps?[\s\"']"), _USER),
    ),
    "u": (
        (("curl",), pattern(r"\bcurl[\s\"']"), _USER),
        (("lftp",), pattern(r"\blftp\s"), pattern(r"[ \t]{1,4}[\"']?[^\s,\"']{1,64},([^\s\"']{4,256})")),
    ),
    "A": ((("snmp",), pattern(r"\bsnmp\w{2,10}\s"), _SPACED),),
    "X": ((("snmp",), pattern(r"\bsnmp\w{2,10}\s"), _SPACED),),
    "U": (
        (("curl",), pattern(r"\bcurl[\s\"']"), _USER),
        (("smb", "rpcclient", "winexe", "net "), pattern(r"\b(?:smb\w{2,8}|rpcclient|winexe|net)[\s\"']"), _USER_PERCENT),
    ),
    "w": ((("ldap", "security add-"), pattern(r"\b(?:ldap\w{1,10}|security add-\w{1,10}-password)\s"), _EITHER),),
    "k": ((("openssl", "nuget"), pattern(r"\bopenssl\s|\bnuget\s"), _SPACED),),
}  # fmt: skip
_PIPED = pattern(
    r"\b(?:echo|printf)[ \t]{1,8}(?:-n[ \t]{1,8}|[\"']?%s(?:\\n)?[\"']?[ \t]{1,8})?"
    r"(?:\"([^\"\n]{4,256})\"|'([^'\n]{4,256})'|([^\s\"'|]{4,256}))[ \t]{0,8}\|[^|]{0,200}$"
)
# `cryptsetup … <<< '…'`, on the line of the command
_HERE = pattern(
    r"[^\n|;<]{0,200}<<<[ \t]{0,8}(?:\"([^\"\n]{4,256})\"|'([^'\n]{4,256})'|([^\s\"'|;&]{4,256}))"
)
_VPN_LOGIN = pattern(
    r"pass>[ \t]{0,8}\r?\n[ \t]{0,8}[^\n<]{1,128}\n[ \t]{0,8}([^\s<][^\r\n]{0,255}?)[ \t]{0,8}(?=\r?\n|\Z)"
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
_FLAG = pattern(
    r"--([a-z][a-z\-]{2,40})(?:[ \t]{1,64}|\\{0,3}[\"'],[ \t]{0,4}(?=\\{0,3}[\"']))"
    r"(\\{0,3}[\"'])?"
)
_USER_FLAG = pattern(
    r"--(?:proxy-)?user(?:[ =]|[\"'],[ \t]{0,4})[\"']?([^\s:\"']{1,64}):([^\s\"']{4,256})"
)
_COMMAND_ENDS = pattern(r"[ \t]{0,64}(?:\\?[\"'`]|[\r\n\-&|;<>\\)]|\Z)")
# A password may hold anything but a space, once what follows its `@` is a host.
_USERINFO = pattern(
    r"//[^\s/@:\"'<>]{0,64}:(?![0-9]{1,5}(?:[/?#,;)\]]))([^\s\"'<>`]{1,200}?)"
    r"@(?=[\w.\-\[%]{1,255}(?:[:/?#,;)\]}\"'`<>\\\s]|\Z))"
)
_MOST_USERINFO = 300  # to the `@` of either
# A token where a user's name stands: `https://…@host`, `https://…:x-oauth-basic@host`.
_LONE_USER = pattern(
    r"//([^\s/@:\"'<>?#]{20,255})(?::(?:x-oauth-basic)?)?@(?=[\w.\-\[%]{1,255})"
)
_ORACLE = "jdbc:oracle:thin:"
_SQLPLUS = "sqlplus "
_SHORTEST = 4
_IN_PGPASS = pattern(r":(?:5432|\*):[^\s:]{1,64}:[^\s:]{1,64}:([^\s:]{4,256})(?=\s|\Z)")
_PAIR = pattern(
    r"\(\s{0,8}[\"'][^\"'\n]{1,128}[\"'],\s{0,8}[\"']([^\"'\s]{4,128})[\"']"
)
# Where a server, or nothing, comes before the user: `mysqli("db", "ada", "…")`.
_THIRD = pattern(
    r"\(\s{0,8}(?:[\"'][^\"'\n]{0,128}[\"']|[^\s()\"',]{1,64}),\s{0,8}[\"'][^\"'\n]{1,128}[\"'],"
    r"\s{0,8}[\"']([^\"'\s]{4,128})[\"']"
)
_TAKE_THREE = ("mysqli", "getConnection", "PlainAuth", "_login")
_WRAPPED = pattern(r"\(\s{0,8}[\"']([^\"'\s]{4,512})[\"']")
_DEFAULT = pattern(r"default[ \t]{0,32}=[ \t]{0,32}\"([^\"\s]{4,512})\"")
_VARIABLE = pattern(r"variable[ \t]{1,8}\"([\w\-]{1,64})\"[ \t]{0,8}\{[^{}]{0,400}$")
_FARTHEST_VARIABLE = 512
_FARTHEST_NAME = 64
_QUOTE = r"&(?:quot|#34|#39);"
# `?next=%2Fa%3Ftoken%3D…`, `{&quot;token&quot;:&quot;…`, `token\\u003d…`
_ENCODED = pattern(
    rf"(?:%3[Dd]|\\u003[dD]|{_QUOTE}[ ]{{0,4}}:[ ]{{0,4}}{_QUOTE})([^\s%&\"'<>\\]{{4,512}})"
)
_SESSION = pattern(r"=([\w.%+/\-]{20,1024}=?=?)(?![\w(\[])")
# What must hold at the operator of a cookie.
SESSION = r"(?<=session=)(?<![A-Za-z_]session=)[\w.%+/\-]{20}"


def look_at_flag(text: str, index: int) -> Iterable[Span]:
    """Return the secret that a command line passes at `index`: `--token …`, `--user …`."""
    if text.startswith(("--user", "--proxy-user"), index) and (
        hit := _USER_FLAG.match(text, index)
    ):
        return _after_user(text, hit)
    if text.startswith(("--password-stdin", "--with-token"), index):
        return look_at_pipe(text, index)
    flag = _FLAG.match(text, index)
    kind = kind_of(flag[1]) if flag else None
    if flag is None or kind is None or text.startswith("-", flag.end()):  # another flag
        return ()
    start, end = value_behind(text, flag.end(), flag[2])
    place: Place = "quoted" if flag[2] else "line"
    if place == "line" and _COMMAND_ENDS.match(text, end):
        place = "literal"
    value = text[start:end]
    if not announced(value, kind, flag[1], place):
        return ()
    return ((start, end, precise_kind(kind, flag[1], value)),)


def _after_user(text: str, hit: re.Match[str]) -> Iterator[Span]:
    line = _line_before(text, hit.start())
    plain = is_placeholder(hit[2]) or hit[2].isdigit() or hit[2] == hit[1]
    if "curl" in line and not plain:
        yield hit.start(2), hit.end(2), "password"


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
    """Yield the password that the command at `index` reads: `echo … |`, `<<< …`."""
    line = _line_before(text, index)
    start = index - len(line)
    hits = ((_PIPED.search(line), start), (_HERE.match(text, index), 0))
    for hit, shift in hits:
        if hit is None or hit.lastindex is None:
            continue
        begin, end = (place + shift for place in hit.span(hit.lastindex))
        value = text[begin:end]
        if _is_given(value):
            is_pair = text.startswith("chpasswd", index)
            user = len(value.partition(":")[0]) + 1 if is_pair else 0
            yield begin + user % len(value), end, "password"


def look_at_vpn(text: str, index: int) -> Iterator[Span]:
    """Yield the second line of a login in OpenVPN's own file."""
    hit = _VPN_LOGIN.match(text, index)
    if hit and _is_given(hit[1]):
        yield hit.start(1), hit.end(1), "password"


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


def look_at_address(text: str, index: int) -> Iterator[Span]:
    """Yield the secret in the address whose two slashes stand at `index`."""
    if text.find("@", index, index + _MOST_USERINFO) < 0:
        return
    user = _LONE_USER.match(text, index)
    if user and (is_key(user[1]) or is_random(user[1])):
        yield user.start(1), user.end(1), "url-password"
        return
    hit = _USERINFO.match(text, index)
    if hit and not is_placeholder(hit[1]):
        yield hit.start(1), hit.end(1), "url-password"


def look_at_host(text: str, index: int) -> Iterator[Span]:
    """Yield the password before the `@` of an address without a scheme."""
    is_dsn = text.startswith(("@tcp(", "@unix("), index)
    begin = max(0, index - _FARTHEST)
    before = text[begin:index]
    mark = ":" if is_dsn else _ORACLE
    if mark in before:
        _, _, value = _last_word(before).partition(mark)
    elif _SQLPLUS in before:
        value = _last_word(before)
    else:
        return
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
    """Return a line up to `index`, with the lines that it continues as one."""
    line = text[max(0, index - _FARTHEST) : index]
    begin = line.rfind("\n")
    if begin < 0:
        return line
    if not line[:begin].endswith(_CONTINUES):
        return line[begin + 1 :]
    line = text[max(0, index - _MOST_CONTINUED) : index]
    begin = line.rfind("\n")
    while begin >= 0 and line[:begin].endswith(_CONTINUES):
        begin = line.rfind("\n", 0, begin)
    return line[begin + 1 :]


def _command(text: str, index: int) -> str:
    line = _line_before(text, index)
    return line[1 + max(map(line.rfind, _NEXT_COMMAND)) :]


def _is_given(value: str) -> bool:
    return not is_placeholder(value) and value[0] not in "$-/<%{"


def _look_at_pair(text: str, index: int) -> Iterator[Span]:
    """Yield the second text, or the third, that is passed to what logs in."""
    form = _THIRD if text.endswith(_TAKE_THREE, 0, index) else _PAIR
    hit = form.match(text, index)
    if hit and announced(hit[1], "password", "", "line"):
        yield hit.start(1), hit.end(1), "password"


def _look_at_wrapped(text: str, index: int) -> Iterator[Span]:
    """Yield the literal of pydantic's `SecretStr`."""
    hit = _WRAPPED.match(text, index)
    if hit and announced(hit[1], "secret", "", "quoted"):
        yield hit.start(1), hit.end(1), "secret"


def _look_at_default(text: str, index: int) -> Iterator[Span]:
    """Yield the default of a Terraform variable with a telling name."""
    hit = _DEFAULT.match(text, index)
    variable = _VARIABLE.search(text, max(0, index - _FARTHEST_VARIABLE), index)
    kind = kind_of(variable[1]) if hit and variable else None
    if hit and variable and kind and announced(hit[1], kind, variable[1], "quoted"):
        yield hit.start(1), hit.end(1), kind


def _look_at_call(text: str, index: int) -> Iterator[Span]:
    is_wrapped = text.endswith("SecretStr", 0, index)
    return (_look_at_wrapped if is_wrapped else _look_at_pair)(text, index)


def look_at_session(text: str, index: int) -> Iterator[Span]:
    """Yield the value of a cookie that is called `session`, outside of a header."""
    hit = _SESSION.match(text, index)
    if hit and is_jumbled(hit[1]) and is_random(hit[1]):
        yield hit.start(1), hit.end(1), "cookie"


def _look_at_encoded(text: str, index: int) -> Iterator[Span]:
    """Yield the value behind an operator that an address or a page has encoded."""
    hit = _ENCODED.match(text, index)
    before = text[max(0, index - _FARTHEST_NAME) : index]
    name = before[len(before.rstrip(NAME)) :]
    kind = kind_of(name) if hit else None
    if hit and kind and announced(hit[1], kind, name, "literal"):
        yield hit.start(1), hit.end(1), kind


# A character, what must hold where it stands, and who looks there.
SCANS: tuple[tuple[str, str, Look], ...] = (
    ("vault login ", "vault login ", _look_at_login),
    ("cryptsetup ", r"cryptsetup (?:luks|open|create|tcrypt|plain|-)", look_at_pipe),
    (
        "(",
        (
            r"\((?<=[nhs=rli]\()(?:(?<=ogin\()|(?<=uth\()|(?<=uth=\()|(?<=redentials\()|(?<=redential\()|(?<=SecretStr\()"
            r"|(?<=ysqli\()|(?<=etConnection\())"
        ),
        _look_at_call,
    ),
    ("%", r"%(?=3[Dd])", _look_at_encoded),
    (r"\u003d", r"\\u003d", _look_at_encoded),
    ("&quot;", r"&quot;[ ]{0,4}:", _look_at_encoded),
    ("&#3", r"&#3[49];[ ]{0,4}:", _look_at_encoded),
    ("default", r"default(?=[ \t]{0,32}=[ \t]{0,32}\")", _look_at_default),
)
