"""Encrypt what is shared, for people or with a passphrase, in the format of age.

The library is loaded only here: most files are shared without.
"""

from collections.abc import Sequence

from holdfast.domain.text import beginning, visible
from holdfast.kernel.errors import ShareLocked

_HEADER = b"age-encryption.org/v1\n"
_SHOWN = 40


def is_encrypted(data: bytes) -> bool:
    return data.startswith(_HEADER)


def takes_passphrase(data: bytes) -> bool:
    """Say whether an encrypted file is opened by a passphrase, and by no key."""
    return data.startswith(_HEADER + b"-> scrypt ")


def encrypted_for(data: bytes, recipients: Sequence[str]) -> bytes:
    """Return what only the holders of some keys can read: `age1…` or `ssh-…`.

    Raises:
        ShareLocked: one of them is not a key.
    """
    import pyrage  # noqa: PLC0415  # most files are shared without

    keys = []
    for text in recipients:
        kind = pyrage.ssh if text.startswith("ssh-") else pyrage.x25519
        try:
            keys.append(kind.Recipient.from_str(text.strip()))
        except (pyrage.RecipientError, ValueError):
            raise ShareLocked(
                f"`{beginning(visible(text), _SHOWN)}` is not a public key",
                hint="a key begins with `age1`, or is a line of an `id_ed25519.pub`",
            ) from None
    return bytes(pyrage.encrypt(data, keys))


def encrypted_with(data: bytes, passphrase: str) -> bytes:
    """Return what a passphrase opens."""
    import pyrage  # noqa: PLC0415  # see above

    return bytes(pyrage.passphrase.encrypt(data, passphrase))


def opened_by(data: bytes, identity: bytes) -> bytes:
    """Return what was encrypted for a key: an age identity file, or an SSH private key.

    Raises:
        ShareLocked: it is no such key, or not one of those it was encrypted for.
    """
    import pyrage  # noqa: PLC0415  # see above

    try:
        return bytes(pyrage.decrypt(data, _identities(identity)))
    except (pyrage.DecryptError, pyrage.IdentityError, ValueError) as problem:
        raise ShareLocked(
            f"that key does not open it: {visible(str(problem))}",
            hint="pass the private key it was encrypted for with `--identity FILE`",
        ) from None


def opened_with(data: bytes, passphrase: str) -> bytes:
    """Return what a passphrase opens.

    Raises:
        ShareLocked: it does not.
    """
    import pyrage  # noqa: PLC0415  # see above

    try:
        return bytes(pyrage.passphrase.decrypt(data, passphrase))
    except (pyrage.DecryptError, ValueError):
        raise ShareLocked(
            "that passphrase does not open it",
            hint="ask who shared it; if it is for a key, pass `--identity FILE`",
        ) from None


def _identities(identity: bytes) -> "list[object]":
    import pyrage  # noqa: PLC0415  # see above

    lines = identity.decode("utf-8", "replace").splitlines()
    keys = [line.strip() for line in lines if line.startswith("AGE-SECRET-KEY-")]
    if keys:
        return [pyrage.x25519.Identity.from_str(key) for key in keys]
    return [pyrage.ssh.Identity.from_buffer(identity)]
