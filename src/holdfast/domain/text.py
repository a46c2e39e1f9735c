"""What text may be: no lone surrogates, no NUL, no invisible commands, no tag that a
reader obeys; and how somebody's words leave the house, on a line of their own.

Decided here, once, for every store and surface: SQLite, PostgreSQL, JSON and a terminal
each refuse or misuse some of these, and a transcript contains all of them.
"""

import re
from functools import lru_cache

from holdfast.kernel.lazy_patterns import pattern

REPLACEMENT = "\N{REPLACEMENT CHARACTER}"
# Of what is typed for one line, far above what is kept: it is cut to that once its secrets
# are out (app/checkpoints/drafting.py).
MOST_GIVEN = 4_000
# What no store and no encoder takes: NUL and half of a surrogate pair.
_ROUND_CUT = 8  # characters at most, at each side of what was cut out
_UNSTORABLE = pattern("[\x00\ud800-\udfff]")
# What a reader cannot see and a terminal or a model may obey: C0/C1 but tab and
# newline, soft hyphens and fillers, bidirectional controls, zero-width characters, tags
# and the variation selectors that can spell out bytes. Joiners stay: scripts need them.
_INVISIBLE = pattern(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\xad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180e"
    "\u200b\u200e\u200f\u202a-\u202e\u2060-\u2064\u2066-\u206f\u3164\ufeff\uffa0"
    "\ufff9-\ufffb\U000e0000-\U000e0fff]"
)
USER = "▸"  # stands before what the user typed, and nowhere else
_OTHER_MARK = "›"
# Tags by which clients and models part whose words are whose. One in somebody's words
# closes ours, or opens what nobody said, so its bracket is another one. Elements of a
# page and type parameters have simpler names, and stay.
_WRAPPER = pattern(
    r"""<(?=/?(?:[a-z][a-z0-9]*(?:[-_:.][a-z0-9]+)+|antml|system|user|assistant|human|context|instructions?|roles?
          |channel|tick|invoke|parameter|documents?|prompts?|messages?|tools?|results?|functions?|thinking|memory)
        (?:(?:\s+[\w:.-]+\s*=\s*(?:"[^"<>]*"|'[^'<>]*'|[^\s"'<>]+))+\s*)?(?:\s?/)?>)
      |<(?=\s*/\s*[a-z][a-z0-9]*[-_:])
      # What clients write: also where nobody would read a tag in it.
      |<(?=\s*/?\s*(?:system(?:[-_]\w+)?|user(?:[-_][\w-]+)?|assistant|human|context|instructions?|antml[\w:.-]*|mcp:\w+
          |(?:task|local|bash|command|ide|function|tool|agent|teammate|hook)[-_][\w-]+)(?:[\s/>]|\Z))""",
    re.VERBOSE | re.IGNORECASE,
)
# Letters of English need no joiners; a name with one in it is read as the name.
_JOINED = pattern("(?<=[!-~])[\u200c\u200d]+(?=[!-~])")
_SHORTEST_NAME, _LONGEST_NAME = 6, 50

_WORD = pattern(rf"\w{{{_SHORTEST_NAME},}}")
# What has an underscore, or a capital letter inside.
_IDENTIFIER = pattern(
    r"[a-z]+(?:_[a-z0-9]+)+|[A-Z][A-Z0-9]+(?:_[A-Z0-9]+)+|[a-z]+(?:[A-Z][a-z0-9]+)+"
    r"|(?:[A-Z][a-z0-9]+){2,}|[A-Z][a-z0-9]+\w*_\w+"
)

# The letter of an escape is no part of the name after it; where a small letter follows
# `\n`, nobody knows where the name begins.
_ESCAPE = pattern(r"\\(?:n[a-z]\w*|[nrtb](?=[A-Z]))")
_LINE_END = pattern("\r\n|[\u2028\u2029]")
_HIDING = (
    "[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\xad\u034f\u061c\u115f"
    "\u1160\u17b4\u17b5\u180b-\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u206f"
    "\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff9-\ufffb\U000e0000-\U000e0fff]"
)
_HIDES = pattern(_HIDING)
_HIDDEN = pattern(f"\x1b\\[[0-9;:?]*[ -/]*[@-~]|{_HIDING}")
_PLAIN = bytes([*b"\t\n\r", *range(0x20, 0x7F)])

_CHARACTER = pattern("[\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff]")
_SYLLABLE = pattern("[\u3040-\u30ff\uac00-\ud7a3]")
_NO_ALPHABET = pattern("[\u3040-\ufaff]")  # in which all of them are


