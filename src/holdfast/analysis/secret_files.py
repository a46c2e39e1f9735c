"""Which files are secret: some by their name, some by what is in them."""

from fnmatch import fnmatchcase

from holdfast.analysis.secret_rules import spans

# Lower case; matched against a file's own name, not its path.
_NAMES = (
    ".env", ".env.*", "*.env", "*.pem", "*.key", "*.p12", "*.pfx", "*.jks", "*.ppk",
    "*.keystore", "*.kdbx", "*.kdb", "id_rsa", "id_dsa", "id_ecdsa", "id_ed25519",
    "id_ecdsa_sk", "id_ed25519_sk", ".netrc", "_netrc", ".pgpass", ".htpasswd",
    ".git-credentials", ".pypirc", ".dockercfg", "*.tfstate", "*.tfstate.backup",
    "service-account*.json", "application_default_credentials.json",
)  # fmt: skip
# What people commit to show which names a real one has.
_SAMPLES = (
    "*.example", "*.sample", "*.template", "*.dist", "*.tmpl", "*example.env",
    "*sample.env", "*template.env",
)  # fmt: skip
_UTF_16 = (b"\xff\xfe", b"\xfe\xff")


def has_secret_name(path: str) -> bool:
    """Say whether a file with this name is a secret whatever it holds."""
    name = path.rpartition("/")[2].lower()
    if any(fnmatchcase(name, sample) for sample in _SAMPLES):
        return False
    return any(fnmatchcase(name, secret) for secret in _NAMES)


def secrets_in(content: bytes) -> frozenset[str]:
    """Return the secrets in a file's content, text or not."""
    if content.startswith(_UTF_16):
        text = content.decode("utf-16", "replace")
    else:
        text = content.decode("utf-8", "replace")
    return frozenset(text[start:end] for start, end, _ in spans(text))
