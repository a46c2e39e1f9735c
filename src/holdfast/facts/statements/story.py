"""What the agent told on the way, and last of all: how it went, and where it stands."""

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import count, islice

from holdfast.domain.checkpoint import Item
from holdfast.domain.session import Said, Turn
from holdfast.domain.text import extent, one_line
from holdfast.facts.requests.options import offered_lines
from holdfast.facts.requests.requests import is_at_work, is_request, last_at_work
from holdfast.facts.work.touched_files import changed_by
from holdfast.kernel.lazy_patterns import pattern
from holdfast.language.agent_messages import (
    is_procedure,
    names_something,
    says_nothing,
    states_something,
    telling_sentences,
    tells_alone,
    tells_trouble,
    told_in,
    without_opening,
)
from holdfast.language.languages import Cues
from holdfast.language.sentences import (
    but_for_figures,
    excerpt,
    is_bullet,
    is_question,
    is_title,
    plain,
    sentences,
)

_MOST = 60  # sentences
_ENOUGH = 12  # sentences; with so many, none from the middle of an earlier turn
_MOST_EACH = 4  # of one message
_SHORTEST, _LONGEST = 30, 300  # characters of a sentence that tells something alone
_FEW_WORDS = 5
_LONG_ENTRY = 60  # characters of an entry of a list
_LONGEST_LEAD = 140  # characters of a sentence that leads on to a call

# Between what an entry names and what it says of it.
_PARTED = pattern(r"[:：][*_]*\s|[—–→=]|\s-\s")

# What is still to be done to something, or not as it should be.
_WANTED = Cues(lambda spoken: spoken.next_steps.wanted)
_ENDS = pattern(r"[.!?。！？][\"'”’)*`]*\s*$")

_LOOK_BACK = 60  # messages; what was said before them is not where it stands
_SAYS_SOMETHING = 25  # characters that are left of a message without its packaging
_SHORT = 120  # characters of a closing message that is told whole
_TWO = 2  # turns
_BRACKETS = {")": "(", "）": "（", "」": "「"}


def story_of(turns: Sequence[Turn], cwd: str = "") -> tuple[Item, ...]:
    """Return what was told, the newest message first, each sentence once; of earlier
    turns what they closed with and what was in the way, and more only if that is little."""
    found: dict[str, tuple[Item, bool]] = {}
    edited: dict[str, int] = {}  # the names of files, and when each was edited last
    for turn in reversed(turns):
        last = _note_edits(turn, cwd, edited)
        for said, leads_on in _newest_first(turn):
            is_closing = turn is turns[-1] or said is turn.said[-1]
            for sentence in _told_in(said.text, leads_on=leads_on):
                # Of two that differ in their figures the newest is told.
                gist = but_for_figures(sentence)
                if gist not in found and not (
                    _WANTED.search(sentence) and _is_met(sentence, said, edited, last)
                ):
                    item = Item(sentence, "agent", (said.uuid,), excerpt(sentence))
                    found[gist] = (item, is_closing or tells_trouble(sentence))
        if len(found) >= _MOST:
            break
    left = count(max(0, _ENOUGH - sum(is_told for _, is_told in found.values())), -1)
    told = (item for item, is_told in found.values() if is_told or next(left) > 0)
    return tuple(islice(told, _MOST))


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
            if _is_aside(told, said, turn):
                continue
            if extent(told) >= _SAYS_SOMETHING:
                return said
            if told and short is None:
                short = said
        left = max(0, left - len(turn.said))
        if not left:
            break
    return short


def _is_aside(told: str, said: Said, turn: Turn) -> bool:
    """Say whether few words on the way to the next call name nothing: "the file is cut
    off" is no place where work stands."""
    is_on_the_way = bool(turn.calls) and turn.calls[-1].at > said.at
    return is_on_the_way and extent(told) < _LONG_ENTRY and not names_something(told)


def told_last(said: Said, turns: Sequence[Turn]) -> tuple[str, str]:
    """Return the agent's last words, what closed the turn first, short as it is, and
    behind them what it came to as the client told it: those since the last request, and
    those before it."""
    last = last_at_work(turns)
    speaking = next((turn for turn in reversed(turns) if turn.said), None)
    closing = "" if speaking is None else _closing(speaking, said)
    told = told_in(said.text)
    if last is not None and (not is_request(last) or said in last.said):
        told = "\n".join(filter(None, (told, _since_request(said, turns))))
    if last is not None and last.recap:
        # Each sentence apart: none of its few is a detail of the one before.
        told = "\n".join((told, *sentences(plain(last.recap))))
    if last is None or not is_request(last) or said in last.said:
        return f"{closing}{told}", ""
    return (closing, told) if speaking is last else ("", f"{closing}{told}")


