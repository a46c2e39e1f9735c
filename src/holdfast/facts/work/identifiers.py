"""Names of code: what has an underscore, or a capital letter inside."""

from holdfast.kernel.lazy_patterns import pattern

_SHORTEST, _LONGEST = 6, 50
_IDENTIFIER = pattern(
    r"\b(?:[a-z]+(?:_[a-z0-9]+)+|[A-Z][A-Z0-9]+(?:_[A-Z0-9]+)+|[a-z]+(?:[A-Z][a-z0-9]+)+"
    r"|(?:[A-Z][a-z0-9]+){2,}|[A-Z][a-z0-9]+\w*_\w+)\b"
)
# The letter of an escape is no part of the name after it; where a small letter follows
# `\n`, nobody knows where the name begins.
_ESCAPE = pattern(r"\\(?:n[a-z]\w*|[nrtb](?=[A-Z]))")


def identifiers(text: str) -> list[str]:
    """Return the identifiers of a text, each once, in the order they are first used."""
    if "\\" in text:
        text = _ESCAPE.sub(" ", text)
    found = dict.fromkeys(_IDENTIFIER.findall(text))
    return [name for name in found if _SHORTEST <= len(name) <= _LONGEST]
