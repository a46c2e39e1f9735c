"""Named tuples whose `__new__` is made when it is first used: defining one is cheap.

The standard ones compile a function for each kind as it is defined, 0.09 ms a kind where
this takes 0.01 ms, and a hook imports some forty (docs/design/001-own-dataclasses.md). To
a type checker, and to who uses one, they are the standard ones.
"""

from collections import _tuplegetter  # type: ignore[attr-defined]  # as fast as a slot
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable
    from types import CodeType


class _Compiler:
    """How the text of a function becomes code: by Python, unless somebody keeps it."""

    def __init__(self) -> None:
        self.compile: Callable[[str], CodeType | str] = str  # `exec` compiles a text


_COMPILER = _Compiler()


def compile_text(text: str) -> "CodeType | str":
    """Return what `exec` takes for a text that was put together here."""
    return _COMPILER.compile(text)


def compile_with(compiler: "Callable[[str], CodeType]") -> None:
    """Have texts compiled by this from now on (`kept_code`)."""
    _COMPILER.compile = compiler


class _Kind(type):
    """Makes a class of annotated fields a named tuple."""

    def __new__(cls, name: str, bases: tuple[type, ...], body: dict[str, Any]) -> type:
        if not bases:
            return super().__new__(cls, name, bases, body)
        names = _annotated(body)
        defaults = {field: body[field] for field in names if field in body}
        for place, field in enumerate(names):
            body[field] = _tuplegetter(place, f"Field {place}")
        body |= _METHODS
        body |= {"_fields": names, "__match_args__": names, "_field_defaults": defaults}
        return type(name, (tuple,), body)


def _annotated(body: dict[str, Any]) -> tuple[str, ...]:
    found = body.get("__annotations__")
    if found is None:  # since Python 3.14 a class makes them when it is asked
        found = type("", (), dict(body)).__annotations__
    return tuple(found)


def _make_new(kind: type, /, *given: object, **named: object) -> object:
    """Stand in for `__new__` until the first tuple is made."""
    setattr(kind, "__new__", staticmethod(_compiled_new(kind)))  # noqa: B010  # its own
    return kind(*given, **named)


class _Signature:
    """What `inspect` says of a kind: the same before the first tuple is made."""

    def __get__(self, made: object, kind: type) -> object:
        from inspect import signature  # noqa: PLC0415  # nobody who runs asks for it

        of_new = signature(_compiled_new(kind))
        fields = list(of_new.parameters.values())[1:]
        return of_new.replace(parameters=fields)


def _compiled_new(kind: Any) -> Any:
    """Return a `__new__` as if it had been written by hand."""
    space: dict[str, Any] = {"_make_tuple": tuple.__new__}
    parameters = []
    for place, name in enumerate(kind._fields):
        parameter = name
        if name in kind._field_defaults:
            space[f"_default_{place}"] = kind._field_defaults[name]
            parameter = f"{name}=_default_{place}"
        parameters.append(parameter)
    values = "".join(f"{name}, " for name in kind._fields)
    # Only the names of fields, which are Python names, enter this text.
    text = f"def __new__(_cls, {', '.join(parameters)}):\n return _make_tuple(_cls, ({values}))"
    exec(compile_text(text), space)  # noqa: S102  # as `collections` does
    made = space["__new__"]
    made.__qualname__ = f"{kind.__qualname__}.__new__"
    return made


def _make(kind: Any, values: Iterable[object]) -> Any:
    """Make one from all of its values in order."""
    made = tuple.__new__(kind, values)
    if len(made) != len(kind._fields):
        raise TypeError(f"expected {len(kind._fields)} values, got {len(made)}")
    return made


def _replace(self: Any, /, **changes: object) -> Any:
    """Return a copy with some fields changed."""
    return type(self)(**{**_asdict(self), **changes})


def _asdict(self: Any) -> dict[str, Any]:
    return dict(zip(self._fields, self, strict=True))


def _shown(self: Any) -> str:
    fields = (f"{name}={value!r}" for name, value in _asdict(self).items())
    return f"{type(self).__qualname__}({', '.join(fields)})"


def _given(self: Any) -> tuple[Any, ...]:
    return tuple(self)


_METHODS = {
    "__slots__": (),
    "__new__": _make_new,
    "__signature__": _Signature(),
    "__repr__": _shown,
    "__getnewargs__": _given,
    "_make": classmethod(_make),
    "_replace": _replace,
    "_asdict": _asdict,
}

if TYPE_CHECKING:
    from typing import NamedTuple
else:

    class NamedTuple(metaclass=_Kind):
        """What a named tuple is written as: `class Point(NamedTuple)`."""


__all__ = ["NamedTuple", "compile_text", "compile_with"]
