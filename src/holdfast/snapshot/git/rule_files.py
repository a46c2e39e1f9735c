"""Lists of patterns that git reads beside a repository, copied without what is no pattern.

Where such a list is a link, it may lead to anything the user can read.
"""

from typing import TYPE_CHECKING

from holdfast.kernel.lazy_patterns import pattern

if TYPE_CHECKING:
    from holdfast.redaction.files import SecretFiles

# A pattern of git has hardly ever one of these; then it is worth looking closer.
_ODD = pattern(rb"[=:@]|\S[ \t]+\S|[A-Za-z0-9+/_\-]{16}")


def rules_of(content: bytes, secrets: "SecretFiles | None" = None) -> bytes:
    """Return the lines that git would heed and that carry no secret."""
    lines = content.splitlines(keepends=True)
    rules = b"".join(x for x in lines if x.strip() and not x.startswith(b"#"))
    has_own = secrets is not None and secrets.own  # which may look like any pattern
    if not has_own and not _ODD.search(rules):
        return rules
    from holdfast.redaction.files import SecretFiles  # noqa: PLC0415  # a hook seldom needs it

    return (secrets or SecretFiles()).lines_without(rules)
