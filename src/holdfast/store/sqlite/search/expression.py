"""A query as an expression of the full-text index. Pure."""

from collections.abc import Sequence

from holdfast.store.terms import EVERYTHING, Phrase, Wanted


def expression(
    asked: Wanted,
    sessions: Sequence[str] | None,
    everything: str = EVERYTHING,
    words: str = " OR ",
) -> str:
    """Return the expression: facets and phrases must hold, words as they are joined.

    `sessions` are facets of which one must hold. Where nothing is asked for, everything
    is, so that an exclusion has something to exclude from.
    """
    parts = [_said(facet) for facet in asked.facets]
    if sessions is not None:
        parts.append(_joined(" OR ", [_said((facet,)) for facet in sessions]))
    parts += [_said(phrase) for phrase in asked.phrases]
    if asked.words:
        parts.append(_joined(words, [_said(word) for word in asked.words]))
    positive = _joined(" AND ", parts or [_said((everything,))])
    negative = [_said(text) for text in asked.excluded]
    negative += [_said(facet) for facet in asked.without]
    if not negative:
        return positive
    return f"{positive} NOT {_joined(' OR ', negative)}"


def _joined(operator: str, parts: Sequence[str]) -> str:
    return f"({operator.join(parts)})" if len(parts) > 1 else parts[0]


def _said(phrase: Phrase) -> str:
    """Return tokens that follow each other. A last `*` asks for a beginning."""
    *tokens, last = phrase
    star = " *" if last.endswith("*") else ""
    quoted = " ".join((*tokens, last.rstrip("*"))).replace('"', " ")
    return f'"{quoted}"{star}'
