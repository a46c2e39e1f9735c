"""The files of named checkpoints in the client's memory, and the index that follows them.

A file goes or is replaced only once the store has what it says.
"""

from holdfast.agents.memory_port import ClientMemory
from holdfast.app.notes.adopting import Naming, adopt, is_known
from holdfast.app.ports import Ports
from holdfast.domain.named import NamedFile
from holdfast.domain.text import visible
from holdfast.kernel.errors import FileOutOfReach, FileRefused
from holdfast.kernel.ids import MAX_NAME
from holdfast.project_notes.named_file import file_name, name_of, read_named
from holdfast.project_notes.named_index import MEMORY, named_in, with_index


def remove(naming: Naming, ports: Ports) -> None:
    def may_go(text: str) -> bool:
        secure(naming, text, ports)
        return True

    file = file_name(naming.name)
    if not naming.memory.remove(file, may_go) and naming.memory.read(file) is not None:
        raise FileRefused(
            f"`{file}` was changed while it was being removed, and stays",
            hint="try again",
        )


def secure(naming: Naming, text: str, ports: Ports) -> None:
    """Make sure that the store has what a file says.

    Raises:
        FileRefused: it is not ours, or its text cannot be kept.
    """
    if not is_known(naming, text, ports):
        adopt(naming, text, ports, takes_name=False)


def reindex(memory: ClientMemory, fresh: str = "") -> None:
    """Bring the section in line with the files; under the lock, so none is missed."""
    if memory.is_indexed:
        memory.change(MEMORY, lambda text: with_index(text, files_in(memory), fresh))


def heal(memory: ClientMemory, name: str) -> bool:
    """Remove the bullet of a file that is gone; say whether there was one."""
    if not memory.is_indexed or name not in _bullets(memory):
        return False
    reindex(memory)
    return True


def files_in(memory: ClientMemory) -> tuple[NamedFile, ...]:
    found = []
    for file in memory.names():
        name = name_of(file)
        try:
            text = memory.read(file) if name else None
        except FileOutOfReach:
            raise  # it is there: the index must not forget it
        except FileRefused:
            continue
        if name and text and _is_tellable(name) and (said := read_named(name, text)):
            found.append(said)
    return tuple(sorted(found, key=lambda f: (f.saved, f.name), reverse=True))


def names_in(memory: ClientMemory) -> list[str]:
    """Return every name that has a file or a bullet here."""
    files = [name for file in memory.names() if (name := name_of(file))]
    return list(dict.fromkeys([*files, *_bullets(memory)]))


def text_in(memory: ClientMemory, name: str) -> str | None:
    """Return a name's file, by the name as the directory has it: no path leads out."""
    file = file_name(name)
    return memory.read(file) if file in memory.names() else None


def _is_tellable(name: str) -> bool:
    """A name that would break a line of the index is not put there."""
    is_plain = visible(name) == name and not set(name) & set("*`\n")
    return is_plain and len(name) <= MAX_NAME


def _bullets(memory: ClientMemory) -> tuple[str, ...]:
    try:
        return named_in(memory.read(MEMORY))
    except FileRefused:
        return ()  # whoever changes it is told why that cannot be done
