"""The kinds of items: ONE table of what each is called, worth, and how long it is kept.

A new kind is a row here, a field of `Content`, an extractor in `facts` and their tests.
Columns that say a place give the order in which a room tells the kinds; None: there it is
not told at all.
"""

from collections.abc import Callable, Mapping

from holdfast.kernel.lazy_tuples import NamedTuple
from holdfast.kernel.lazy_values import dataclass, field

FORGOTTEN_AFTER = 3  # sessions in a row that did not touch an item
RULES_FORGOTTEN_AFTER = 10
USUAL_SEARCH_WEIGHT = 0.7


class Worth(NamedTuple):
    """What a kind of line is worth: its best one, how the next ones fade, and how long
    one may be at once that is owed a place: so many octets, and more where there is more
    room."""

    best: float
    fade: float = 1.0
    whole: int = 0  # octets; where room is so scarce that little will compete
    share: float = 0.0  # of the room, where it is not


@dataclass(frozen=True, slots=True)
class LineKind:
    """A kind of line in a brief, and how many of it have a place before the rest
    compete: `owed` says at which turn how many."""

    name: str
    worth: Worth
    owed: Mapping[int, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class ItemKind:
    """A kind of item: its field in `Content` and in the record, and all that rooms say
    of it without looking at an item."""

    name: str
    heading: str = ""  # in a view of the record
    word: str = ""  # for one of them
    receipt: str = ""  # what a receipt calls them
    shown: str = ""  # the same in the words of a brief, where it differs
    lines: tuple[LineKind, ...] = ()
    forgotten_after: int | None = None  # sessions without a touch; None: not inherited
    search_weight: float = USUAL_SEARCH_WEIGHT
    is_noted: bool = False  # an agent's notes may add some
    is_claim: bool = False  # and say by them what is so
    is_passing: bool = False  # what is left of it now: one that is gone was settled
    viewed: int | None = None
    compared: int | None = None
    searched: int | None = None
    counted: int | None = None  # in the receipt
    inherited: int | None = None


# A person who reads only the first lines must be able to start: what is wanted, what
# waits, where the work is, what was said of it last, what is left to do. A few of a list
# come there, more of it when all of these have their place. Then rules and results take
# turns, so that words which are longer in one language than in another push no kind out.
KINDS = (
    ItemKind(
        name="goal", heading="Goal", word="goal",
        lines=(
            LineKind("goal", Worth(1000, whole=480, share=0.3), {1: 1}),
            LineKind("answered", Worth(90, share=0.15), {3: 1}),
        ),
        forgotten_after=RULES_FORGOTTEN_AFTER, search_weight=1.5,
        viewed=0, compared=0, searched=0, inherited=0,
    ),
    ItemKind(
        name="requests", heading="Requests", word="request", receipt="requests",
        lines=(
            LineKind("current", Worth(400, whole=400, share=0.15), {2: 1}),
            LineKind("earlier", Worth(300, 0.87, whole=300), {19: 3, 26: 6}),
        ),
        search_weight=1.0, viewed=1, compared=1, searched=1, counted=1,
    ),
    ItemKind(
        name="key_outcomes", heading="Outcomes", word="outcome", receipt="outcomes", shown="done",
        lines=(
            LineKind("commit", Worth(60, 0.85), {15: 1}),
            LineKind("outcome", Worth(40, 0.85), {32: 1}),
        ),
        is_noted=True, is_claim=True, viewed=3, compared=9, searched=6, counted=13,
    ),
    ItemKind(
        name="decisions", heading="Decisions", word="decision", receipt="decisions",
        lines=(LineKind("decision", Worth(140, 0.92), {12: 2}),),
        forgotten_after=FORGOTTEN_AFTER, search_weight=1.5, is_noted=True, is_claim=True,
        viewed=4, compared=3, searched=3, counted=11, inherited=2,
    ),
    ItemKind(
        name="discoveries", heading="Discoveries", word="discovery", receipt="discoveries", shown="found",
        lines=(
            LineKind("found", Worth(20, 0.83), {33: 1}),
            LineKind("report", Worth(40, 0.8)),
        ),
        is_noted=True, is_claim=True, viewed=5, compared=10, searched=7, counted=12,
    ),
    ItemKind(
        name="pending", heading="Pending", word="todo", receipt="todos",
        lines=(LineKind("todo", Worth(120, share=0.05), {9: 3, 25: 6}),),
        forgotten_after=FORGOTTEN_AFTER, is_noted=True,
        is_passing=True, viewed=6, compared=4, searched=8, counted=8, inherited=3,
    ),
    ItemKind(
        name="next_steps", heading="Next", word="next step", receipt="next_steps", shown="next steps",
        lines=(LineKind("next", Worth(70, 0.8), {13: 1, 30: 3}),),
        is_noted=True, is_passing=True, viewed=7, compared=5, searched=9, counted=9,
    ),
    ItemKind(
        name="manual_steps", heading="By hand", word="manual step", receipt="manual_steps", shown="manual steps",
        lines=(LineKind("manual", Worth(90, 0.8), {14: 1}),),
        forgotten_after=FORGOTTEN_AFTER,
        is_passing=True, viewed=12, compared=12, searched=14, counted=15, inherited=7,
    ),
    ItemKind(
        name="open_questions", heading="Open questions", word="question", receipt="questions",
        lines=(LineKind("question", Worth(80, 0.7), {4: 1}),),
        forgotten_after=FORGOTTEN_AFTER, is_noted=True,
        is_passing=True, viewed=8, compared=6, searched=10, counted=10, inherited=4,
    ),
    ItemKind(
        name="instructions", heading="Instructions", word="instruction", receipt="instructions",
        lines=(LineKind("instruction", Worth(200, 0.97), {6: 2, 20: 3}),),
        forgotten_after=RULES_FORGOTTEN_AFTER, search_weight=1.5, is_noted=True,
        viewed=2, compared=2, searched=2, counted=2, inherited=1,
    ),
    ItemKind(
        name="errors", heading="Errors", word="error", receipt="errors",
        lines=(
            LineKind("error", Worth(240, 0.72), {8: 1, 23: 2}),
            LineKind("evidence", Worth(64, 0.86), {34: 1}),
            LineKind("mended", Worth(15, 0.72)),
        ),
        forgotten_after=FORGOTTEN_AFTER, search_weight=1.3,
        is_passing=True, viewed=9, compared=7, searched=4, counted=6, inherited=5,
    ),
    ItemKind(
        name="dead_ends", heading="Dead ends", word="dead end", receipt="dead_ends", shown="dead ends",
        lines=(
            LineKind("refused", Worth(130, 0.8), {16: 1}),  # with the user's words
            LineKind("dead_end", Worth(70, 0.8), {24: 1}),
        ),
        forgotten_after=FORGOTTEN_AFTER, search_weight=1.3, is_noted=True,
        viewed=10, compared=8, searched=5, counted=7, inherited=6,
    ),
    ItemKind(
        name="in_flight", heading="In flight", word="in flight", receipt="in_flight", shown="in flight",
        lines=(LineKind("in_flight", Worth(150, 0.8), {5: 2, 36: 3}),),
        is_passing=True, viewed=11, compared=11, searched=11, counted=14,
    ),
    # Errors and questions that only somebody else can take away; a brief tells those.
    ItemKind(name="blockers", heading="Blockers", viewed=13),
    ItemKind(name="error_lines", searched=12),
    # What they say stands in the kinds above, too: this is how they are kept.
    ItemKind(
        name="notes", lines=(LineKind("note", Worth(150, 0.9)),),
        forgotten_after=RULES_FORGOTTEN_AFTER, inherited=8,
    ),
    ItemKind(name="story", lines=(LineKind("story", Worth(30, 0.9), {35: 2}),), searched=13),
)  # fmt: skip
# What a brief tells besides items.
_OTHER_LINES = (
    LineKind("drift", Worth(60), {31: 1}),
    LineKind("uncommitted", Worth(60, 0.97), {7: 3, 17: 6}),
    LineKind("file", Worth(24, 0.92), {18: 2, 22: 4, 28: 6}),
    LineKind("command", Worth(60, 0.88), {21: 4, 27: 6}),
    LineKind("stands", Worth(240, whole=290, share=0.2), {10: 1}),
    LineKind("asking", Worth(330, whole=150, share=0.25), {11: 1}),
    LineKind("said", Worth(80)),
    LineKind("plan", Worth(40), {29: 1}),
    LineKind("model", Worth(120)),
)
# What a receipt counts besides items, with its place and the words of a brief.
_OTHER_COUNTED = (
    ("files_edited", 3, "edits"),
    ("files_read", 4, "reads"),
    ("commands", 5, "commands"),
)


def _in_order(place: Callable[[ItemKind], int | None]) -> tuple[str, ...]:
    """Return the fields of the kinds that have a place somewhere, in order."""
    placed = ((at, kind.name) for kind in KINDS if (at := place(kind)) is not None)
    return tuple(name for _, name in sorted(placed))


ITEM_FIELDS = tuple(kind.name for kind in KINDS)
KIND_OF = {kind.name: kind for kind in KINDS}
VIEWED = _in_order(lambda kind: kind.viewed)
COMPARED = _in_order(lambda kind: kind.compared)
SEARCHED = _in_order(lambda kind: kind.searched)
INHERITABLE = _in_order(lambda kind: kind.inherited)
NOTED = tuple(kind.name for kind in KINDS if kind.is_noted)
PASSING = tuple(kind.name for kind in KINDS if kind.is_passing)
CLAIMS = tuple(kind.name for kind in KINDS if kind.is_claim)
_COUNTED = sorted(
    [
        *_OTHER_COUNTED,
        *((k.receipt, k.counted, k.shown or k.receipt) for k in KINDS if k.counted),
    ],
    key=lambda row: row[1],
)
# Receipt kinds in the order they are told, and their words.
RECEIPT_KINDS = tuple(name for name, _, _ in _COUNTED)
RECEIPT_WORDS = {name: word for name, _, word in _COUNTED}
LINES = (*(line for kind in KINDS for line in kind.lines), *_OTHER_LINES)
