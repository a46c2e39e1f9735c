"""What a short answer (English, Thai, Korean) says to `resume it?`."""

import re
from typing import Literal

from holdfast.kernel.lazy_patterns import pattern
from holdfast.language.content_words import folded

Answer = Literal["resume", "keep", "discard"]
_ANSWERS: tuple[tuple[Answer, re.Pattern[str]], ...] = (
    (
        "discard",
        pattern(
            r"(?:discard|delete|throw (?:it )?away|drop it|remove it)(?![a-z])"
            r"|ลบ|ทิ้ง|삭제|버려|지워"
        ),
    ),
    (
        "keep",
        pattern(r"(?:keep|no|later)(?![a-z])|เก็บ|ไม่|ไว้ก่อน|보관|유지|아니|나중"),
    ),
    (
        "resume",
        pattern(
            r"(?:resume|continue|yes|yeah|y|ok|okay|load it)(?![a-z])"
            r"|ทำต่อ|ต่อ|ใช่|โอเค|ได้|네|예|응|계속|이어서"
        ),
    ),
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
