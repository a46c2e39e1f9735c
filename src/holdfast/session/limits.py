"""How much of a session its state keeps."""

from holdfast.kernel.lazy_tuples import NamedTuple


class Bounds(NamedTuple):
    """How much of a turn is kept."""

    calls: int
    said_first: int
    said_last: int
    lines: int


class Limits(NamedTuple):
    """How much of a session is kept, so that memory stays flat at any length."""

    main: Bounds = Bounds(calls=400, said_first=5, said_last=25, lines=20_000)
    # A sub-agent's chain is never rewound: its last line is kept to count lines.
    sub_agent: Bounds = Bounds(calls=100, said_first=1, said_last=9, lines=1)
    agents: int = 100
    detailed_turns: int = 1_000  # older ones are thinned
    look_back: int = 50  # turns before the last in which a result looks for its call
