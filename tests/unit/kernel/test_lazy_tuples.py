"""Named tuples that are cheap to define: they must be what the standard ones are."""

import copy
import inspect
import pickle
from typing import Any, NamedTuple as Standard

import pytest

from holdfast.kernel.lazy_tuples import NamedTuple


class Call(NamedTuple):
    """One call; fields may be called like anything that is used inside."""

    kind: str
    place: int = 0
    cls: tuple[str, ...] = ()

    @property
    def is_first(self) -> bool:
        return self.place == 0


class StandardCall(Standard):
    kind: str
    place: int = 0
    cls: tuple[str, ...] = ()


@pytest.mark.parametrize(
    ("given", "named"),
    [
        pytest.param(("a",), {}, id="defaults"),
        pytest.param(("a", 1, ("b",)), {}, id="by place"),
        pytest.param((), {"cls": ("b",), "kind": "a"}, id="by name"),
        pytest.param((), {}, id="one missing"),
        pytest.param(("a", 1, (), 2), {}, id="one too many"),
        pytest.param(("a",), {"kind": "b"}, id="one twice"),
        pytest.param(("a",), {"other": "b"}, id="an unknown one"),
    ],
)
def test_a_tuple_is_made_as_the_standard_one(
    given: tuple[Any, ...], named: dict[str, Any]
) -> None:
    """Also the first one of its kind, and also where making it must fail."""
    wanted, made = _made(StandardCall, given, named), _made(Call, given, named)

    assert made == wanted.replace("StandardCall", "Call")


def _made(kind: Any, given: tuple[Any, ...], named: dict[str, Any]) -> str:
    """Show a new tuple, or why there is none."""
    try:
        return repr(kind(*given, **named))
    except TypeError as error:
        return str(error)


def test_it_is_a_tuple_with_names() -> None:
    """Calls are unpacked, compared, hashed and written out as tuples."""
    call = Call("a", 1)

    kind, place, cls = call

    assert (kind, place, cls) == call == tuple(StandardCall("a", 1))
    assert (call.kind, call.place, call.cls, call[0]) == ("a", 1, (), "a")
    assert hash(call) == hash(("a", 1, ()))
    assert isinstance(call, tuple)
    assert Call("a").is_first
    assert Call.__doc__ is not None
    assert not hasattr(call, "__dict__")
    with pytest.raises(AttributeError):
        setattr(call, "kind", "b")  # noqa: B010  # a type checker would object


def test_it_has_what_named_tuples_have() -> None:
    """State is encoded by `_fields` and decoded by `_make`."""
    call = Call("a", 1)

    assert Call._fields == StandardCall._fields
    assert Call._field_defaults == StandardCall._field_defaults
    assert Call._make(["b", 2, ()]) == ("b", 2, ())
    assert call._replace(place=3) == ("a", 3, ())
    assert call._asdict() == {"kind": "a", "place": 1, "cls": ()}
    with pytest.raises(TypeError):
        Call._make(["b"])
    with pytest.raises(TypeError):
        call._replace(other=1)  # type: ignore[call-arg]  # what must fail


def test_it_can_be_matched_and_copied() -> None:
    """As every value can."""
    call = Call("a", 1)

    match call:
        case Call(kind, place):
            assert (kind, place) == ("a", 1)
    assert copy.deepcopy(call) == call
    assert pickle.loads(pickle.dumps(call)) == call  # noqa: S301  # our own bytes


def test_its_signature_is_the_same_before_and_after_the_first_is_made() -> None:
    """Whoever makes values from types must not depend on who made one before."""

    class Fresh(NamedTuple):
        first: int
        second: str = "two"

    before = inspect.signature(Fresh)
    Fresh(1)

    assert str(before) == "(first, second='two')"
    assert inspect.signature(Fresh) == before
