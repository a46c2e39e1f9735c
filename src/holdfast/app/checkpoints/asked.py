"""What people and agents type about a checkpoint, made fit to keep."""

from collections.abc import Iterable

from holdfast.app.ports import Redacts
from holdfast.domain.text import MOST_GIVEN, one_line, visible
from holdfast.kernel import ids
from holdfast.kernel.errors import NameInvalid

_JOINERS = str.maketrans("", "", "\u200c\u200d")  # scripts need them, secrets do not


def asked_title(text: str | None) -> str | None:
    """Return the title that was asked for, or None if none is left of it."""
    return one_line(visible(text), MOST_GIVEN) or None if text else None


def asked_name(text: str, redactor: Redacts) -> str:
    """Return the name that was asked for, in its one spelling.

    Raises:
        NameInvalid: it cannot be a name, or it looks like a secret. A name is shown and
            typed everywhere, so it is refused rather than redacted.
    """
    name = ids.name(text)
    for form in (text, visible(text).translate(_JOINERS), name):
        if redactor.text(form) != form:
            raise NameInvalid(
                "this name looks like a secret",
                hint="choose a name that may be seen, such as `api-design`",
            )
    return name


def asked_tags(parts: Iterable[str]) -> tuple[str, ...]:
    """Return each tag once, in order."""
    tags = (one_line(visible(part), MOST_GIVEN) for part in parts)
    return tuple(dict.fromkeys(tag for tag in tags if tag))
