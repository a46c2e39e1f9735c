"""Ask for a passphrase, or read it from a file: never from the command line, which every
program on the machine can see."""

import getpass

from holdfast.domain.text import visible
from holdfast.kernel.errors import FileRefused, ShareLocked
from holdfast.kernel.files import read_file
from holdfast.surfaces.cli.output import Output
from holdfast.surfaces.cli.terminal import can_ask

_MOST = 4_096
_SHORTEST = 8


def chosen_passphrase(path: str | None, output: Output) -> str:
    """Return the passphrase to encrypt with; asked for twice.

    Raises:
        ShareLocked: there is none, or none that protects anything.
    """
    if path:
        given = _first_line(path)
    else:
        given = _asked("passphrase: ", output)
        if given != _asked("once more: ", output):
            raise ShareLocked("the two passphrases differ", hint="run the export again")
    if len(given) < _SHORTEST:
        raise ShareLocked(
            f"a passphrase has at least {_SHORTEST} characters",
            hint="four words that nobody would guess are easy to remember",
        )
    return given


def known_passphrase(path: str | None, output: Output) -> str:
    """Return the passphrase that a file was encrypted with.

    Raises:
        ShareLocked: there is nobody to ask.
    """
    return _first_line(path) if path else _asked("passphrase: ", output)


def _asked(question: str, output: Output) -> str:
    if not can_ask(output):
        raise ShareLocked(
            "it needs a passphrase, and there is no terminal to ask at",
            hint="put it into a file and pass `--passphrase-file PATH`",
        )
    return getpass.getpass(question)


def _first_line(path: str) -> str:
    try:
        text = read_file(path, limit=_MOST, follow_links=True).decode(
            "utf-8", "replace"
        )
    except OSError as problem:
        raise FileRefused(
            f"`{visible(path)}` cannot be read: {problem.strerror}",
            hint="give another file with `--passphrase-file PATH`",
        ) from None
    return text.splitlines()[0] if text.strip() else ""
