"""Dataclasses whose methods are made when they are first used: defining one is cheap.

A hook imports some sixty kinds of values and makes few of them. The standard decorator
compiles six functions for each kind as it is defined, 0.94 ms a kind where this takes
0.01 ms (and 0.09 ms at its first use): what every save imports took 88 ms of CPU, with this
19 ms (docs/design/001-own-dataclasses.md). To a type checker, and to `dataclasses`, these
are the standard ones.

`late` does the same for one value: the composition root hands out a redactor that most
events never ask, and to import its rules and compile their expressions costs a hook tens
of milliseconds.
"""

from collections.abc import Callable, Mapping
from functools import cache
from operator import attrgetter
from typing import TYPE_CHECKING, Any, NoReturn, TypeVar, cast

from holdfast.kernel.lazy_tuples import NamedTuple, compile_text

_Value = TypeVar("_Value")
_PLAN = "__holdfast_plan__"


class _Factory(NamedTuple):
    """Makes what a field is filled with if nothing is given."""

    make: Callable[[], object]


class _Plan(NamedTuple):
    """A dataclass before anybody asked for its methods."""

    names: tuple[str, ...]
    defaults: Mapping[str, object]
    kw_only: bool
    values: Callable[[Any], object]


def field_names(kind: type) -> tuple[str, ...]:
    """Return the names of a dataclass's fields in order."""
    return _plan(kind).names


def late(make: Callable[[], _Value]) -> _Value:
    """Return what can be used as if it were what `make` returns; only then it is made."""
    return cast("_Value", _Late(make))


class _Late:
    def __init__(self, make: Callable[[], object]) -> None:
        self._made = cache(make)

    def __getattr__(self, name: str) -> object:
        # What was found once is found in the instance: nothing is asked twice.
        found = getattr(self._made(), name)
        setattr(self, name, found)
        return found


def _dataclass(
    *, slots: bool, frozen: bool = False, kw_only: bool = False
) -> Callable[[type], type]:
    """Make a class of annotated fields a dataclass."""
    if not slots:
        raise TypeError("a value has slots: write `slots=True`")

    def decorated(kind: type) -> type:
        if kind.__bases__ != (object,):
            raise TypeError(
                f"`{kind.__name__}` has a base: a value says all its fields"
            )
        body = dict(kind.__dict__)
        names = tuple(kind.__annotations__)
        defaults = {name: body.pop(name) for name in names if name in body}
        del body["__dict__"], body["__weakref__"]  # of the class without slots
        body |= _FROZEN if frozen else _MUTABLE
        body["__slots__"] = names
        if not kw_only:
            body["__match_args__"] = names
        values = attrgetter(*names) if names else _nothing
        body[_PLAN] = _Plan(names, defaults, kw_only, values)
        return type(kind.__name__, kind.__bases__, body)

    return decorated


def _field(*, default_factory: Callable[[], object]) -> _Factory:
    """Fill a field with something made anew for each value."""
    return _Factory(default_factory)


def _replace(value: _Value, /, **changes: object) -> _Value:
    """Return a copy of a value with some fields changed."""
    kind = type(value)
    for name in _plan(kind).names:
        if name not in changes:
            changes[name] = getattr(value, name)
    return kind(**changes)


def _plan(kind: type) -> _Plan:
    plan: _Plan = getattr(kind, _PLAN)
    return plan


def _nothing(_: object) -> tuple[()]:
    return ()


def _make_init(self: object, /, *given: object, **named: object) -> None:
    """Stand in for `__init__` until the first value is made."""
    kind = type(self)
    made = _compiled_init(kind)
    setattr(kind, "__init__", made)  # noqa: B010  # or a type checker would object
    made(self, *given, **named)


def _compiled_init(kind: type) -> Callable[..., None]:
    """Return an `__init__` that fills the slots, as if it had been written by hand."""
    plan = _plan(kind)
    space: dict[str, Any] = {}
    parameters, lines = ["self", "*"] if plan.kw_only else ["self"], []
    for place, name in enumerate(plan.names):
        fill, default = f"_fill_{place}", f"_default_{place}"
        space[fill] = getattr(kind, name).__set__
        parameter = value = name
        if name in plan.defaults:
            space[default] = plan.defaults[name]
            parameter = f"{name}={default}"
            if isinstance(space[default], _Factory):
                value = f"{name} if {name} is not {default} else {name}.make()"
        parameters.append(parameter)
        lines.append(f" {fill}(self, {value})")
    body = "\n".join(lines) or " pass"
    # Only the names of fields, which are Python names, enter this text.
    text = f"def __init__({', '.join(parameters)}):\n{body}"
    exec(compile_text(text), space)  # noqa: S102  # as `dataclasses` does
    made: Callable[..., None] = space["__init__"]
    made.__qualname__ = f"{kind.__qualname__}.__init__"
    return made


def _shown(self: object) -> str:
    kind = type(self)
    fields = (f"{name}={getattr(self, name)!r}" for name in _plan(kind).names)
    return f"{kind.__qualname__}({', '.join(fields)})"


def _is_equal(self: object, other: object) -> object:
    kind = type(self)
    if type(other) is not kind:
        return NotImplemented
    values = _plan(kind).values
    return values(self) == values(other)


def _hashed(self: object) -> int:
    return hash(_plan(type(self)).values(self))


def _refuse(self: object, name: str, *_: object) -> NoReturn:
    from dataclasses import FrozenInstanceError  # noqa: PLC0415  # 8 ms, for a mistake

    raise FrozenInstanceError(f"`{type(self).__name__}.{name}` cannot change")


class _StandardFields:
    """The fields as `dataclasses` knows them, for whoever looks with its functions."""

    def __get__(self, value: object, kind: type) -> Mapping[str, Any]:
        import dataclasses  # noqa: PLC0415  # 8 ms, and nothing but tests looks

        plan = _plan(kind)
        told: list[tuple[str, Any, Any]] = []
        for name, annotation in kind.__annotations__.items():
            given = plan.defaults.get(name, dataclasses.MISSING)
            made = given.make if isinstance(given, _Factory) else None
            default = {"default_factory": made} if made else {"default": given}
            told.append((name, annotation, dataclasses.field(**default)))
        same = dataclasses.make_dataclass(kind.__name__, told, kw_only=plan.kw_only)
        fields: Mapping[str, Any] = same.__dict__["__dataclass_fields__"]
        return fields


_MUTABLE: Mapping[str, object] = {
    "__init__": _make_init,
    "__repr__": _shown,
    "__eq__": _is_equal,
    "__hash__": None,
    "__dataclass_fields__": _StandardFields(),
}
_FROZEN: Mapping[str, object] = {
    **_MUTABLE,
    "__hash__": _hashed,
    "__setattr__": _refuse,
    "__delattr__": _refuse,
}

if TYPE_CHECKING:
    from dataclasses import dataclass, field, replace
else:
    dataclass, field, replace = _dataclass, _field, _replace

__all__ = ["dataclass", "field", "field_names", "late", "replace"]