def _since_request(said: Said, turns: Sequence[Turn]) -> str:
    """Return what the work since the last request was closed with, where the last words
    are few: who is told that a task has ended answers with a word."""
    if extent(told_in(said.text)) > _SHORT:
        return ""
    for turn in reversed(turns):
        worked = turn.calls[-1].at if turn.calls else 0
        for closed in reversed(turn.said):
            told = told_in(closed.text) if worked < closed.at < said.at else ""
            if extent(told) > _SHORT and states_something(told):
                return told
        if is_request(turn):
            break
    return ""


def told_earlier(since: str, turns: Sequence[Turn]) -> str:
    """Return what the turn before closed with, where the last words are few and its
    request answered nothing: "Written to the file" does not say what was found."""
    spoken = [turn for turn in turns if is_at_work(turn)][-2:]
    if len(spoken) < _TWO or not is_request(spoken[-1]) or not spoken[0].said:
        return ""
    told = told_in(spoken[0].said[-1].text)
    if extent(since) > _SHORT or extent(told) <= extent(since) or not since:
        return ""
    return told if states_something(told) else ""


def recap_of(turns: Sequence[Turn], said: Said | None) -> Said | None:
    """Return what the client told of a session that was left alone, as the agent's."""
    last = last_at_work(turns)
    if said is None or last is None or not last.recap:
        return None
    return said._replace(text=last.recap)


def _newest_first(turn: Turn) -> Iterator[tuple[Said, bool]]:
    """Yield what was said in a turn, and whether a call followed it at once."""
    calls = [call.at for call in turn.calls]
    after = calls[-1] + 1 if calls else 0  # when something else was said
    for said in reversed(turn.said):
        place = bisect_right(calls, said.at)
        yield said, place < len(calls) and calls[place] < after
        after = said.at


def _note_edits(turn: Turn, cwd: str, edited: dict[str, int]) -> int:
    """Note when files were edited in a turn, the last in it, and return when that was."""
    last = 0
    for call in turn.calls:
        for path in changed_by(call, cwd):
            edited.setdefault(path.rpartition("/")[2], call.at)
            last = call.at
    return last


def _is_met(sentence: str, said: Said, edited: dict[str, int], last: int) -> bool:
    """Say whether what a sentence wants was done since: work on it went on in the turn,
    or a file that it names was edited later."""
    return said.at < last or any(
        at > said.at and name in sentence for name, at in edited.items()
    )


def _in_sentences(message: str) -> str:
    """Return a message without its headings and quotations, without options to choose
    from, and without entries of lists that are a few words and no sentence: alone they
    tell nothing."""
    offered = offered_lines(message)
    return "\n".join(
        line
        for line in message.split("\n")
        if not is_title(line)
        and not line.lstrip().startswith(">")
        and line not in offered
        and (not is_bullet(line) or _ENDS.search(line) or _explains(line))
    )


def _explains(entry: str) -> bool:
    """Say whether an entry of a list says something of what it names: names alone need
    what stands above their list."""
    return extent(entry) >= _LONG_ENTRY and _PARTED.search(entry) is not None


def _announces(message: str) -> tuple[str, ...]:
    """Return the sentence with which a message leads on to the call behind it, in
    whatever language: its last one, unless that tells at length or of trouble."""
    lines = message.rstrip().rsplit("\n", 1)
    last = sentences(lines[-1])[-1:]
    says_more = is_bullet(lines[-1]) or any(
        extent(sentence) > _LONGEST_LEAD or tells_trouble(sentence) for sentence in last
    )
    return () if says_more else last


@lru_cache(maxsize=1024)  # every checkpoint of a session asks
def _told_in(message: str, *, leads_on: bool) -> tuple[str, ...]:
    announced = _announces(message) if leads_on else ()
    telling = telling_sentences(_in_sentences(message))
    spoken = [
        sentence
        for sentence in (
            without_opening(one) for one in telling if one not in announced
        )
        if _SHORTEST <= extent(sentence) <= _LONGEST
        and (len(sentence.split()) >= _FEW_WORDS or not sentence.isascii())
        and not is_question(sentence)
        and not says_nothing(sentence)
        and tells_alone(sentence)
        and _is_whole(sentence)
    ]
    return tuple(spoken[:_MOST_EACH])


def _is_whole(sentence: str) -> bool:
    """Say whether a sentence does not end in a bracket that was opened before it."""
    last = sentence.rstrip(".。!！")[-1:]
    opens = _BRACKETS.get(last)
    return opens is None or sentence.count(opens) >= sentence.count(last)


def _closing(turn: Turn, said: Said) -> str:
    """Return the message that closed a turn, if it is another one than `said`."""
    last = turn.said[-1]
    is_closing = not (turn.calls and turn.calls[-1].at > last.at)
    if last is said or not is_closing or is_procedure(last.text):
        return ""
    told = told_in(last.text) or one_line(last.text, _SHORT)
    return f"{told}\n"
