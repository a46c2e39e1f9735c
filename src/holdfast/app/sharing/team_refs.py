"""How checkpoints lie in a team's remote: what their refs are called, and what they hold.

    refs/holdfast/PROJECT/MACHINE-STORE/CHECKPOINT        a record, and how it reads
    refs/holdfast/PROJECT/MACHINE-STORE/CHECKPOINT.gone   it was forgotten where it was made

A project is the first commit of its history, which every clone has. A store writes only
below its own name; what stands there is nobody's promise, so names and contents are taken
for what they say only where both agree. Pure.
"""

import json
from collections.abc import Iterable, Sequence

from holdfast.app.sharing.share_file import proofs_in
from holdfast.domain.foreign import RecordProof
from holdfast.domain.text import beginning, visible
from holdfast.kernel.digests import sha256
from holdfast.kernel.errors import RecordRefused, RemoteFailed
from holdfast.kernel.lazy_patterns import pattern
from holdfast.kernel.lazy_tuples import NamedTuple

FILE = "record.json"
PAGE = "checkpoint.md"
_PREFIX = "refs/holdfast/"
_GONE = "holdfast-gone"
_VERSION = 1
_SHOWN = 200
_DIGITS = 8
_DOTS = pattern(r"\.{2,}")
_UUID = r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}"
_NAME = pattern(
    r"refs/holdfast/([0-9a-f]{40}|[0-9a-f]{64})/([A-Za-z0-9][A-Za-z0-9._-]{0,63})"
    rf"-([0-9a-f]{{8}})/(ccp-{_UUID}-[0-9]{{2,9}}-[0-9]{{1,16}})(\.gone)?"
)
_UNREADABLE = (ValueError, LookupError, TypeError, AttributeError, RecursionError)


class RefName(NamedTuple):
    """What the name of a ref says."""

    project: str
    machine: str
    store: str
    checkpoint_id: str
    is_gone: bool = False

    @property
    def ref(self) -> str:
        end = ".gone" if self.is_gone else ""
        owner = f"{self.machine}-{self.store}"
        return f"{_PREFIX}{self.project}/{owner}/{self.checkpoint_id}{end}"

    @property
    def gone(self) -> "RefName":
        return self._replace(is_gone=True)


def parsed(ref: str) -> RefName | None:
    """Return what a ref is called, or None if none of ours is called so."""
    found = _NAME.fullmatch(ref)
    if found is None or ".." in ref:
        return None
    project, machine, store, checkpoint_id, gone = found.groups()
    return RefName(project, machine, store, checkpoint_id, gone is not None)


def machine_in_ref(machine: str) -> str:
    """Return how a machine is called in the name of a ref, where two dots may not be."""
    return _DOTS.sub(".", machine)


def store_in_ref(key: bytes) -> str:
    """Return what tells a store from another of a machine that is called the same."""
    return sha256(b"holdfast share\n" + key).hexdigest()[:_DIGITS]


def project_in_refs(roots: Sequence[str], refs: Iterable[str]) -> str:
    """Return the first commit by which a project is known in a remote.

    A history can have several; those who came first chose. A shallow clone has none, and
    where there is only one project, it is that.

    Raises:
        RemoteFailed: which project this is cannot be said.
    """
    there = sorted({name.project for name in map(parsed, refs) if name})
    common = [root for root in roots if root in there]
    if common or roots:
        return min(common or roots)
    if len(there) == 1:
        return there[0]
    raise RemoteFailed(
        "this clone does not know the first commit of its history",
        hint="make a commit, or get the whole history with `git fetch --unshallow`",
    )


def is_of_projects(ref: str, projects: Iterable[str]) -> bool:
    return any(ref.startswith(f"{_PREFIX}{project}/") for project in projects)


def tombstone(name: RefName) -> bytes:
    """Return what stands where a record was forgotten: not a word of it."""
    told = {
        "format": _GONE,
        "version": _VERSION,
        "machine": name.machine,
        "checkpoint": name.checkpoint_id,
    }
    return json.dumps(told).encode() + b"\n"


def check_tombstone(name: RefName, data: bytes) -> None:
    """See that a tombstone says what its name says.

    Raises:
        RecordRefused: it does not.
    """
    try:
        told = json.loads(data)
        said = [told[key] for key in ("format", "machine", "checkpoint")]
    except _UNREADABLE:
        said = []
    if said != [_GONE, name.machine, name.checkpoint_id]:
        raise _refused("its content does not match its name")


def proof_in(name: RefName, data: bytes) -> RecordProof:
    """Return the record in a ref, not proved yet.

    Raises:
        RecordRefused: it is none, or not the one that the name says.
    """
    try:
        (proof,) = proofs_in(data)
        checkpoint_id = json.loads(proof.text)["id"]
    except _UNREADABLE:
        raise _refused("it contains no record") from None
    if machine_in_ref(proof.machine) != name.machine:
        said = beginning(visible(proof.machine), _SHOWN)
        raise _refused(
            f"it names `{said}` as its author, but is in another machine's place"
        )
    if checkpoint_id != name.checkpoint_id:
        raise _refused("its record is not the one that its name says")
    return proof


def shown(ref: str) -> str:
    """Return the name of a ref as it can be told."""
    return beginning(visible(ref), _SHOWN)


def _refused(why: str) -> RecordRefused:
    return RecordRefused(why, hint="check who may push to the remote")