def storable(text: str) -> str:
    """Return text that every store and encoder accepts; clean text is unchanged."""
    if text.isascii() and "\x00" not in text:
        return text
    return _UNSTORABLE.sub(REPLACEMENT, text)


def visible(text: str) -> str:
    """Return text with nothing hidden in it, for terminals, briefs and messages, and
    with no tag in it that closes what it stands in."""
    if not (text.isascii() and text.isprintable()):
        text = _INVISIBLE.sub("", storable(_LINE_END.sub("\n", text)))
    return _WRAPPER.sub("‹", _JOINED.sub("", text)) if "<" in text else text


def plain(text: str) -> str:
    """Return somebody's words as they leave the house: on one line, with nothing hidden
    in them, no tag and no sign of the user's.

    Every line that a surface, a brief or a file of ours shows is made of such words, of
    names (`brief/phrases.py`) and of our own.
    """
    return " ".join(unmarked(visible(text)).split())


def unmarked(text: str) -> str:
    return text.replace(USER, _OTHER_MARK)


def odd_characters(text: str) -> str:
    """Return what of a text is not plain, in order.

    Few characters are odd, and a question that is about them alone need not be asked of
    every character.
    """
    odd_bytes = text.encode("utf-8", "surrogatepass").translate(None, _PLAIN)
    return odd_bytes.decode("utf-8", "surrogatepass")


def without_hidden(text: str) -> str:
    """Return text as it looks: no colours, joiners or other invisible characters.

    A text that hides nothing is returned itself.
    """
    odd = odd_characters(text)
    if not odd or not _HIDES.search(odd):
        return text
    bare = _HIDDEN.sub("", text)
    return text if len(bare) == len(text) else bare


def hidden_places(text: str) -> list[tuple[int, int]]:
    """Return where, in a text without them, hidden characters were taken out."""
    places: list[tuple[int, int]] = []
    taken = 0
    for hidden in _HIDDEN.finditer(text):
        at = hidden.start() - taken
        places.append((at, at))
        taken += len(hidden[0])
    return places


def invisible_count(text: str) -> int:
    return len(_INVISIBLE.findall(text))


def one_line(text: str, limit: int) -> str:
    """Return text on one line, at most `limit` characters, cut at a word with `…`."""
    flat = " ".join(text.split())
    if len(flat) <= limit:
        return flat
    cut = flat[: limit - 1]
    space = cut.rfind(" ")
    return (cut[:space] if space > limit // 2 else cut).rstrip(" ,;:.") + "…"


def beginning(text: str, limit: int) -> str:
    """Return what a message repeats of what was typed; a word that does not fit goes whole.

    What is cut in two before it was looked at is half a secret, which no rule knows.
    """
    if len(text) <= limit:
        return text
    return text[: text.rfind(" ", 0, limit) + 1].rstrip() + "…"


def tokens(text: str) -> int:
    """Return the size we budget in: UTF-8 bytes / 4, rounded up."""
    return (len(text.encode("utf-8", "replace")) + 3) // 4


def extent(text: str) -> int:
    """Return how long a text is to its reader, in letters of an alphabet: a Chinese
    character says as much as three of them, a syllable of Japanese or Korean as two."""
    if text.isascii() or not _NO_ALPHABET.search(text):
        return len(text)
    return len(text) + 2 * len(_CHARACTER.findall(text)) + len(_SYLLABLE.findall(text))


@lru_cache(maxsize=2048)  # every checkpoint of a session asks
def identifiers(text: str) -> tuple[str, ...]:
    """Return the identifiers of a text, each once, in the order they are first used."""
    if "\\" in text:
        text = _ESCAPE.sub(" ", text)
    # A word is asked once, and only what can be one: far fewer than there are places.
    words = dict.fromkeys(_WORD.findall(text))
    return tuple(
        word
        for word in words
        if len(word) <= _LONGEST_NAME
        and ("_" in word or not word.islower())
        and _IDENTIFIER.fullmatch(word)
    )


def without_middle(text: str, limit: int) -> str:
    """Return a message with its beginning and its end: what it closes with matters most.
    It is cut between lines or words, and code that is cut is still set apart."""
    if len(text) <= limit:
        return text
    room = limit - 2 * _ROUND_CUT
    head, tail = text[: room * 3 // 5], text[-(room * 2 // 5) :]
    if (end := max(head.rfind("\n"), head.rfind(" "))) > 0:
        head = head[:end].rstrip()
    if (begins := next((at for at, sign in enumerate(tail) if sign in "\n "), -1)) >= 0:
        tail = tail[begins:].strip()
    closes = "\n```" if head.count("```") % 2 else "…"
    opens = "```\n" if tail.count("```") % 2 else ""
    return f"{head}{closes}\n\n{opens}{tail}"
