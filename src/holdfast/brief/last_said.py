"""What the agent said last, in growing lengths: how it came out, what it left, then the rest.

A closing message is read from both ends: its first sentence that tells something, then
what it closes with and what it calls open; an outline of the parts between comes before
their details. What was left out is marked where it stood.
"""

from collections.abc import Collection, Iterator, Sequence
from functools import lru_cache

from holdfast.brief.phrases import MORE, flat, indented, shortened
from holdfast.domain.checkpoint import Content, said_since
from holdfast.domain.text import extent, unmarked
from holdfast.kernel.lazy_tuples import NamedTuple
from holdfast.language.agent_messages import (
    names_something,
    says_nothing,
    tells_alone,
    tells_trouble,
)
from holdfast.language.languages import Cues
from holdfast.language.sentences import is_bullet, is_question, sentences

_BEFORE = "Said before this was asked: "
_SAID = "Last said: "

# What a reader can do without: praise, and what is ticked off.
_WELL = Cues(
    lambda spoken: spoken.statements.heads_well, common=r"^[\s-]*(?:[✅✓✔☑🎉]|\[x\])"
)

# What the next session must know: what is wrong, what is left, what is asked.
_OPEN = Cues(lambda spoken: spoken.statements.heads_open, common=r"^[\s-]*[⚠❌✗❓]")
_OPENING = 3  # sentences in which a message comes to the point
_SHORT = 300  # letters, with no room for what was said before
_LONG = 40  # letters of a sentence that says something though it names nothing
_COLONS = (":", "：")

# How soon a piece of a message is told.
_POINT, _CLOSE, _LEFT, _OUTLINE, _DETAIL, _FINE = range(6)


class _Piece(NamedTuple):
    """A sentence, an entry of a list, or what stands above one."""

    line: int
    text: str
    block: int  # a paragraph, or a heading with its list
    is_entry: bool = False
    is_heading: bool = False


def last_said(content: Content, *limits: int) -> tuple[str, ...]:
    """Return the agent's last words in growing lengths, as such, and when they were said."""
    steps = {flat(item.text) for item in (*content.next_steps, *content.manual_steps)}
    asked = [s for item in content.open_questions for s in sentences(item.text)]
    since = unmarked(_without_steps(_without(said_since(content), asked), steps))
    before = unmarked(_without_steps(content.said_before, steps))
    told = (
        [
            *said_forms(since, limit, begins=_SAID),
            *(
                said_forms(before, limit, begins=_BEFORE)
                if not since or limit > _SHORT
                else ()
            ),
        ]
        for limit in limits
    )
    return tuple(dict.fromkeys("\n  ".join(words) for words in told if words))


@lru_cache(maxsize=64)  # each layout asks
def said_forms(text: str, *limits: int, begins: str = "") -> tuple[str, ...]:
    """Return what was said in growing lengths, equal ones once."""
    lines = [bare for line in text.split("\n") if (bare := line.strip())]
    if not lines:
        return ()
    told = (begins + indented(_within(lines, limit)) for limit in limits)
    return tuple(dict.fromkeys(told))


def _without(said: str, asked: Sequence[str]) -> str:
    """Return what was said, but for what is told as a question that waits."""
    for sentence in asked:
        said = said.replace(sentence, "")
    return said


def _without_steps(said: str, steps: Collection[str]) -> str:
    """Return what was said, but for the steps that are told as next."""
    left: list[str] = []
    announced = False  # the line before this one is a step
    for line in said.split("\n"):
        is_step = flat(line.strip().removeprefix("- ")) in steps
        if announced and not is_step:
            _drop_announcement(left)
        announced = is_step or (announced and is_bullet(line))
        left += () if is_step else _besides_steps(line, steps)
    if announced:
        _drop_announcement(left)
    return "\n".join(left)


def _besides_steps(line: str, steps: Collection[str]) -> tuple[str, ...]:
    """Return a line without the sentences that name a step, as such ("Next: …") or not."""
    spoken = sentences(line)
    kept = [each for each in spoken if not _steps_in(each) & {*steps}]
    if len(kept) == len(spoken):
        return (line,)
    return (" ".join(kept),) if kept else ()


def _steps_in(sentence: str) -> set[str]:
    """Return the wordings in which a sentence may be told as a step."""
    return {flat(sentence), flat(sentence.partition(":")[2].strip())}


def _drop_announcement(lines: list[str]) -> None:
    """Take away the line that announced the steps behind it."""
    if lines and lines[-1].rstrip().endswith(_COLONS):
        lines.pop()


def _within(lines: Sequence[str], limit: int) -> str:
    if sum(map(extent, lines)) <= limit:
        return "\n".join(lines)
    pieces = _pieces(lines)
    needs = [*_needs(pieces)]
    chosen: set[int] = set()
    room = limit
    for place in _in_order_of_need(pieces, needs):
        if chosen and not _goes_on(place, pieces, needs, chosen):
            continue
        needed = [place, *_above(place, pieces, chosen)]
        cost = sum(extent(pieces[each].text) + 1 for each in needed)
        if cost <= room:
            chosen.update(needed)
            room -= cost
        elif not chosen:
            told = shortened(pieces[place].text, limit)
            is_all = told.endswith(("…", MORE)) or len(pieces) == 1
            return told if is_all else told + MORE
    known = chosen.union(n for n, need in enumerate(needs) if need == _FINE)
    return _told(pieces, chosen, known)


