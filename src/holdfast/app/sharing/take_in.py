"""Take in checkpoints that another machine shared.

All of a file are proved by their hashes before the first is kept; each is redacted by
this machine's rules, and kept as work of the machine that made it. What was forgotten here
stays forgotten.
"""

from collections.abc import Iterator, Mapping, Sequence

from holdfast.agents.past_port import NativeSessions
from holdfast.app.checkpoints.drafting import redacted
from holdfast.app.checkpoints.find import if_kept
from holdfast.app.past.archive import KeptTranscripts, archived_as
from holdfast.app.ports import Ports, Redacts
from holdfast.app.sharing.share_file import SharedFile
from holdfast.domain.amounts import counted
from holdfast.domain.checkpoint import Checkpoint, PutResult
from holdfast.domain.code import Project
from holdfast.domain.foreign import RecordProof, machine_name
from holdfast.kernel.errors import ArchiveDamaged, CheckpointNotFound, RecordRefused
from holdfast.kernel.lazy_values import dataclass, replace
from holdfast.store.foreign_records import received, tree_named

_MAIN = "main"  # the transcript itself, as an archive calls it
_CODE_CAME = "its code came"
_MOST = 50  # characters of a machine's name, where more is put behind it


@dataclass(frozen=True, slots=True)
class TakenIn:
    """What came of it."""

    new: tuple[Checkpoint, ...]
    known: tuple[Checkpoint, ...]  # were here before
    forgotten: tuple[str, ...]  # ids that were removed here and stay so
    refused: tuple[str, ...]  # why some stand against what is here
    told: tuple[str, ...] = ()  # what of code and transcripts came
    missing: tuple[str, ...] = ()  # what did not, and why


@dataclass(frozen=True, slots=True, kw_only=True)
class TakeInMeans:
    """What taking in transcripts works with beside the usual ports."""

    kept: KeptTranscripts
    native: NativeSessions


def take_in(
    shared: SharedFile, directory: str, ports: Ports, means: TakeInMeans | None
) -> TakenIn:
    """Keep what others made, with the project of a directory; without `means`, only say
    what that would come to.

    Raises:
        RecordRefused: one of them is not what was kept there; nothing was kept.
    """
    intake = Intake(directory, ports, keeps=means is not None)
    clean = [(proof, intake.proved(proof)) for proof in shared.proofs]
    new, known = list[Checkpoint](), list[Checkpoint]()
    forgotten, refused = list[str](), list[str]()
    trees: dict[str, str] = {}
    for proof, checkpoint in clean:
        try:
            kept = intake.keep(checkpoint)
        except CheckpointNotFound:
            forgotten.append(checkpoint.checkpoint_id)
        except RecordRefused as why:
            refused.append(why.message)
        else:
            (new if kept.outcome == "saved" else known).append(kept.checkpoint)
            if tree := tree_named(proof):
                trees[checkpoint.checkpoint_id] = tree
    theirs = [each for each in (*new, *known) if each.machine]
    beside = list[tuple[bool, str]]()
    if means is not None:
        beside += _with_code(shared.code, theirs, trees, directory, ports)
        beside += _with_transcripts(shared.transcripts, theirs, ports, means)
    return TakenIn(
        tuple(new),
        tuple(known),
        tuple(forgotten),
        tuple(refused),
        told=tuple(told for is_here, told in beside if is_here),
        missing=tuple(why for is_here, why in beside if not is_here),
    )


def _with_code(
    pack: bytes,
    theirs: Sequence[Checkpoint],
    trees: Mapping[str, str],
    directory: str,
    ports: Ports,
) -> Iterator[tuple[bool, str]]:
    """Give records the code that came with them, as far as it belongs into a snapshot;
    yield whether it is here, and what to say."""
    bare = [c for c in theirs if not c.draft.code.tree and c.checkpoint_id in trees]
    if not pack or not bare:
        return
    wanted = sorted({trees[each.checkpoint_id] for each in bare})
    taken = ports.snapshots.take_in(pack, wanted, (directory,))
    store = ports.open_store()
    for each in bare:
        found = taken[trees[each.checkpoint_id]]
        if found.tree is None:
            yield False, f"the code of {each.label} was not taken: {found.reason}"
            continue
        code = each.draft.code
        left = found.left_out
        code = replace(code, tree=found.tree, left_out=(*code.left_out, *left))
        store.rewrite(each.checkpoint_id, replace(each.draft, code=code), _CODE_CAME)
        less = f", without {counted(len(left), 'file')}" if left else ""
        yield True, f"{each.label} came with its code{less}"


