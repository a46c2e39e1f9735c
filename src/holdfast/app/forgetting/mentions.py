"""Find lines in a project's own files that still contain what was forgotten.

They are files that people read and write: nothing is deleted there, but whoever forgets
something is told where it still stands.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence

from holdfast.app.notes.handoff import OUR_FILES
from holdfast.app.ports import Ports
from holdfast.domain.checkpoint import Checkpoint
from holdfast.domain.kinds import VIEWED
from holdfast.kernel.errors import HoldfastError
from holdfast.kernel.lazy_tuples import NamedTuple
from holdfast.project_notes.port import ProjectFiles

_SHORTEST = 12  # characters: less may be anybody's words
_LONGEST = 60  # a file may have cut what follows
_MOST = 1_000  # lines; who has more needs another tool

FilesOf = Callable[[str], ProjectFiles]


class Mention(NamedTuple):
    path: str
    line: int

    def __str__(self) -> str:
        return f"{self.path}:{self.line}"


def mentions(
    forgotten: Sequence[Checkpoint],
    match: str | None,
    ports: Ports,
    files_of: FilesOf,
) -> tuple[Mention, ...]:
    """Return each line that has a text of them, or `match`; by file, at most a thousand.

    What cannot be read is passed over: nothing is claimed of it.
    """
    sought = _sought(forgotten, match)
    found: list[Mention] = []
    for workspace in sorted({c.draft.workspace for c in forgotten}):
        for path, text in _texts_in(workspace, ports, files_of):
            found += (Mention(path, line) for line in lines_with(text, sought))
    return tuple(found[:_MOST])


def lines_with(text: str, sought: Iterable[str]) -> Iterator[int]:
    """Yield the number of each line that has one of some texts, whatever case and space."""
    wanted = tuple(sought)
    for number, line in enumerate(text.split("\n"), 1):
        plain = _plain(line)
        if any(each in plain for each in wanted):
            yield number


def _sought(forgotten: Sequence[Checkpoint], match: str | None) -> frozenset[str]:
    told = {_plain(text)[:_LONGEST] for c in forgotten for text in _said(c)}
    long = {text.strip() for text in told if len(text) >= _SHORTEST}
    names = {f"checkpoint-{c.name}.md".casefold() for c in forgotten if c.name}
    ids = {checkpoint.checkpoint_id.casefold() for checkpoint in forgotten}
    return frozenset(long | names | ids | ({_plain(match)} if match else set()))


def _said(checkpoint: Checkpoint) -> Iterator[str]:
    content = checkpoint.draft.content
    yield from (content.title, content.summary)
    for kind in VIEWED:
        for item in getattr(content, kind):
            yield from item.text.split("\n")


def _plain(text: str) -> str:
    return " ".join(text.split()).casefold()


def _texts_in(
    workspace: str, ports: Ports, files_of: FilesOf
) -> Iterator[tuple[str, str]]:
    """Yield each file of a project that we write or wrote, and the client's memory."""
    files = files_of(workspace)
    for path in OUR_FILES:
        if text := _read(files.read, path):
            yield f"{workspace}/{path}", text
    memory = ports.memory_of(workspace)
    if memory is None:
        return
    for name in _names(memory.names):
        if name.endswith(".md") and (text := _read(memory.read, name)):
            yield f"{memory.directory}/{name}", text


def _names(ask: Callable[[], tuple[str, ...]]) -> tuple[str, ...]:
    try:
        return ask()
    except (HoldfastError, OSError):
        return ()


def _read(read: Callable[[str], str | None], path: str) -> str:
    try:
        return read(path) or ""
    except (HoldfastError, OSError):
        return ""
