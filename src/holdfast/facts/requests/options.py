"""Which of the agent's options a short answer picks: `2`, `b)`, "the second one"."""

import re
from collections.abc import Iterator
from itertools import takewhile

from holdfast.kernel.lazy_patterns import pattern
from holdfast.language.prose import is_question, plain, without_code

_MOST_PICKED = 3
_FEWEST_WITHIN = 2
_LETTERS, _DIGITS = "abcdefgh", "123456789"
_LABEL = r"(?:[a-h]|\d{1,2})"
_CHOICE = (
    r"(?:option|choice|variant|approach|opción|opcion|variante|方案|选项|옵션|ตัวเลือก)"
)
# `B) …`, `**2.** …`, `Option C: …`, `### Option 1 – …`
_OFFERED = pattern(
    rf"^\s*(?:[-*•+]\s+|#+\s+)?(?:\*\*|__)?\(?(?:{_CHOICE}\s*)?({_LABEL})(?:\s*：|\s*[.):–—-]+(?:\*\*|__)?(?=\s))(?:\*\*|__)?\s*(?=\S)",
    re.IGNORECASE,
)
_CALLED_OPTION = pattern(
    rf"^\s*(?:[-*•+]\s+|#+\s+)?(?:\*\*|__)?\(?{_CHOICE}\s*{_LABEL}\b", re.IGNORECASE
)
_CLOSING = 3  # lines in which a message asks what is to be done
_WHICH = pattern(
    r"\b(?:which|prefer\w*|options?|approach|or|choose|pick|ou|quelle?|oder|welche\w*|cuál|o|nào|hay)\b"
    r"|哪|还是|どれ|どちら|それとも|어느|어떤|아니면|หรือ|ไหน",
    re.IGNORECASE,
)
# `A) … B) …`, `(1) … or (2) …` within a line
_OFFERED_WITHIN = pattern(
    rf"(?:^|(?<=[\s,;/:?]))\(?(?:{_CHOICE}\s*)?({_LABEL})[.):：]\s+(?=\S)",
    re.IGNORECASE,
)
_JOINING = frozenset(["or", "and", "ou", "oder", "o", "y", "vs", "vs."])
_BETWEEN = " \t,;/|("
_ENDS_LAST = pattern(r"[?？。].*|\.\s.*")
# `2`, "let's go with B", "2, but back it up first"
_YES = (
    r"(?:yes|yeah|yep|yup|ye|ya|ok(?:ay)?|k|sure|right|cool|fine|great|good|perfect|please|ja|jo|gerne|oui|ouais|d'accord|sí|si|vale|claro"
    r"|vâng|dạ|được|ừ|はい|うん|ええ|네|예|응|좋아요?|ใช่|โอเค|ได้|ครับ|ค่ะ|好的?|行|可以|对|是的?|嗯)"
)
_LEADING = (
    r"(?:i(?:'d| would)?(?: like)? (?:think|prefer|choose|pick|say|go (?:with|for)|to (?:do|go with|use))|i want"
    r"|let'?s (?:do|go (?:with|for)|try|use|take|tackle|start with|pick|implement|fix)|go (?:with|for|ahead with)|do|use|take|tackle|implement"
    r"|fix|try|pick|just|both|the|la|le|el|die|den|das|number|nr\.?|nummer|numéro|número|số|第|nimm|prends|toma|chọn|选|選|用)"
)
_AND = r"(?:\s*(?:,\s*and|,|and|\+|&|und|et|y|và|和|と|랑|และ)\s*)"
_PICKED_FIRST = pattern(
    rf"\W*(?:(?:{_YES}|{_LEADING})(?:\W+|(?<=[^\x00-\x7f])(?=\d)))*(?:{_CHOICE}\s*)?({_LABEL})"
    rf"(?:{_AND}(?:{_CHOICE}\s*)?({_LABEL}))?(?:{_AND}(?:{_CHOICE}\s*)?({_LABEL}))?"
    r"(?:[^\w\s]*\s*(?:please|then|it is|one|번|番|番目|号|bitte|por favor|s'il (?:te|vous) plaît)?\W*|\s*[,;.:)–—-]+\s.*|\s+(?:but|and|then)\s.*)",
    re.IGNORECASE | re.DOTALL,
)
_PICKED_BY_MARK = pattern(
    rf"\b{_CHOICE}\s*({_LABEL})\b|(?<![\w(])([A-Ha-h]|\d)\)(?!\w)", re.IGNORECASE
)
_ORDINAL = pattern(
    r"(?:\W*(?:the )?|.*\bthe )(?:(first)|(second)|(third)|(fourth))(?: (?:one|option|approach|choice)\b.*|\W*)",
    re.IGNORECASE | re.DOTALL,
)
# Whoever says what they do not want has picked nothing.
_REFUSES = pattern(
    r"\b(?:not|no|none|neither|nor|never|\w+n't|dont|except|without|anything but|instead of|rather than|nicht|kein\w*|pas|ni|sin)\b|不|别|ไม่|말고|ない",
    re.IGNORECASE,
)


