"""Digests without OpenSSL: the same as with it, or every stored hash would be wrong."""

import hashlib

from hypothesis import given, strategies as st

from holdfast.kernel.digests import blake2b, sha1, sha256


@given(st.binary(max_size=300))
def test_digests_are_those_of_the_standard_library(data: bytes) -> None:
    """They name checkpoints, chain records and tag secrets on disk."""
    keyed = {"digest_size": 2, "key": b"key"}

    assert sha256(data).hexdigest() == hashlib.sha256(data).hexdigest()
    assert sha1(data).digest() == hashlib.sha1(data).digest()  # noqa: S324  # our ids
    assert blake2b(data, **keyed).digest() == hashlib.blake2b(data, **keyed).digest()  # type: ignore[arg-type]  # of one dict
