"""Is the value behind a secret's name a secret, or a type, a variable, a placeholder?

Too much is an error too: a redacted `token: str` makes a checkpoint worth less, and a
reader who meets it twice stops believing the placeholders.
"""

import re
from typing import Literal

# Where a value stands: inside quotes; bare where only a literal can stand (an `.env`
# file, a shell, a URL's query); bare in a line of text; bare inside code.
Place = Literal["quoted", "literal", "line", "code"]

_STRONG = ("password", "secret")  # a name that leaves little doubt
_SHORTEST = 4
_SHORTEST_NUMBER = 6
_SHORTEST_RANDOM = 8
_LONG = 20
_ABBREVIATED_HASH = 8
_FEW_DIFFERENT = 2  # `xxxx`, `****`, `xx-xx`
_DIGITS_IN_NAMES = 3  # `sha256`
_DIGIT_RUNS_IN_NAMES = 2  # `s3Bucket2`
_WRAPPING = "<>[]{}()%$\"'`*._-#@!? "
_WORDS = """
abc abc123 abcd1234 admin any apikey auth authorization basic bearer bool boolean
bytes changeit changeme char cookie credential credentials default demo dummy empty
env example fake false file foo foobar guest hidden hash int integer key literal masked
mock mypassword mysecret mytoken nil no none null num number object off on optional
pass passwd password passphrase placeholder postgres private prompt pwd redacted ref required
root sample secret secretstr sensitive session something str string stripped text todo
token true type undefined unknown unset user username uuid value vault void xxx yes
"""
_PLAIN = frozenset(_WORDS.split())
# Patterns are compiled where they are used, at first need: import must stay cheap.
_TEMPLATE = (
    r"(?i)\[redacted|\[private\]|\.\.\.|…|\$\{|\$\(|\{\{|\{[a-z_][\w.]*\}|<[a-z][\w \-]*>"
    r"|\A(?:\$\w+\Z|(?-i:\$[A-Z_]{2})|\{.*\}\Z|\[.*\]\Z|%(?:\(\w+\))?[sdv]\b|%\w+%\Z)"
    r"|\A(?:your|insert|enter|put|replace|change)[-_ ]"
    r"|[-_ ](?:here|placeholder|goes[-_ ]here)\Z"
    r"|\A(?:os\.|process\.env|env[.\[]|getenv|import\.meta|secrets\.|vault:|op://|arn:)"
    r"|\A[\w.:]{1,64}\("
)
# A path or an address; but 40 characters that begin with a slash may be a key.
_ADDRESS = (
    r"(?![A-Za-z0-9/+]{40}\Z)(?:~|\.{1,2}|[A-Za-z]:)?[/\\][^+=]*|[A-Za-z][A-Za-z0-9+.\-]{1,16}://.*"
    r"|[\w.\-/]*\.(?:cfg|conf|crt|env|go|ini|js|json|key|md|pem|py|sh|toml|ts|txt|ya?ml)"
)
_UUID = r"[0-9A-Fa-f]{8}(?:-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}"
_DATE_OR_VERSION = r"[0-9]{4}-[0-9]{2}-[0-9]{2}.*|v?[0-9]+\.[0-9]+.*"
_JOINED_WORDS = r"[A-Za-z]+[-_./:][A-Za-z_./:\-]*"
_IDENTIFIER = r"[A-Za-z_][\w.]*"
_ABOUT_SECRETS = ("pass", "pwd", "secret", "token", "key", "auth", "cred")
# A quoted secret has no spaces, a bare one no brackets: there they mean code.
_NOT_IN = {
    "quoted": r"\s",
    "literal": r"[()\[\]{}]",
    "line": r"[()\[\]{}]",
    "code": r"[()\[\]{}]",
}
_UNUSUAL = r"[!#%*+/=?@^~]"


def squashed(name: str) -> str:
    """Return a name's letters and digits alone: `API_KEY` and `apiKey` are one name."""
    plain = name.lower().replace("_", "").replace("-", "")
    return plain.replace(".", "").replace(" ", "")


def is_secret(value: str, kind: str, name: str, place: Place) -> bool:
    """Say whether a value is the secret that its name announces."""
    if len(value) < _SHORTEST or is_placeholder(value) or re.fullmatch(_ADDRESS, value):
        return False
    if squashed(value) in squashed(name) or re.search(_NOT_IN[place], value):
        return False
    if place in ("quoted", "literal"):
        return _is_literal(value, kind)
    return _is_bare(value, kind, in_text=place == "line")


def is_placeholder(value: str) -> bool:
    """Say whether a value stands for a secret instead of being one."""
    lowered = value.lower()
    return (
        len(set(lowered)) <= _FEW_DIFFERENT
        or lowered.strip(_WRAPPING) in _PLAIN
        or re.search(_TEMPLATE, value) is not None
    )


def is_credential(value: str) -> bool:
    """Say whether what follows `Authorization: Bearer` is more than a word of prose."""
    if is_placeholder(value):
        return False
    inner = value[1:]
    return any(character.isdigit() for character in value) or (
        inner != inner.lower() and inner != inner.upper()
    )


def is_random(value: str) -> bool:
    """Say whether a value looks made by a machine and is no id, date or version."""
    digits = sum(character.isdigit() for character in value)
    letters = sum(character.isalpha() for character in value)
    if re.fullmatch(_UUID, value) or re.fullmatch(_DATE_OR_VERSION, value):
        return False
    if len(value) <= _ABBREVIATED_HASH and not value.lower().strip("0123456789abcdef"):
        return False
    few = 1 if len(value) >= _LONG else 2
    return len(value) >= _SHORTEST_RANDOM and digits >= few and letters >= few


def _is_literal(value: str, kind: str) -> bool:
    if kind not in _STRONG:
        return is_random(value)
    if re.fullmatch(_JOINED_WORDS, value):
        lowered = value.lower()
        return kind == "password" and not any(w in lowered for w in _ABOUT_SECRETS)
    return True


def _is_bare(value: str, kind: str, *, in_text: bool) -> bool:
    strong = kind in _STRONG
    digits = sum(character.isdigit() for character in value)
    if digits == len(value):
        return strong and digits >= _SHORTEST_NUMBER
    if re.fullmatch(_IDENTIFIER, value):
        if not in_text:
            return _is_scrambled(value)
        enough = digits > (0 if strong else _DIGITS_IN_NAMES)
        return "." not in value and enough and (strong or is_random(value))
    if not strong:
        return is_random(value)
    mixed = digits > 0 and value != value.lower()
    return digits > 1 or mixed or re.search(_UNUSUAL, value) is not None


def _is_scrambled(value: str) -> bool:
    """Say whether digits stand among letters as nobody names a variable."""
    if len(value) < _SHORTEST_RANDOM or not value.isalnum():
        return False
    runs = len(re.findall(r"[0-9]+", value))
    lowered = value.lower()
    if runs != _DIGIT_RUNS_IN_NAMES or any(w in lowered for w in _ABOUT_SECRETS):
        return runs > _DIGIT_RUNS_IN_NAMES
    return value[1:] not in (lowered[1:], value[1:].upper())