def picked_option(words: str, offer: str) -> str:
    """Return the options of a message that an answer picks by their labels, or nothing."""
    offered = _offered(offer)
    picked = (offered.get(label, "") for label in _labels(words))
    return " · ".join([text for text in picked if text][:_MOST_PICKED])


def offered_lines(message: str) -> frozenset[str]:
    """Return the lines of a message that are options to choose from: those called so,
    and those counted, if the message closes with the question which of them."""
    lines = [line for line in message.split("\n") if line.strip()]
    asks = any(is_question(line) and _WHICH.search(line) for line in lines[-_CLOSING:])
    return frozenset(
        line for line in lines if (_OFFERED if asks else _CALLED_OPTION).match(line)
    )


def _labels(words: str) -> Iterator[str]:
    first = _PICKED_FIRST.fullmatch(words)
    if first is None and _REFUSES.search(words):
        return
    found = [first] if first else _PICKED_BY_MARK.finditer(words)
    for match in found:
        yield from (label.lower() for label in match.groups() if label)
    if first is None and (counted := _ORDINAL.fullmatch(words)):
        yield from (str(n) for n, word in enumerate(counted.groups(), 1) if word)


def _offered(message: str) -> dict[str, str]:
    """Return the options by their labels; of a label given twice, the last, and one on
    a line of its own before one within a line."""
    alone: dict[str, str] = {}
    within: dict[str, str] = {}
    for line in without_code(message):
        bare = plain(line.replace("**", ""))
        options = _within(bare)
        within |= options
        label = _OFFERED.match(line)
        if label and label[1].lower() not in options:
            text = plain(line[label.end() :].replace("**", "")).strip()
            alone[label[1].lower()] = f"{label[1]}) {text}"
    return within | alone


def _within(line: str) -> dict[str, str]:
    """Return the options that stand in one line, if they are counted from the first."""
    marks = list(_OFFERED_WITHIN.finditer(line))
    labels = [mark[1].lower() for mark in marks]
    first = next((n for n, label in enumerate(labels) if label in ("a", "1")), None)
    if first is None:
        return {}
    counted = _LETTERS if labels[first] == "a" else _DIGITS
    pairs = zip(marks[first:], counted, strict=False)
    run = [
        mark for mark, _ in takewhile(lambda pair: pair[0][1].lower() == pair[1], pairs)
    ]
    if len(run) < _FEWEST_WITHIN:
        return {}
    found: dict[str, str] = {}
    for mark, following in zip(run, (*run[1:], None), strict=True):
        if following:
            text = _without_joint(line[mark.end() : following.start()])
        else:
            text = _ENDS_LAST.sub("", line[mark.end() :], count=1).strip()
        found[mark[1].lower()] = f"{mark[1]}) {text}"
    return found


def _without_joint(option: str) -> str:
    """Return an option without what leads to the next one: a comma, an "or"."""
    bare = option.rstrip(_BETWEEN)
    before, _, last = bare.rpartition(" ")
    return before.rstrip(_BETWEEN) if last.lower() in _JOINING else bare
