"""Sharing through a team's remote: which one, the place a sync works in, and forgetting."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from holdfast.agents.past_port import NativeSessions
from holdfast.app.forgetting.forget import ForgetRequest, forget, plan_forget
from holdfast.app.sharing.git_sync import SyncMeans
from holdfast.app.sharing.take_in import Intake, TakeInMeans
from holdfast.bootstrap import Container
from holdfast.bootstrap.forgetting import forget_means
from holdfast.data_directory.approvals import ApprovalFile
from holdfast.data_directory.archive import TranscriptArchive
from holdfast.data_directory.port import Approvals
from holdfast.data_directory.share_marks import ShareDirectory, ShareMarks
from holdfast.domain.query import Scope
from holdfast.kernel.errors import NativeRefused, RemoteFailed
from holdfast.kernel.ids import reference
from holdfast.neighbours.place import SourcePlace
from holdfast.snapshot.git.team_remote import team_remote


def take_in_means(container: Container) -> TakeInMeans:
    """Return what taking in a file needs."""
    return TakeInMeans(
        kept=TranscriptArchive(container.home), native=native_sessions(container)
    )


def native_sessions(container: Container) -> NativeSessions:
    """Return the conversations that can be shared: those of the agent meant here.

    Raises:
        NativeRefused: its own format is not written.
    """
    agent = container.agent()
    native = agent.native()
    if native is None:
        raise NativeRefused(
            f"conversations of {agent.name} cannot be shared",
            hint="leave out `--transcript` to share the checkpoint alone",
        )
    return native


def neighbours_at(container: Container, path: str) -> SourcePlace:
    """Return where another program keeps its files."""
    return SourcePlace(path, container.zone, container.code.plumbing(path))


def is_shared(container: Container) -> bool:
    """Say whether the user shares this project through a remote."""
    share = container.config.share
    return share is not None and share.is_for(container.workspace())


@contextmanager
def git_sharing(container: Container) -> Iterator[SyncMeans]:
    """Lend what a sync through the remote of this project works with.

    Raises:
        RemoteFailed: it is not switched on, there is no such remote, or another sync is
            at work.
    """
    share = container.config.share
    if share is None or not is_shared(container):
        where = "" if share is None else " for this project"
        raise RemoteFailed(
            f"sharing through git is not switched on{where}",
            hint="switch it on with `holdfast config set share"
            """ '{"kind": "git", "remote": "origin"}'`""",
        )
    project = Intake(container.directory, container.ports(create=True)).project
    with (
        ShareDirectory(container.home).held() as scratch,
        team_remote(
            scratch, container.environ, container.directory, share.remote
        ) as remote,
    ):
        yield SyncMeans(
            remote=remote,
            marks=ShareMarks(container.home, remote.address, project.project_id),
            forget=lambda ids: forget_records(container, ids),
        )


def forget_records(container: Container, checkpoint_ids: Sequence[str]) -> None:
    """Forget records as `holdfast forget` does, each with what others inherited of it."""
    ports, means = container.ports(), forget_means(container, is_syncing=True)
    for checkpoint_id in checkpoint_ids:
        wanted = ForgetRequest(reference=reference(checkpoint_id))
        forget(plan_forget(wanted, Scope(), ports), ports, means)


def approvals(container: Container) -> Approvals:
    """Return which checkpoints of others the user agreed to."""
    return ApprovalFile(container.home)
