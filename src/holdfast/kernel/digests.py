"""Digests without OpenSSL, which `hashlib` loads at its import: 3 ms of every hook."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from hashlib import blake2b, sha1, sha256
else:
    try:
        from _blake2 import blake2b
        from _sha1 import sha1

        try:
            from _sha2 import sha256
        except ImportError:  # Python 3.11 has one module for each size
            from _sha256 import sha256
    except ImportError:  # an interpreter that was built without its own digests
        from hashlib import blake2b, sha1, sha256

__all__ = ["blake2b", "sha1", "sha256"]


def canonical(value: object) -> str:
    """Return the one JSON text of a value: what hashes are taken of."""
    import json  # noqa: PLC0415  # what only takes a digest pays nothing for it

    return json.dumps(
        value,
        ensure_ascii=False,
        sort_keys=True,
        separators=(",", ":"),
        allow_nan=False,
    )
