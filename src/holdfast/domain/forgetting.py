"""An order to forget: ids and places, without any content.

And what stays of what a record said before it was rewritten: two hashes and a reason.
"""

from holdfast.kernel.lazy_tuples import NamedTuple
from holdfast.kernel.lazy_values import dataclass

RETENTION = "retention"  # why a record goes that later ones supersede


class FileOf(NamedTuple):
    """The file of a named checkpoint, and what it must say so that it may go."""

    workspace: str
    name: str
    digest: str  # of its text; empty: somebody edited it


@dataclass(frozen=True, slots=True, kw_only=True)
class Order:
    """Written down before anything goes, so that a retry finishes what a kill left."""

    at: int  # Unix ms
    checkpoint_ids: tuple[str, ...] = ()
    carriers: tuple[str, ...] = ()  # others that inherited statements of them
    carriers_files: tuple[FileOf, ...] = ()
    keys: tuple[str, ...] = ()  # of their saves: one that waits would bring them back
    sessions: tuple[str, ...] = ()  # forgotten as a whole
    kin: tuple[str, ...] = ()  # sessions whose fold or mark may repeat it
    project_id: str = ""  # forgotten as a whole
    trees: tuple[str, ...] = ()
    workspaces: tuple[str, ...] = ()
    files: tuple[FileOf, ...] = ()
    foreign: tuple[str, ...] = ()  # of the checkpoints, those that other machines made


@dataclass(frozen=True, slots=True)
class Rewrite:
    """A record's hash before and after; the new one stands on the old one."""

    checkpoint_id: str
    old_hash: str
    new_hash: str
    reason: str
