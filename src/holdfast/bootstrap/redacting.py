"""The rules for secrets as the user set them, for everything that needs no store.

Errors, logs and reports are written when little works: their rules are read anew, and
where the settings cannot be read the built-in ones hold.
"""

from collections.abc import Mapping

from holdfast.config import Config, default_places, load
from holdfast.kernel.digests import sha256
from holdfast.kernel.errors import HoldfastError
from holdfast.redaction.files import SecretFiles
from holdfast.redaction.redactor import Redactor


def redactor_for_words(environ: Mapping[str, str]) -> Redactor:
    """Return what errors, logs and reports pass.

    A repository can set where settings are looked for, so nothing is allowed here: what
    is found there can only take more out.
    """
    try:
        config = load(default_places(environ), {}, tolerant=True)
    except (HoldfastError, OSError):
        return Redactor()
    rules = config.redaction.rules
    # Names and references are looked for, and told, in lower case.
    return Redactor(rules=(*rules, *map(str.lower, rules)))


def secret_files(config: Config) -> SecretFiles:
    """Return what judges the files of a snapshot."""
    own = config.redaction
    if not (own.rules or own.allow):
        return SecretFiles()
    told = repr((own.rules, own.allow)).encode()
    rules = Redactor(rules=own.rules, allow=own.allow)
    return SecretFiles(rules.secrets, sha256(told).hexdigest())