def _with_transcripts(
    transcripts: Mapping[str, bytes],
    theirs: Sequence[Checkpoint],
    ports: Ports,
    means: TakeInMeans,
) -> Iterator[tuple[bool, str]]:
    """Archive what was said in the sessions of records, by this machine's rules; a file
    that tells less of one than is here already takes nothing away."""
    of = {each.draft.session_id: each for each in theirs}
    for session, checkpoint in of.items():
        lines = transcripts.get(session.partition("@")[0])
        if lines is None:
            continue
        clean = [
            means.native.cleaned(line, ports.redactor.tree)
            for line in lines.splitlines(keepends=True)
        ]
        name = archived_as(session, checkpoint.draft.agent)
        if _kept_of(name, means.kept).startswith(b"".join(clean)):
            continue
        try:
            means.kept.keep(
                name,
                [(_MAIN, clean)],
                agent=checkpoint.draft.agent,
                stamp="shared",
                now_ms=ports.clock.now_ms(),
            )
        except OSError as problem:
            yield False, f"a transcript cannot be kept: {problem.strerror}"
        else:
            yield True, f"{checkpoint.label} came with its transcript"


def _kept_of(name: str, archive: KeptTranscripts) -> bytes:
    """Return what is here of a transcript; one that cannot be read may be replaced."""
    try:
        kept = archive.session(name)
        files = kept.files if kept else ()
        return b"".join(archive.lines(file) for file in files if file.name == _MAIN)
    except ArchiveDamaged:
        return b""


class Intake:
    """Takes in what others made, one at a time, with a project, or a directory's; without
    `keeps` it only says what that would come to."""

    def __init__(
        self,
        directory: str,
        ports: Ports,
        project: Project | None = None,
        *,
        keeps: bool = True,
    ) -> None:
        self._store = ports.open_store()
        self._redactor = ports.redactor
        self._keeps = keeps
        self.project = project or project_at(directory, ports, keeps=keeps)
        self._own = machine_name(self._store.machine)

    def proved(self, proof: RecordProof, checkpoint_id: str = "") -> Checkpoint:
        """Return what a record says, by this machine's rules; with an id, only that one.

        Raises:
            RecordRefused: it is not what was kept where it was made, or another record.
        """
        named = replace(proof, machine=self.machine(proof.machine))
        found = received(named, self.project)
        if checkpoint_id and found.checkpoint_id != checkpoint_id:
            raise RecordRefused(
                "its record is not the one that its id says",
                hint="check who may write to the place it came from",
            )
        return _clean(found, self._redactor)

    def keep(self, checkpoint: Checkpoint) -> PutResult:
        """Keep one that was proved.

        Raises:
            CheckpointNotFound: it was forgotten here, and stays so.
            RecordRefused: it stands against what is here.
        """
        if self._keeps:
            return self._store.adopt(checkpoint)
        try:  # what was forgotten is taken for new
            return PutResult("repeated", self._store.get(checkpoint.checkpoint_id))
        except CheckpointNotFound:
            return PutResult("saved", checkpoint)

    def taken_in(self, checkpoint_id: str) -> Checkpoint | None:
        """Return a record of this project that another machine made, if it is here: only
        that may be taken back from there. What came from another program is no machine's."""
        kept = if_kept(checkpoint_id, self._store)
        if kept is None or kept.foreign is None or kept.foreign.origin is not None:
            return None
        return kept if kept.draft.project_id == self.project.project_id else None

    def machine(self, name: str) -> str:
        """Return what another machine is called here: never as this one is."""
        is_same = name.casefold() == self._own.casefold()
        return f"{name[:_MOST]}-other" if is_same else name


def project_at(directory: str, ports: Ports, *, keeps: bool = True) -> Project:
    """Return the project of a directory, which may be new here; without `keeps` it is
    not noted."""
    identity, store = ports.code.identity(directory), ports.open_store()
    look = store.project if keeps else store.known_project
    found = look(
        identity, lambda commit: ports.code.has_commit(identity.workspace, commit)
    )
    return found or Project(project_id="", root=identity.path)


def _clean(checkpoint: Checkpoint, redactor: Redacts) -> Checkpoint:
    """Return it without what this machine's rules take for a secret, also where a record
    of ours tells only what we know ourselves."""
    draft, foreign = checkpoint.draft, checkpoint.foreign
    draft = replace(
        draft,
        hostname=redactor.text(draft.hostname),
        agent_version=redactor.text(draft.agent_version),
        code=replace(draft.code, head=_clean_head(draft.code.head, redactor)),
        facts=replace(
            draft.facts,
            tools=tuple(
                replace(tool, tool=redactor.text(tool.tool))
                for tool in draft.facts.tools
            ),
        ),
    )
    if foreign is not None:
        foreign = replace(
            foreign,
            project_id=redactor.text(foreign.project_id),
            project_root=redactor.text(foreign.project_root),
            name=redactor.text(foreign.name) if foreign.name else None,
        )
    return replace(checkpoint, draft=redacted(draft, redactor), foreign=foreign)


def _clean_head(head: str | None, redactor: Redacts) -> str | None:
    """Return a commit's name; what only looks like one is none."""
    return head if head is None or redactor.text(head) == head else None
