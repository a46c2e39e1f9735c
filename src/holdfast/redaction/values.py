"""Is the value behind a secret's name a secret, or a type, a variable, a placeholder?

Too much is an error too: a redacted `token: str` makes a checkpoint worth less, and a
reader who meets it twice stops believing the placeholders.
"""

import re
from binascii import a2b_base64
from functools import lru_cache
from itertools import pairwise
from typing import Literal

from holdfast.kernel.lazy_patterns import pattern

# Where a value stands: inside quotes; bare where only a literal can stand (an `.env`
# file, a shell, a URL's query); bare in a line of text; bare inside code.
Place = Literal["quoted", "literal", "line", "code"]

_MOST_NAMES = 512
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
_HEXADECIMAL = "0123456789abcdef"
_ASCII_DIGITS = b"0123456789"
_ASCII_LETTERS = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
_FEW_OF_EACH = 3
_LONG_JUMBLE = 20
_JUMBLE = 0.42  # changes per character: names have 0.3, keys 0.6
_BASE64 = pattern(r"(?:[A-Za-z0-9+/]{4}){2,}(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?")
_SOME_JUMBLE = 0.33  # where an id beside it says what it is
_BY_CLASS = {
    code: "A"
    if chr(code).isupper()
    else "a"
    if chr(code).isalpha()
    else "0"
    if chr(code).isdigit()
    else None
    for code in range(128)
}
# What stands before long ids and digests that are no secrets.
_PREFIXES_OF_IDS = (
    "sha", "md5", "blake", "msg_", "toolu_", "srvtoolu_", "req_", "resp_", "call_",
    "run_", "thread_", "asst_", "file-", "chatcmpl-", "rs_", "fc_", "cs_", "pi_",
    "commit", "chunk", "bundle", "main-", "index-", "vendor", "image", "layer",
)  # fmt: skip
_TOKEN_WORDS = pattern(
    r"(?:\A|[_\-])(?:\w{0,12}(?:secret|token|apikey)|live|prod|key|pat|api)(?=[_\-])"
)
# What redaction leaves in the place of a secret.
REPLACEMENT = r"\[redacted:[a-z0-9\-]{1,32}:[0-9a-f]{4}\]|\[private\]"
# The same in a value, which may have lost the last bracket.
_OURS = pattern(r"\[redacted:[a-z0-9\-]{1,32}:[0-9a-f]{4}(?:\]|\Z)|\[private(?:\]|\Z)")
# What stands for a value: somewhere in it, at its end, or from its beginning on.
_STANDS_FOR = pattern(
    r"[.…${<](?:(?<=\.)\.\.|(?<=…)|(?<=\$)[{(]|(?<=\{)(?:\{|[A-Za-z_][\w.]*\})"
    r"|(?<=<)[A-Za-z][\w \-]*>)"
)
_TEMPLATE_ENDS = tuple(
    f"{gap}{word}" for gap in "-_ " for word in ("here", "placeholder")
)
_TEMPLATE = pattern(
    r"(?i)\[(?:redacted|private)\Z|\$\w+\Z|(?-i:\$[A-Z_]{2})|\{.*\}\Z|\[.*\]\Z"
    r"|%(?:\(\w+\))?[sdv]\b|%\w+%\Z|(?:your|insert|enter|put|replace|change)[-_ ]"
    r"|os\.|process\.env|env[.\[]|getenv|import\.meta|secrets\.|vault:|op://|arn:"
    r"|[\w.:]{1,64}\("
)
# A path or an address; but 40 characters that begin with a slash may be a key.
_ADDRESS = pattern(
    r"(?![A-Za-z0-9/+]{40}\Z)(?:~|\.{1,2}|[A-Za-z]:)?[/\\][^+=]*|[A-Za-z][A-Za-z0-9+.\-]{1,16}://.*"
    r"|[\w.\-/]*\.(?:cfg|conf|crt|env|go|ini|js|json|key|md|pem|py|sh|toml|ts|txt|ya?ml)"
)
_UUID = pattern(r"[0-9A-Fa-f]{8}(?:-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}")
_DATE_OR_VERSION = pattern(r"[0-9]{4}-[0-9]{2}-[0-9]{2}.*|v?[0-9]+\.[0-9]+.*")
_JOINED_WORDS = pattern(r"[A-Za-z]+[-_./:][A-Za-z_./:\-]*")
_JOINED_BY_DASHES = pattern(r"[a-z]{3,12}(?:-[a-z]{3,12}){2,7}")
_IN_GROUPS = pattern(
    r"[a-z]{4}(?: [a-z]{4}){3}"
)  # as mail providers give them to programs
_MOST_WORDS = 8
_IDENTIFIER = pattern(r"[A-Za-z_][\w.]*")
_ABOUT_SECRETS = ("pass", "pwd", "secret", "token", "key", "auth", "cred")
# A quoted secret has no spaces, a bare one no brackets: there they mean code.
_BRACKETS = pattern(r"[()\[\]{}]")
_NOT_IN = {
    "quoted": pattern(r"\s"),
    "literal": _BRACKETS,
    "line": _BRACKETS,
    "code": _BRACKETS,
}
_DIGITS = pattern(r"[0-9]+")
_JOINTS = pattern(r"[_\-.]")
_LONGEST_PASSWORD = 64
_IN_CODE = pattern(r"[()\[\]{}<>|\\,;:\"'`]|=\w|\w/\w|\w@\w+\.")
_STEPS = pattern(r"[A-Za-z]+[_\-.][A-Za-z]+[_\-.]")  # names joined, not a password
_UNUSUAL = pattern(r"[!#%*+/=?@^~]")


