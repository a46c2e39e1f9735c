"""What stands for a thing until it is asked for something."""

from dataclasses import dataclass

import pytest

from holdfast.kernel.lazy_values import late


@dataclass
class Bell:
    name: str
    rung: int = 0

    def ring(self) -> int:
        self.rung += 1
        return self.rung


def test_a_thing_is_made_once_and_when_it_is_first_asked() -> None:
    """A hook pays only for the adapters it uses."""
    made: list[Bell] = []

    def make() -> Bell:
        made.append(Bell("b"))
        return made[-1]

    bell = late(make)
    before = len(made)

    assert (bell.ring(), bell.ring(), bell.name) == (1, 2, "b")
    assert (before, len(made)) == (0, 1)


def test_a_failure_to_make_it_is_told_each_time() -> None:
    """A store that was busy may be free at the next call."""
    bells: list[Bell] = []

    def make() -> Bell:
        if not bells:
            raise OSError("busy")
        return bells[0]

    bell = late(make)
    with pytest.raises(OSError, match="busy"):
        bell.ring()
    bells.append(Bell("b"))

    assert bell.ring() == 1
