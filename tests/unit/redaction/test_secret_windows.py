"""A text is looked at again only where it changed, and nothing is missed by that.

The whole-text answer is what the same look says without windows.
"""

import pytest
from hypothesis import given, settings, strategies as st

from holdfast.redaction import Span
from holdfast.redaction.redactor import Redactor
from holdfast.redaction.scan import around, spans


def mixed(length: int) -> str:
    """Return characters as issuers mix them; no secret, and not written anywhere."""
    return ("A1b2C3d4E5f6G7h8J9k0" * (length // 20 + 1))[:length]


_JWT = f"eyJ{mixed(900)}.eyJ{mixed(3_000)}.{mixed(2_000)}"
# What each rule needs around it, in the widest form that it reads.
SECRETS = {
    "a token": "ghp_" + mixed(36),
    "a long value": "password: " + mixed(1_000) + "!",
    "a value in quotes": 'password = "' + mixed(1_000) + '"',
    "a long JWT": _JWT,
    "a header": "Authorization: Basic " + mixed(4_000),
    "cookies": "Cookie: " + "; ".join(f"c{n}={mixed(200)}" for n in range(40)),
    "the next line": "Password:\n\n\n   ```text\n   " + mixed(1_000) + "!x\n```",
    "far behind its command": "mysql " + "-v " * 70 + "-phunter2x!",
    "a default": 'variable "db_password" {\n'
    + "# about\n" * 40
    + 'default = "h0nter2x!"\n}',
    "a call": "login(\n    'ada',\n    'hunt3r2x!')",
    "an address": "postgres://ada:" + mixed(190) + "@db/x",
    "another language": "Пароль: hunt3r2x!",
    "wide letters": "ｐａｓｓｗｏｒｄ＝ｈｕｎｔ３ｒ２ｘ",
}
_FILLER = ("All is quiet here, and nobody waits; the rest follows.\n" * 200)[:8_000]
_LINES = st.sampled_from((_FILLER, _FILLER[:3_001], _FILLER[:1_200], "x" * 2_500, "\n"))


def _moved(found: list[Span], start: int, by: int) -> set[Span]:
    """Return spans as they stand once something before them has another length."""
    return {(b + by, e + by, k) if b >= start else (b, e, k) for b, e, k in found}


def _assert_nothing_is_missed(before: str, after: str, place: int, new: int) -> None:
    """`before` became `after` at `place`, where `new` characters stand now."""
    again = spans(after, around(after, [(place, place + new)]))
    whole = set(spans(after))

    assert whole <= _moved(spans(before), place, len(after) - len(before)) | set(again)
    assert set(again) <= whole


@pytest.mark.parametrize("secret", SECRETS.values(), ids=SECRETS)
def test_a_secret_that_a_change_anywhere_bares(secret: str) -> None:
    """One character less, in each part of a secret and in its neighbourhood."""
    text = f"{_FILLER[:2_800]}\n{secret}\n{_FILLER[:2_800]}"
    first, last = 2_801, 2_801 + len(secret)
    inside = range(first, last, max(1, len(secret) // 100))
    for place in (*range(0, first, 199), *inside, *range(last, len(text), 199)):
        before = f"{text[:place]}é{text[place:]}"

        _assert_nothing_is_missed(before, text, place, 0)


@settings(max_examples=100, deadline=None)
@given(
    secrets=st.lists(st.sampled_from(sorted(SECRETS.values())), min_size=1, max_size=3),
    fillers=st.lists(_LINES, min_size=4, max_size=4),
    was=st.sampled_from(("", "old\n", "[redacted:token:12ab]", "password: ")),
    now=st.sampled_from(("", "\n", "new", "[redacted:password:ab12]", "token=")),
    at=st.floats(0, 1),
)
def test_what_windows_leave_out_was_found_before(
    secrets: list[str], fillers: list[str], was: str, now: str, at: float
) -> None:
    """A part of a text becomes another, anywhere between and inside secrets."""
    text = "".join(f + s for f, s in zip(fillers, [*secrets, "", "", ""], strict=False))
    place = int(at * len(text))
    before = text[:place] + was + text[place:]
    after = text[:place] + now + text[place:]

    _assert_nothing_is_missed(before, after, place, len(now))


@pytest.mark.parametrize("secret", SECRETS.values(), ids=SECRETS)
def test_a_secret_at_any_distance_from_another(secret: str) -> None:
    """The second look begins and ends somewhere: a secret lies before, on or behind."""
    first = "ghp_" + mixed(36)
    for away in (*range(0, 2_600, 199), *range(1_190, 1_215, 3)):
        gap = _FILLER[:away] + "\n"
        text = f"{_FILLER}{secret}\n{gap}{first}\n{gap}{secret}\n{_FILLER}"

        clean = Redactor(b"key").text(text)

        assert clean == _looked_at_whole(text)
        assert Redactor(b"key").text(clean) == clean


def _looked_at_whole(text: str) -> str:
    """Return what a redactor says that looks at everything each time."""
    return Redactor(b"key", allow=["what nothing is"]).text(text)


@settings(max_examples=60, deadline=None)
@given(
    secret=st.sampled_from(sorted(SECRETS.values())),
    hidden=st.sampled_from(("\u200b", "\x1b[1m", "\u00ad", "\ufe0f")),
    at=st.floats(0, 1),
    wide=st.booleans(),
)
def test_hidden_and_disguised_among_much_else(
    secret: str, hidden: str, at: float, *, wide: bool
) -> None:
    """What is read a second way is read so around what differs, and no less."""
    place = int(at * len(secret))
    other = SECRETS["wide letters"] if wide else "nothing"
    text = (
        f"{_FILLER}{secret[:place]}{hidden}{secret[place:]}\n{_FILLER}{other}{_FILLER}"
    )

    assert Redactor(b"key").text(text) == _looked_at_whole(text)


def test_only_the_neighbourhood_is_looked_at_again() -> None:
    """A long text with one secret is not paid for twice."""
    text = _FILLER * 20

    windows = around(text, [(80_000, 80_010)])

    assert windows is not None
    assert sum(end - begin for begin, end in windows) < 4_000
