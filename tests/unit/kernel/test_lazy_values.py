"""Dataclasses whose methods are made late: they must be what the standard ones are."""

import dataclasses
from typing import Any

import pytest
from hypothesis import given, strategies as st

from holdfast.kernel.lazy_values import dataclass, field, field_names, replace


@dataclass(frozen=True, slots=True)
class Point:
    """Where something is."""

    x: int
    y: int = 0
    names: tuple[str, ...] = ()

    @property
    def is_origin(self) -> bool:
        return self.x == self.y == 0


@dataclasses.dataclass(frozen=True, slots=True)
class StandardPoint:
    x: int
    y: int = 0
    names: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Named:
    name: str
    notes: list[str] = field(default_factory=list)
    make: str = ""  # a field may be called like anything that is used inside


@dataclass(slots=True)
class Counter:
    count: int = 0


@dataclass(frozen=True, slots=True)
class Nothing:
    pass


_WAYS_TO_MAKE: list[Any] = [
    pytest.param((1,), {}, id="defaults"),
    pytest.param((1, 2, ("a",)), {}, id="by place"),
    pytest.param((1,), {"names": ("b",)}, id="by place and name"),
    pytest.param((), {"y": 3, "x": 2}, id="by name"),
    pytest.param((), {}, id="one missing"),
    pytest.param((1, 2, (), 4), {}, id="one too many"),
    pytest.param((1,), {"x": 1}, id="one twice"),
    pytest.param((1,), {"z": 1}, id="an unknown one"),
]


def _made(kind: type, given_: tuple[Any, ...], named: dict[str, Any]) -> str:
    """Show a new value, or why there is none."""
    try:
        return repr(kind(*given_, **named))
    except TypeError as error:
        return str(error)


@pytest.mark.parametrize(("given_", "named"), _WAYS_TO_MAKE)
def test_a_value_is_made_as_the_standard_one(
    given_: tuple[Any, ...], named: dict[str, Any]
) -> None:
    """Also the first one of its kind, and also where making it must fail."""
    wanted, made = _made(StandardPoint, given_, named), _made(Point, given_, named)

    assert made == wanted.replace("StandardPoint", "Point")


@given(st.tuples(st.integers(0, 2), st.integers(0, 2)))
def test_values_are_equal_as_their_fields_are(place: tuple[int, int]) -> None:
    """Equality and hash are what states are compared and remembered by."""
    point, other = Point(*place), Point(1, 1)

    assert (point == other) == (place == (1, 1))
    assert (point != other) == (place != (1, 1))
    assert hash(point) == hash(Point(*place))
    others: tuple[object, ...] = (StandardPoint(*place), place)
    assert point not in others


def test_a_frozen_value_never_changes() -> None:
    """Turns are shared between states: changing one would change them all."""
    point = Point(1)

    with pytest.raises(dataclasses.FrozenInstanceError, match=r"Point\.x"):
        point.x = 2  # type: ignore[misc]  # what must fail
    with pytest.raises(dataclasses.FrozenInstanceError):
        del point.y
    with pytest.raises(dataclasses.FrozenInstanceError):
        point.z = 2  # type: ignore[attr-defined]  # what must fail

    assert point == Point(1)


def test_a_value_that_is_not_frozen_changes_and_has_no_hash() -> None:
    """Some are filled step by step, where nobody else sees them."""
    counter = Counter()

    counter.count += 2

    assert counter == Counter(2)
    with pytest.raises(TypeError):
        hash(counter)
    with pytest.raises(AttributeError):
        counter.other = 1  # type: ignore[attr-defined]  # it has slots


def test_keyword_fields_are_given_by_name_only() -> None:
    """With a dozen fields of text, a place says nothing."""
    with pytest.raises(TypeError):
        Named("a")  # type: ignore[call-arg]  # what must fail

    assert Named(name="a", make="b").make == "b"


def test_a_factory_makes_a_new_default_for_each_value() -> None:
    """A list that two values share would be nobody's."""
    one, other = Named(name="a"), Named(name="b")

    one.notes.append("x")

    assert other.notes == []


def test_replacing_changes_the_named_fields_of_a_copy() -> None:
    """The way every state goes on."""
    point = Point(1, 2, ("a",))

    moved = replace(point, y=5)

    assert moved == Point(1, 5, ("a",))
    assert point == Point(1, 2, ("a",))
    with pytest.raises(TypeError):
        replace(point, z=1)  # type: ignore[call-arg]  # what must fail


def test_the_standard_functions_know_these_values() -> None:
    """Tests, debuggers and `pytest` look at dataclasses through them."""
    point, named = Point(1, names=("a",)), Named(name="n")

    fields = {one.name: one for one in dataclasses.fields(Named)}

    assert dataclasses.asdict(point) == {"x": 1, "y": 0, "names": ("a",)}
    assert dataclasses.replace(point, x=2) == Point(2, names=("a",))
    assert dataclasses.is_dataclass(named)
    assert fields["name"].default is dataclasses.MISSING
    assert fields["notes"].default_factory is list
    assert fields["make"].default == ""


def test_a_class_keeps_its_doc_its_methods_and_its_place() -> None:
    """The class is made anew to have slots; nothing of it may get lost."""
    assert Point.__doc__ == "Where something is."
    assert Point.__module__ == __name__
    assert Point(0).is_origin
    assert not hasattr(Point(0), "__dict__")
    assert field_names(Point) == ("x", "y", "names")
    assert Nothing() == Nothing()
    assert repr(Nothing()) == "Nothing()"


def test_a_value_can_be_matched_by_place() -> None:
    """`case Point(x, y)` reads as it is written."""
    match Point(1, 2):
        case Point(x, y):
            assert (x, y) == (1, 2)


def test_a_kind_without_slots_is_refused() -> None:
    """A value with a `__dict__` can be changed behind its back."""
    with pytest.raises(TypeError, match="slots=True"):
        dataclass(frozen=True, slots=False)


def test_a_kind_with_a_base_is_refused() -> None:
    """The fields of a base would be forgotten without a word."""
    with pytest.raises(TypeError, match="has a base"):

        @dataclass(frozen=True, slots=True)
        class Further(Point):
            z: int = 0
