"""Which files are secret: some by their name, some by what is in them."""

from collections.abc import Callable, Iterator, Sequence

from holdfast.domain.text import without_hidden
from holdfast.kernel.lazy_patterns import pattern
from holdfast.redaction import Span
from holdfast.redaction.redactor import Redactor

# Lower case; compared with a file's own name, not its path. Plain comparisons, because
# every file that changed is asked, and forms with stars cost ten times as much.
_NAMES = frozenset((
    "id_rsa", "id_dsa", "id_ecdsa", "id_ed25519", "id_ecdsa_sk", "id_ed25519_sk",
    ".netrc", "_netrc", ".pgpass", ".htpasswd", ".git-credentials", ".pypirc",
    ".dockercfg", "application_default_credentials.json", ".envrc", "credentials.json",
    "secrets.yml", "secrets.yaml", "secrets.json", "secrets.toml",
))  # fmt: skip
_ENDINGS = (
    ".env", ".pem", ".key", ".p12", ".pfx", ".jks", ".ppk", ".keystore", ".kdbx",
    ".kdb", ".tfstate", ".tfstate.backup",
)  # fmt: skip
_BEGINNING = ".env."
# Names that begin or go on so and end so.
_SERVICE_ACCOUNT = ("service-account", ".json")
_PASSWORDS = ("password", ".txt")
# Folders of secrets, whose files need no telling name; code and words about them stay.
_FOLDERS = ("secrets", ".secrets")
_CODE = (
    ".py", ".pyi", ".js", ".jsx", ".ts", ".tsx", ".go", ".rs", ".rb", ".java", ".kt",
    ".cs", ".c", ".h", ".cpp", ".php", ".swift", ".sh", ".tf", ".md", ".rst", ".html",
    ".css", ".sql",
)  # fmt: skip
_BESIDE_CODE = (".gitkeep", ".gitignore", "makefile")
# What people commit to show which names a real one has.
_SAMPLES = (
    ".example", ".sample", ".template", ".dist", ".tmpl", "example.env", "sample.env",
    "template.env",
)  # fmt: skip
# Six plain characters with a zero or three behind each: UTF-16 or UTF-32.
_WIDE_RUN = pattern(rb"(?:[\t\n\r -~]\0{1,3}){5,65536}[\t\n\r -~]?")
_AROUND_RUN = 512  # bytes; even
# What can be read in a file that is no text. In a megabyte of noise somewhere stands a
# name of two letters and a sign, and what follows it would pass for a password.
_READABLE = pattern("[^\0-\x08\x0b-\x1f\x7f\ufffd]{6,}")
_ESCAPE = pattern(r"\\u(00[2-7][0-9A-Fa-f])")
_UTF_32 = (b"\xff\xfe\0\0", b"\0\0\xfe\xff")
_UTF_16 = (b"\xff\xfe", b"\xfe\xff")


def has_secret_name(path: str) -> bool:
    """Say whether a file with this name is a secret whatever it holds."""
    *folders, name = path.lower().split("/")
    if name.endswith(_SAMPLES):
        return False
    if folders and folders[-1] in _FOLDERS:
        return not (name.endswith(_CODE) or name in _BESIDE_CODE) or _tells(name)
    return _tells(name)


def _tells(name: str) -> bool:
    if name in _NAMES or name.endswith(_ENDINGS) or name.startswith(_BEGINNING):
        return True
    begun, ended = _SERVICE_ACCOUNT
    if name.startswith(begun) and name[len(begun) :].endswith(ended):
        return True
    told, ended = _PASSWORDS
    return name.endswith(ended) and told in name.removesuffix(ended)


class SecretFiles:
    """Finds secrets in names and contents of files."""

    def __init__(
        self, find: Callable[[str], Sequence[Span]] | None = None, own: str = ""
    ) -> None:
        """`own` changes whenever the user's own rules do; empty: there are none."""
        self._find = find or Redactor().secrets
        self.own = own

    def is_in_name(self, path: str) -> bool:
        """Say whether a path, or one of the names in it, carries a secret itself."""
        return bool(self._find(path) or self._find(path.replace("/", "\n")))

    def of(self, content: bytes) -> frozenset[str]:
        """Return the secrets in a file's content, text or not."""
        return frozenset(
            text[start:end]
            for text in _readings(content)
            for start, end, _ in self._find(text)
        )

    def lines_without(self, content: bytes) -> bytes:
        """Return the lines of a list of patterns that carry no secret.

        Where such a list is a link, it may lead to anything the user can read.
        """
        if not self.of(content):
            return content
        lines = content.splitlines(keepends=True)
        return b"".join(line for line in lines if not self.of(line))


def _readings(content: bytes) -> Iterator[str]:
    """Yield what a file says, also to whoever copies it or parses it as JSON."""
    for text in (*_decoded(content), *_wide(content)):
        yield text
        bare = without_hidden(text)
        if bare is not text:
            yield bare
        if "\\u00" in text:
            yield _ESCAPE.sub(lambda found: chr(int(found[1], 16)), text)


def _decoded(content: bytes) -> Iterator[str]:
    """Yield a content by its mark, and as plain text: who adds to a file may not know
    what it is in."""
    if content.startswith(_UTF_32):
        yield content.decode("utf-32", "replace")
    elif content.startswith(_UTF_16):
        yield content.decode("utf-16", "replace")
    text = content.decode("utf-8", "replace")
    yield "\n".join(_READABLE.findall(text)) if b"\0" in content else text


def _wide(content: bytes) -> Iterator[str]:
    """Yield what stands somewhere in UTF-16 or UTF-32, whatever is around it.

    Plain characters with zeros between them give it away; a word in another script
    before them is read with them.
    """
    runs = (
        [run.span() for run in _WIDE_RUN.finditer(content)] if b"\0" in content else []
    )
    if not runs:
        return
    yield "\n".join(content[s:e].replace(b"\0", b"").decode() for s, e in runs)
    pieces: list[tuple[int, int]] = []
    for start, end in runs:
        begin = max(start % 2, start - _AROUND_RUN)
        if pieces and begin <= pieces[-1][1] and (begin - pieces[-1][0]) % 2 == 0:
            begin, _ = pieces.pop()
        pieces.append((begin, end + _AROUND_RUN))
    for begin, end in pieces:
        yield content[begin:end].decode("utf-16-le", "replace")
        other = begin - 1 if begin else 1  # the zeros come first
        yield content[other:end].decode("utf-16-be", "replace")
