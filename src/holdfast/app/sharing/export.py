"""Share checkpoints as a file: first what would leave this machine, then the file.

What was redacted by older rules passes today's once more. A record, or code, in which they
find something is not shared until it was cleaned where it is kept.
"""

from collections.abc import Iterable, Mapping, Sequence

from holdfast.agents.past_port import NativeSessions, PastFile, PastSessions
from holdfast.app.checkpoints.drafting import redacted
from holdfast.app.checkpoints.find import find
from holdfast.app.ports import Ports
from holdfast.app.sharing.share_file import SharedPage, packed
from holdfast.domain.checkpoint import Checkpoint
from holdfast.domain.foreign import machine_name
from holdfast.domain.query import Scope
from holdfast.kernel.errors import FileRefused, SecretsInside
from holdfast.kernel.ids import Reference, label
from holdfast.kernel.lazy_values import dataclass, field, replace
from holdfast.reports.view import view


@dataclass(frozen=True, slots=True, kw_only=True)
class ExportRequest:
    """Which checkpoints, and what goes with them."""

    references: Sequence[Reference]
    code: bool = False
    transcript: bool = False


@dataclass(frozen=True, slots=True)
class Sharing:
    """What would leave this machine."""

    machine: str
    checkpoints: tuple[Checkpoint, ...]
    pages: tuple[SharedPage, ...]
    code: bytes = b""  # a pack of their trees
    code_files: int = 0
    transcripts: Mapping[str, bytes] = field(default_factory=dict)
    missing: tuple[str, ...] = ()  # what was asked for and is not there

    @property
    def hosts(self) -> tuple[str, ...]:
        """Names of machines and directories that the records tell."""
        drafts = [checkpoint.draft for checkpoint in self.checkpoints]
        told = [name for draft in drafts for name in (draft.hostname, draft.workspace)]
        return tuple(dict.fromkeys(filter(None, (self.machine, *told))))

    def file(self) -> bytes:
        return packed(self.pages, self.machine, self.code, self.transcripts)


def prepare(
    wanted: ExportRequest,
    scope: Scope,
    ports: Ports,
    past: PastSessions | None,
    native: NativeSessions,
) -> Sharing:
    """Find checkpoints, oldest first, each once, and look at them once more.

    Raises:
        CheckpointNotFound, ReferenceAmbiguous: a reference names none, or several.
        SecretsInside: today's rules find something in one, or in its code.
        SnapshotLost: code that is asked for is damaged, or too large.
        FileRefused: a transcript cannot be read.
    """
    store = ports.open_store()
    found = {
        checkpoint.checkpoint_id: checkpoint
        for checkpoint in (find(store, each, scope) for each in wanted.references)
    }
    chosen = sorted(found.values(), key=lambda c: (c.draft.created_at, c.number))
    for checkpoint in chosen:
        if redacted(checkpoint.draft, ports.redactor) != checkpoint.draft:
            raise _secrets(checkpoint, "holds")
    machine = machine_name(store.machine)
    pages = []
    for each in chosen:
        proof = replace(store.proof(each.checkpoint_id), machine=machine)
        pages.append(SharedPage(proof, each.number, view(each, None) + "\n"))
    sharing = Sharing(machine, tuple(chosen), tuple(pages))
    if wanted.code:
        sharing = _with_code(sharing, ports)
    if wanted.transcript:
        sharing = _with_transcripts(sharing, ports, past, native)
    return sharing


def _with_code(sharing: Sharing, ports: Ports) -> Sharing:
    """Add the trees of checkpoints that have one, as a snapshot holds them."""
    trees, missing = list[str](), list(sharing.missing)
    for each in sharing.checkpoints:
        code = each.draft.code
        if code.tree is None:
            missing.append(f"{label(each.number)} was made without its code")
            continue
        places = (each.draft.workspace, each.draft.project_root)
        clean = ports.snapshots.without_secrets(code.tree, places, code.head)
        if clean.tree is None:
            missing.append(f"the code of {label(each.number)}: {clean.reason}")
        elif clean.tree != code.tree:
            raise _secrets(each, "has code with")
        else:
            trees.append(code.tree)
    files = {e for tree in trees for e in ports.snapshots.entries(tree)}
    return replace(
        sharing,
        code=ports.snapshots.packed(trees) if trees else b"",
        code_files=len(files),
        missing=tuple(missing),
    )


def _with_transcripts(
    sharing: Sharing, ports: Ports, past: PastSessions | None, native: NativeSessions
) -> Sharing:
    """Add what was said in each session up to its newest checkpoint that is shared."""
    newest = {each.draft.session_id: each for each in sharing.checkpoints}
    missing, found = list(sharing.missing), dict[str, bytes]()
    for session, checkpoint in newest.items():
        agent = checkpoint.draft.agent
        if agent != ports.transcripts.agent:
            missing.append(
                f"the transcript of {label(checkpoint.number)} is {agent}'s: only those"
                f" of {ports.transcripts.agent} can be shared"
            )
            continue
        path = ports.transcripts.find(session)
        end = checkpoint.draft.read_to.offset
        if path is None or past is None or not end:
            missing.append(
                f"the transcript of {label(checkpoint.number)} is not on disk; if"
                f" it is archived, `holdfast open {checkpoint.number} --native` restores it"
            )
            continue
        try:
            lines = _up_to(end, past.raw_lines(PastFile("", path)))
            clean = [native.cleaned(line, ports.redactor.tree) for line in lines]
        except OSError as problem:
            raise FileRefused(
                f"the transcript of {label(checkpoint.number)} cannot be read:"
                f" {problem.strerror}",
                hint="leave `--transcript` away",
            ) from None
        found[session] = b"".join(clean)
    return replace(sharing, transcripts=found, missing=tuple(missing))


def _up_to(end: int, lines: Iterable[bytes]) -> Iterable[bytes]:
    """Yield the lines that begin before an offset: what came later was not shared."""
    offset = 0
    for line in lines:
        if offset >= end:
            return
        yield line
        offset += len(line)


def _secrets(checkpoint: Checkpoint, has: str) -> SecretsInside:
    return SecretsInside(
        f"{label(checkpoint.number)} {has} what today's rules recognise as a secret",
        hint="remove it with `holdfast doctor --scan`, then export again",
    )