@lru_cache(_MOST_NAMES)  # a text says few names, and each of them often
def squashed(name: str) -> str:
    """Return a name's letters and digits alone: `API_KEY` and `apiKey` are one name."""
    return _flat(name)


def _flat(name: str) -> str:
    plain = name.lower().replace("_", "").replace("-", "")
    return plain.replace(".", "").replace(" ", "")


def without_replacements(value: str) -> str:
    """Return what of a value is not a replacement of ours."""
    return _OURS.sub("", value) if "[" in value else value


def is_word(value: str, place: Place) -> bool:
    """Say whether a value has letters alone where that makes it a word, as most are."""
    return place in ("line", "code") and value.isalpha()


def is_secret(value: str, kind: str, name: str, place: Place) -> bool:
    """Say whether a value is the secret that its name announces."""
    value = without_replacements(value)
    if len(value) < _SHORTEST or is_word(value, place) or is_placeholder(value):
        return False
    if value.isalnum():  # no signs: no address, no gap, no id
        is_named = _flat(value) in squashed(name)
        return not is_named and _is_in_place(value, kind, place)
    if _is_address(value):
        return False
    has_gaps = _NOT_IN[place].search(value) is not None
    if _flat(value) in squashed(name) or has_gaps:
        return (
            has_gaps and (place, kind) == ("quoted", "password") and _is_spaced(value)
        )
    is_id = _UUID.fullmatch(value) is not None
    return _is_id_secret(kind, name) if is_id else _is_in_place(value, kind, place)


def _is_in_place(value: str, kind: str, place: Place) -> bool:
    if place in ("quoted", "literal"):
        return _is_literal(value, kind)
    return _is_bare(value, kind, in_text=place == "line")


def _is_id_secret(kind: str, name: str) -> bool:
    """Say whether a name makes a UUID a secret: `snyk_token` does, `token` does not."""
    return kind in (*_STRONG, "api-key") or len(squashed(name)) > len(kind)


def _is_address(value: str) -> bool:
    has_sign = "/" in value or "." in value or "\\" in value
    return has_sign and _ADDRESS.fullmatch(value) is not None