def _pieces(lines: Sequence[str]) -> list[_Piece]:
    found: list[_Piece] = []
    block = 0
    for number, line in enumerate(lines):
        following = lines[number + 1] if number + 1 < len(lines) else ""
        if is_bullet(line):
            found.append(_Piece(number, line, block, is_entry=True))
            continue
        block += 1
        if line.endswith(_COLONS) and is_bullet(following):
            *before, head = _spoken(line)
            found += (_Piece(number, sentence, block) for sentence in before)
            block += 1
            found.append(_Piece(number, head, block, is_heading=True))
        else:
            found += (_Piece(number, each, block) for each in _spoken(line))
    return found


def _spoken(line: str) -> list[str]:
    """Return the sentences of a line; signs alone, and what a colon leads to, belong to
    the one before."""
    found: list[str] = []
    for sentence in sentences(line) or (line,):
        is_rest = sentence.startswith(_COLONS) or not any(map(str.isalnum, sentence))
        if found and is_rest:
            found[-1] += sentence if sentence.startswith(_COLONS) else f" {sentence}"
        else:
            found.append(sentence)
    return found


def _in_order_of_need(pieces: Sequence[_Piece], needs: Sequence[int]) -> list[int]:
    """Return the places of what is told, the most needed first; a heading comes with
    what stands below it, and what is well only where all is told."""
    places = [
        place
        for place, piece in enumerate(pieces)
        if needs[place] != _FINE and not piece.is_heading
    ]
    return sorted(places or range(len(pieces)), key=lambda place: (needs[place], place))


def _needs(pieces: Sequence[_Piece]) -> Iterator[int]:
    """Yield for each piece how soon it is told."""
    point, close = _point(pieces), _closing_block(pieces)
    left = False  # what stands below what is open is open, too
    led: set[int] = set()  # blocks of which the outline tells
    for place, piece in enumerate(pieces):
        left = left or (place > 0 and _OPEN.match(piece.text) is not None)
        need = _DETAIL
        if place == point:
            need = _POINT
        elif place < point or _WELL.match(piece.text) or says_nothing(piece.text):
            need = _FINE
        elif left:
            need = _LEFT
        elif piece.block == close:
            need = _CLOSE
        elif piece.block not in led and not piece.is_heading:
            need = _OUTLINE
        if not piece.is_heading:
            led.add(piece.block)
        yield need


def _goes_on(
    place: int, pieces: Sequence[_Piece], needs: Sequence[int], chosen: set[int]
) -> bool:
    """Say whether a piece begins a part, or goes on with what is told of it: one from
    the middle tells nothing."""
    if needs[place] in (_POINT, _LEFT, _OUTLINE):
        return True
    before = pieces[place - 1]
    if before.block != pieces[place].block or before.is_heading:
        return needs[place] == _CLOSE
    return place - 1 in chosen


def _point(pieces: Sequence[_Piece]) -> int:
    """Return the place of the sentence with which a message comes to the point."""
    spoken = [n for n, piece in enumerate(pieces) if not piece.is_heading][:_OPENING]
    telling = [n for n in spoken if _tells(pieces[n].text)]
    # Who answers often asks first what was asked.
    stated = (n for n in telling if not is_question(pieces[n].text))
    found = next(stated, next(iter([*telling, *spoken]), 0))
    # An entry needs the sentence above its list.
    block = [n for n in spoken if pieces[n].block == pieces[found].block]
    is_led = pieces[found].is_entry and block and not pieces[block[0]].is_entry
    return block[0] if is_led else found


def _closing_block(pieces: Sequence[_Piece]) -> int:
    """Return the last part of a message that tells something."""
    telling = (
        piece.block
        for piece in reversed(pieces)
        if piece.is_heading or (not piece.is_entry and _tells(piece.text))
    )
    return next(telling, pieces[-1].block)


def _tells(sentence: str) -> bool:
    if names_something(sentence) or tells_trouble(sentence) or is_question(sentence):
        return True
    return extent(sentence) >= _LONG and tells_alone(sentence)


def _above(place: int, pieces: Sequence[_Piece], chosen: set[int]) -> Iterator[int]:
    """Yield the heading that an entry needs to be understood, if it is not told yet."""
    if not pieces[place].is_entry:
        return
    for above in range(place - 1, -1, -1):
        if pieces[above].is_heading and pieces[above].block == pieces[place].block:
            if above not in chosen:
                yield above
            return


def _told(pieces: Sequence[_Piece], chosen: set[int], known: set[int]) -> str:
    """Return the chosen pieces, with a mark behind which something is missing that is
    not `known` to be well."""
    lines: dict[int, str] = {}
    is_whole = True
    for place, piece in enumerate(pieces):
        is_whole = is_whole and place in known
        if place in chosen:
            if not is_whole:
                _mark_last(lines)
            before = lines.get(piece.line)
            lines[piece.line] = f"{before} {piece.text}" if before else piece.text
            is_whole = True
    if not is_whole:
        _mark_last(lines)
    return "\n".join(lines.values())


def _mark_last(lines: dict[int, str]) -> None:
    if lines:
        newest = max(lines)
        lines[newest] = lines[newest].rstrip(" :：") + MORE
