"""Whether a sentence holds beyond the moment it was said in.

Two strengths: what says so anywhere in a sentence, and what says so only where the
sentence does not begin as a description ("it always fails", "ça ne marche toujours pas").
Words that only sound like a rule (an answer, a guess, a report, a comfort) are left out
of it first; what else it says still counts: "no, it still fails, but don't touch it".
"""

from holdfast.domain.text import extent
from holdfast.kernel.lazy_patterns import pattern
from holdfast.language.languages import Cues, Spoken, Template
from holdfast.language.prose import is_question

_SHORTEST, _LONGEST = 6, 400  # letters, characters of a sentence that can be a rule
_ANYWHERE = Cues(lambda spoken: f"{spoken.rules.cues}\n|{spoken.rules.shapes}")
_UNLESS_DESCRIBED = Cues(lambda spoken: spoken.rules.weak_cues)
_LIKENESS = Cues(lambda spoken: spoken.rules.likeness)
_ASKED = Cues(lambda spoken: spoken.questions.asked)
_REPORTED = Cues(lambda spoken: spoken.rules.reported)
# What stands in quotation marks or backticks is named, not said.
_QUOTED = pattern(
    r"`[^`]*`|\"[^\"]*\"|“[^”]*”|„[^“”]*[“”]|«[^»]*»|「[^」]*」|『[^』]*』"
)
_CODE = pattern(
    r"^\s*(?://|at |go: |[⏺⎿❯✓✗]|v \* |File \"|\d+:|import |const |def |func |[+-]{2,}|[$❯>|{}<])"
)


def _described(words: Spoken) -> str:
    nods = words(lambda spoken: spoken.rules.nods)
    return rf"^(?:(?:{nods})[,\s]+)*(?:{words(lambda spoken: spoken.rules.describes)})"


# How a sentence begins that tells of something: a subject, or what something always does.
_DESCRIBES = Template(_described)


def is_rule(sentence: str) -> bool:
    """Say whether a sentence holds beyond the moment it was said in."""
    if extent(sentence) < _SHORTEST or len(sentence) > _LONGEST:
        return False
    is_heading = sentence.endswith((":", "："))
    if is_heading or _CODE.match(sentence) or is_question(sentence):
        return False
    said = _LIKENESS.sub("“”", _QUOTED.sub("“”", sentence))
    if _ASKED.search(said) or _REPORTED.search(said):
        return False
    if holds_anywhere(said):
        return True
    is_weak = _UNLESS_DESCRIBED.search(said) is not None
    return is_weak and not _DESCRIBES.for_text(said).match(said)


def holds_anywhere(sentence: str) -> bool:
    """Say whether a sentence holds from now on, wherever in it that is said."""
    return _ANYWHERE.search(sentence) is not None
