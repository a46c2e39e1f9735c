"""A name for a checkpoint, suggested from the work."""

from holdfast.domain.checkpoint import Content
from holdfast.kernel.errors import NameInvalid
from holdfast.kernel.ids import name as checked
from holdfast.kernel.lazy_patterns import pattern

_MOST_WORDS, _LEAST_WORDS = 4, 2
_MOST_CHARACTERS = 40
# Not `\w`: the vowels of some scripts are marks, not letters.
_BETWEEN = pattern(r"[\s/,:;!?\"'()\[\]{}<>|`—–·_=+*#-]+")
_MAINLINE = ("main", "master", "trunk", "develop", "dev", "head")
# Words that say nothing about which work it is.
_EMPTY = pattern(
    r"a|an|the|and|or|but|of|for|to|in|on|at|by|with|from|into|as|is|are|was|be|been|it|its"
    r"|this|that|these|those|i|you|we|they|he|she|me|my|your|our|their|please|can|could|would"
    r"|should|will|do|does|did|done|make|let|lets|need|want|try|get|got|go|now|then|also|just"
    r"|not|no|yes|ok|so|if|when|why|what|how|which|again|still|all|some|any|one|user|asked"
    r"|session|began|came|changed|nothing|yet|like|explain|option"
)


def suggested_name(content: Content, branch: str | None) -> str:
    """Return two to four words of the work, as a name; `work` if nothing tells more.

    A branch that is not the main line was named for the work by a person.
    """
    named = _words((branch or "").rpartition("/")[2])
    if named == named[:1] and "".join(named) in _MAINLINE:
        named = []
    told = [
        [word for word in _words(text) if not _EMPTY.fullmatch(word)]
        for text in (content.title, " ".join(content.topics), content.summary)
    ]
    for words in (named, *told):
        if len(words) >= _LEAST_WORDS:
            return _named("-".join(_fitting(words)))
    return _named("-".join((*(named or told[0]), "work")))


def _words(text: str) -> list[str]:
    found = (word.strip(".").lower() for word in _BETWEEN.split(text))
    return [word for word in found if word]


def _fitting(found: list[str]) -> list[str]:
    words = found[:_MOST_WORDS]
    while len("-".join(words)) > _MOST_CHARACTERS and len(words) > 1:
        words.pop()
    return words


def _named(text: str) -> str:
    try:
        return checked(text[:_MOST_CHARACTERS])
    except NameInvalid:
        return "work"
