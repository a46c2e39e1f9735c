"""Which words of a command name files, and what becomes of them."""

from collections.abc import Iterable, Iterator, Sequence

from holdfast.domain.code import Deed, ShellChange
from holdfast.facts.commands.shell_words import is_open
from holdfast.kernel.lazy_patterns import pattern

_LETTER = len("-x")
_ENDING = pattern(r"(?:^|/)[^/]*[^/.][^/]*\.\w{1,8}$|\*")


def last_part(path: str) -> str:
    return path.rstrip("/").rsplit("/", 1)[-1]


def has_ending(word: str) -> bool:
    """Say whether a word looks like a file: a directory or a branch has no ending."""
    return _ENDING.search(word) is not None


def names_in(words: Sequence[str], with_value: str = "") -> list[str]:
    """Return the words that are no options; letters in `with_value` take the next."""
    names: list[str] = []
    is_value = only_names = False
    for word in words:
        if is_value:
            is_value = False
        elif only_names or not word.startswith("-") or word == "-":
            names.append(word)
        elif word == "--":
            only_names = True
        else:
            is_value = len(word) == _LETTER and word[1] in with_value
    return [name for name in names if name and name != "-" and not is_open(name)]


def each(deed: Deed, names: Iterable[str], added: int = 0) -> Iterator[ShellChange]:
    for name in names:
        yield ShellChange(deed, name, added)


def moves_in(words: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Yield what is moved or copied, each with the name it has then."""
    rest, target = list(words), ""
    if "-t" in rest[:-1]:
        at = rest.index("-t")
        target = rest[at + 1].rstrip("/") + "/"
        del rest[at : at + 2]
    names = names_in(rest, "SmogB")
    *sources, last = [*names, target] if target else names or [""]
    ends_in_directory = last.endswith("/") or last_part(last) in (".", "..")
    for source in sources:
        name = last_part(source)
        # A file without an ending is rare, a directory with one is, too.
        is_file = has_ending(last) or last_part(last).startswith(".")
        is_into = has_ending(name) and not is_file
        if is_into or ends_in_directory or len(sources) > 1:
            yield source, f"{last.rstrip('/')}/{name}"
        else:
            yield source, last