def is_placeholder(value: str) -> bool:
    """Say whether a value stands for a secret instead of being one."""
    value = without_replacements(value)
    lowered = value.lower()
    if len(set(lowered[:_LONG])) <= _FEW_DIFFERENT >= len(set(lowered)):
        return True
    if value.isalnum():
        return lowered in _PLAIN or lowered.startswith("getenv")
    return (
        lowered.strip(_WRAPPING) in _PLAIN
        or lowered.endswith(_TEMPLATE_ENDS)
        or _TEMPLATE.match(value) is not None
        or _STANDS_FOR.search(value) is not None
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
    if len(value) < _SHORTEST_RANDOM:
        return False
    few = 1 if len(value) >= _LONG else 2
    if _digits(value) < few or _letters(value) < few:
        return False
    if len(value) <= _ABBREVIATED_HASH and not value.lower().strip(_HEXADECIMAL):
        return False
    if value.isalnum():
        return True
    return not (_UUID.fullmatch(value) or _DATE_OR_VERSION.fullmatch(value))


def _digits(value: str) -> int:
    if value.isascii():
        return len(value) - len(value.encode().translate(None, _ASCII_DIGITS))
    return sum(character.isdigit() for character in value)


def _letters(value: str) -> int:
    if value.isascii():
        return len(value) - len(value.encode().translate(None, _ASCII_LETTERS))
    return sum(character.isalpha() for character in value)


def is_jumbled(value: str) -> bool:
    """Say whether cases and digits change as in no name that is made of words."""
    if len(value) < _LONG_JUMBLE:
        return False
    if value.isascii():
        kinds = value.translate(_BY_CLASS)
        changes = sum(map(kinds.count, ("aA", "Aa", "a0", "0a", "A0", "0A")))
        return changes >= _JUMBLE * len(value) and "0" in kinds
    classes = [(c.isupper(), c.isdigit()) for c in value if c.isalnum()]
    changes = sum(one != other for one, other in pairwise(classes))
    return changes >= _JUMBLE * len(value) and any(c.isdigit() for c in value)


def is_encoded_pair(value: str) -> bool:
    """Say whether a value is a user and a password in base64, as registries want it."""
    if not _BASE64.fullmatch(value):
        return False
    user, colon, password = a2b_base64(value).partition(b":")
    pair = (user + password).decode("latin-1")
    is_text = pair.isascii() and pair.isprintable()
    return is_text and bool(user and colon and password)


def is_mixed(value: str) -> bool:
    """Say whether a value of a key's length has a key's signs, and is no digest or path."""
    kinds = value.translate(_BY_CLASS)
    changes = sum(map(kinds.count, ("aA", "Aa", "a0", "0a", "A0", "0A")))
    return changes >= _SOME_JUMBLE * len(value) and all(map(kinds.count, "Aa0"))


def is_password(value: str) -> bool:
    """Say whether a value can be nothing but a password, whatever stands around it."""
    if not _SHORTEST_RANDOM <= len(value) <= _LONGEST_PASSWORD or is_placeholder(value):
        return False
    if _is_address(value) or _IN_CODE.search(value):
        return False
    if value.isalnum():
        return _is_scrambled(value) and value != value.lower()
    return (
        is_random(value)
        and value != value.lower()
        and value != value.upper()
        and (_UNUSUAL.search(value) is not None and _STEPS.search(value) is None)
    )


def is_key(value: str) -> bool:
    """Say whether what a bare `key` names can only be a secret key."""
    last = _JOINTS.split(value)[-1]
    if len(last) < _LONG_JUMBLE or not last.isalnum() or is_placeholder(value):
        return False
    digits = _digits(last)
    if not last.lower().strip(_HEXADECIMAL):  # a digest, most often
        return re.search(r"(?i)(?:live|test|prod)[_\-]", value) is not None
    return is_jumbled(last) or digits * 8 >= len(last)


def is_token(prefix: str, body: str) -> bool:
    """Say whether a prefix and a long run behind it are a token and not an id."""
    if prefix.lower().startswith(_PREFIXES_OF_IDS):
        return False
    digits = _digits(body)
    upper = sum(character.isupper() for character in body)
    lower = len(body) - digits - upper
    if min(digits, upper, lower) >= _FEW_OF_EACH:
        return True
    # A digest behind a name is a file's or a commit's, unless the name says otherwise.
    return _TOKEN_WORDS.search(prefix.lower()) is not None and (
        digits >= _FEW_OF_EACH and digits + max(upper, lower) == len(body) > digits
    )


def _is_literal(value: str, kind: str) -> bool:
    if kind not in _STRONG:
        return is_random(value)
    if _JOINED_WORDS.fullmatch(value):
        lowered = value.lower()
        return kind == "password" and not any(w in lowered for w in _ABOUT_SECRETS)
    return True


def _is_spaced(value: str) -> bool:
    """Say whether a quoted text with spaces is a password and not a sentence on one."""
    if _IN_GROUPS.fullmatch(value):
        return True
    words = value.split()
    return len(words) <= _MOST_WORDS and any(map(is_password, words))


def _is_bare(value: str, kind: str, *, in_text: bool) -> bool:
    strong = kind in _STRONG
    digits = _digits(value)
    if digits == len(value):
        return strong and digits >= _SHORTEST_NUMBER
    if _IDENTIFIER.fullmatch(value):
        return (
            _is_word(value, digits, strong=strong) if in_text else _is_scrambled(value)
        )
    return _is_phrase(value, kind, digits) if strong else is_random(value)


def _is_phrase(value: str, kind: str, digits: int) -> bool:
    """Say whether a password of several parts is more than words about one."""
    if kind == "password" and _JOINED_BY_DASHES.fullmatch(value):
        return not any(word in value for word in _ABOUT_SECRETS)
    mixed = digits > 0 and value != value.lower()
    return digits > 1 or mixed or _UNUSUAL.search(value) is not None


def _is_word(value: str, digits: int, *, strong: bool) -> bool:
    """Say whether a word of a text is a secret and no word, name or attribute."""
    if "." in value:
        return any(is_jumbled(part) for part in value.split("."))
    if strong:
        return digits > 0
    enough = digits > _DIGITS_IN_NAMES or is_jumbled(value)
    return enough and is_random(value)


def _is_scrambled(value: str) -> bool:
    """Say whether digits stand among letters as nobody names a variable."""
    if len(value) < _SHORTEST_RANDOM or not value.isalnum():
        return False
    runs = len(_DIGITS.findall(value))
    lowered = value.lower()
    if runs != _DIGIT_RUNS_IN_NAMES or any(w in lowered for w in _ABOUT_SECRETS):
        return runs > _DIGIT_RUNS_IN_NAMES
    return value[1:] not in (lowered[1:], value[1:].upper())
