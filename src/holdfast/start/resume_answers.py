"""What a short answer says to `resume it?`."""

from typing import Literal

from holdfast.language.content_words import folded
from holdfast.language.languages import Cues

Answer = Literal["resume", "keep", "discard"]
_ANSWERS: tuple[tuple[Answer, Cues], ...] = (
    ("discard", Cues(lambda spoken: spoken.questions.discard)),
    ("keep", Cues(lambda spoken: spoken.questions.keep)),
    ("resume", Cues(lambda spoken: spoken.questions.resume)),
)
_MOST_ANSWER = 24


def answer_of(prompt: str) -> Answer | None:
    """Return what a short answer says to `resume it?`, or None."""
    text = folded(prompt).strip(" .!?。")
    if len(text) > _MOST_ANSWER:
        return None
    for answer, expression in _ANSWERS:
        if expression.match(text):
            return answer
    return None
