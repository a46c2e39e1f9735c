"""Made-up secrets in made-up lines, from the templates in fixtures/secrets.

No secret is written anywhere: each is made when it is needed, the same at every run.
"""

import random
import re
import string
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from holdfast.redaction.redactor import Redactor

FOLDER = Path(__file__).parent / "fixtures" / "secrets"
LINES_PER_TEMPLATE = 8
_HIDDEN_HALF = 0.5  # of a value; as the goals count it
_WINDOW = 8  # this many characters of a token in a row are too many
_PLACEHOLDER = re.compile(r"\[redacted:[a-z0-9\-]+:[0-9a-f]+\]|\[private\]")
_BLANK = re.compile(
    r"\{(?:([a-zA-Z])([0-9]+)|(uuid|pw|weak|word|user|host|VAR|num|ver|date))\}"
)
_ALPHABETS = {
    "a": string.ascii_letters + string.digits,
    "l": string.ascii_lowercase + string.digits,
    "u": string.ascii_uppercase + string.digits,
    "h": "0123456789abcdef",
    "H": "0123456789ABCDEF",
    "d": string.digits,
    "w": string.ascii_letters + string.digits + "_-",
    "b": string.ascii_letters + string.digits + "+/",
    "c": string.ascii_lowercase,
    "U": string.ascii_uppercase,
}
_WORDS = [
    "apple",
    "river",
    "stone",
    "copper",
    "garden",
    "window",
    "silver",
    "planet",
    "forest",
    "marble",
    "orange",
    "pencil",
    "rocket",
    "saddle",
    "tunnel",
    "velvet",
    "walnut",
    "yellow",
    "anchor",
    "basket",
    "candle",
    "dragon",
    "engine",
    "falcon",
]
_USERS = [
    "ada",
    "grace",
    "linus",
    "margaret",
    "svc_app",
    "deploy",
    "root",
    "postgres",
    "admin",
    "ci-bot",
]
_HOSTS = ["db.internal", "10.0.4.12", "cache01", "registry.acme.test", "mail.acme.test"]
_WEAK = [
    "sunshine",
    "letmein",
    "qwerty",
    "trustno1",
    "iloveyou",
    "monkey",
    "shadow",
    "master",
]
_SIGNS = "!@#$%^&*-_+=?.~"


class Line(NamedTuple):
    """A line with what must go, or must stay, in it."""

    group: str
    text: str
    start: int
    end: int
    is_secret: bool = True

    @property
    def value(self) -> str:
        return self.text[self.start : self.end]


def vectors(name: str) -> list[Line]:
    """Return one line per template of a file of provider formats."""
    made = random.Random(f"holdfast {name}")  # noqa: S311  # made up, and the same each time
    return [
        Line(group, *filled(template, made))
        for group, template in (row.split(" | ", 1) for row in _rows(name))
    ]


def lines(name: str) -> list[Line]:
    """Return the labelled lines that a file of templates makes."""
    made = random.Random(f"holdfast {name}")  # noqa: S311  # made up, and the same each time
    return [
        Line(group, *filled(template, made), is_secret=label == "T")
        for label, group, template in (row.split(" | ", 2) for row in _rows(name))
        for _ in range(LINES_PER_TEMPLATE)
    ]


def is_gone(line: Line) -> bool:
    """Say whether no eight characters of a token are left in its redacted line."""
    left = _PLACEHOLDER.sub("\x00", Redactor(b"key").text(line.text))
    size = min(_WINDOW, len(line.value))
    return not any(
        line.value[at : at + size] in left for at in range(len(line.value) - size + 1)
    )


def is_hidden(line: Line) -> bool:
    """Say whether at least half of a value is gone from its redacted line."""
    covered = {
        place
        for start, end, _ in Redactor().secrets(line.text)
        for place in range(max(start, line.start), min(end, line.end))
    }
    return bool(covered) and len(covered) >= _HIDDEN_HALF * len(line.value)


def filled(template: str, made: random.Random) -> tuple[str, int, int]:
    """Return a template's text without its marks, and where they stood."""
    text = _BLANK.sub(lambda blank: _fill(blank, made), template)
    before, _, rest = text.partition("«")
    value, _, after = rest.partition("»")
    whole = before + value + after.replace("«", "").replace("»", "")
    return whole, len(before), len(before) + len(value)


def _fill(blank: re.Match[str], made: random.Random) -> str:
    if blank[1]:
        return _characters(_ALPHABETS[blank[1]], int(blank[2]), made)
    return str(_NAMED[blank[3]](made))


def _characters(alphabet: str, count: int, made: random.Random) -> str:
    """Return random characters; a real token has no dash at its ends."""
    inner = alphabet.replace("-", "").replace("_", "")
    ends = made.choice(inner), made.choice(inner)
    middle = "".join(made.choice(alphabet) for _ in range(max(0, count - 2)))
    return (ends[0] + middle + ends[1])[:count]


def _password(made: random.Random) -> str:
    word, other = made.choice(_WORDS), made.choice(_WORDS)
    return made.choice(
        (
            f"{word.title()}{made.randrange(10, 2030)}{made.choice('!#?$')}",
            f"{word}{made.randrange(10, 9999)}",
            f"{word.title()}{made.choice('@_.-')}{other}{made.randrange(99)}",
            f"{word}-{other}-{made.choice(_WORDS)}",
            word.replace("a", "@").replace("e", "3").replace("o", "0").title() + "1!",
            _characters(_ALPHABETS["a"], made.randrange(10, 18), made),
            _characters(_ALPHABETS["a"] + "!#%*+-_~", made.randrange(10, 18), made),
        )
    )


def _uuid(made: random.Random) -> str:
    digits = _characters(_ALPHABETS["h"], 32, made)
    parts = (digits[:8], digits[8:12], digits[12:16], digits[16:20], digits[20:])
    return "-".join(parts)


_NAMED: dict[str, Callable[[random.Random], object]] = {
    "uuid": _uuid,
    "pw": _password,
    "weak": lambda made: made.choice(_WEAK),
    "word": lambda made: made.choice(_WORDS),
    "user": lambda made: made.choice(_USERS),
    "host": lambda made: made.choice(_HOSTS),
    "VAR": lambda made: made.choice(_WORDS).upper() + "_PASSWORD",
    "num": lambda made: made.randrange(1, 90_000),
    "ver": lambda made: f"{made.randrange(9)}.{made.randrange(30)}.{made.randrange(9)}",
    "date": lambda made: f"2026-01-{made.randrange(10, 28)}T15:23:45Z",
}


def _rows(name: str) -> list[str]:
    rows = (FOLDER / name).read_text(encoding="utf-8").splitlines()
    return [row for row in rows if row and not row.startswith("#")]
