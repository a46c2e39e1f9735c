"""What the agent said last that says where the work stands."""

from collections.abc import Sequence
from itertools import islice

from holdfast.domain.session import Said, Turn
from holdfast.domain.text import extent, one_line
from holdfast.facts.requests.requests import is_request, last_at_work
from holdfast.language.speech import is_procedure, states_something, told_in

_LOOK_BACK = 60  # messages; what was said before them is not where it stands
_SAYS_SOMETHING = 25  # characters that are left of a message without its packaging
_SHORT = 120  # characters of a closing message that is told whole


def last_words_of(turns: Sequence[Turn]) -> Said | None:
    """Return the agent's last message that says something, not what it was about to do.

    Few words that state something are passed over for more in the same turn only: what
    was said before the user spoke again was answered.
    """
    short: Said | None = None
    left = _LOOK_BACK
    for turn in reversed(turns):
        if short and states_something(short.text):
            break
        for said in islice(reversed(turn.said), left):
            told = told_in(said.text)
            if extent(told) >= _SAYS_SOMETHING:
                return said
            if told and short is None:
                short = said
        left = max(0, left - len(turn.said))
        if not left:
            break
    return short


def told_last(said: Said, turns: Sequence[Turn]) -> tuple[str, str]:
    """Return the agent's last words, what closed the turn first, short as it is: those
    since the last request, and those before it."""
    last = last_at_work(turns)
    speaking = next((turn for turn in reversed(turns) if turn.said), None)
    closing = "" if speaking is None else _closing(speaking, said)
    told = told_in(said.text)
    if last is None or not is_request(last) or said in last.said:
        return f"{closing}{told}", ""
    return (closing, told) if speaking is last else ("", f"{closing}{told}")


def _closing(turn: Turn, said: Said) -> str:
    """Return the message that closed a turn, if it is another one than `said`."""
    last = turn.said[-1]
    is_closing = not (turn.calls and turn.calls[-1].at > last.at)
    if last is said or not is_closing or is_procedure(last.text):
        return ""
    told = told_in(last.text) or one_line(last.text, _SHORT)
    return f"{told}\n"
