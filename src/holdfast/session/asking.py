"""What the user chose when the agent asked with its question tool.

The client answers `User has answered your questions: "Q"="A", "Q"="A" user notes: N. You
can now continue …`: the pairs are what was decided, the rest is packaging.
"""

from collections.abc import Iterator, Sequence

from holdfast.domain.session import Call
from holdfast.domain.text import one_line

ASKS = "AskUserQuestion"
_ANSWER, _QUESTION = '"="', ', "'  # what stands before each
_ANNOUNCES = "User has answered your questions"
_GOES_ON = ". You can now continue"
_NOTES, _PREVIEW = '" user notes: ', '" selected preview:'
_LONGEST = 320  # characters of a question, and of an answer
_MOST = 8


def kept_answers(questions: str, output: str) -> str:
    """Return what is kept of an answer: its pairs, or nothing if there are none."""
    pairs = _pairs(questions, output)
    return ", ".join(f'"{asked}{_ANSWER}{chosen}"' for asked, chosen in pairs)


def choices_of(call: Call) -> tuple[tuple[str, str], ...]:
    """Return each question that was answered, with the answer."""
    if call.tool != ASKS or call.outcome != "ok":
        return ()
    if pairs := tuple(_pairs(call.target, call.output)):
        return pairs
    if not call.output or call.output.startswith(_ANNOUNCES):  # cut before the answer
        return ()
    return ((one_line(call.target, _LONGEST), one_line(call.output, _LONGEST)),)


def _pairs(questions: str, output: str) -> Iterator[tuple[str, str]]:
    told = output.rpartition(_GOES_ON)[0] or output
    first, *pieces = told.split(_ANSWER, _MOST)
    asked = first.partition('"')[2]
    for place, piece in enumerate(pieces):
        if place == len(pieces) - 1:
            answer, following = piece, ""
        else:
            answer, following = _divided(piece, questions.split("\n"))
        yield one_line(asked, _LONGEST), one_line(_chosen(answer), _LONGEST)
        asked = following


def _divided(piece: str, questions: Sequence[str]) -> tuple[str, str]:
    """Return an answer and the next question, which may have quotes in it."""
    for question in questions:
        if question and piece.endswith(_QUESTION + question):
            return piece[: -len(_QUESTION + question)], question
    answer, _, question = piece.rpartition(_QUESTION)
    return answer, question


def _chosen(answer: str) -> str:
    """Return an answer with what the user noted at it, without what they were shown."""
    chosen, _, notes = answer.partition(_NOTES)
    chosen = chosen.partition(_PREVIEW)[0].removesuffix('"')
    return f"{chosen} ({notes})" if notes else chosen
