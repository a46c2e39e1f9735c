"""Ask a team for what is not here: a search over everybody's work, and one checkpoint.

What is taken in because somebody named it is proved and redacted like all that comes from
another machine.
"""

from collections.abc import Callable

from holdfast.app.checkpoints.search import SearchRequest, SearchResult, search
from holdfast.app.ports import Ports
from holdfast.app.sharing.take_in import Intake
from holdfast.domain.checkpoint import Checkpoint
from holdfast.domain.code import ProjectIdentity
from holdfast.domain.foreign import machine_name
from holdfast.domain.query import Scope
from holdfast.kernel.errors import CheckpointNotFound
from holdfast.kernel.ids import IdPrefix, Number, Reference
from holdfast.kernel.lazy_values import replace
from holdfast.store.team_port import TeamStore

_NOWHERE = Scope(project_id="")  # an unknown project contains nothing


def search_team(
    team: TeamStore,
    request: SearchRequest,
    identity: ProjectIdentity,
    machine: str,
    *,
    everywhere: bool,
) -> SearchResult:
    """Return what answers a query in the team's store: in this project, or in all."""
    scope = Scope() if everywhere else team_scope(team, identity, machine)
    return search(team, request, scope)


def fetch(
    reference: Reference,
    directory: str,
    ports: Ports,
    open_team: Callable[[], TeamStore],
) -> Checkpoint:
    """Take in the one checkpoint of the team that a reference names.

    Raises:
        CheckpointNotFound: the team has none; or it was forgotten here, and stays so.
        ReferenceAmbiguous: it has several.
        RecordRefused: it is not what was kept where it was made.
        TeamUnreachable, TeamRefused
    """
    team = open_team()
    identity = ports.code.identity(directory)
    scope = team_scope(team, identity, ports.open_store().machine)
    found = team.find(reference, scope)
    proof = team.given(found.checkpoint_id)
    if proof is None:
        raise CheckpointNotFound(
            f"`{found.checkpoint_id}` was shared by no machine, so it cannot be taken over",
            hint="see what others shared with `holdfast search --team`",
        )
    intake = Intake(directory, ports)
    return intake.keep(intake.proved(proof, found.checkpoint_id)).checkpoint


def is_of_others(reference: Reference) -> bool:
    """Say whether a reference may name what only another machine has."""
    if isinstance(reference, Number):
        return reference.machine is not None
    return isinstance(reference, IdPrefix)


def team_scope(team: TeamStore, identity: ProjectIdentity, machine: str) -> Scope:
    """Return a directory's project as the team knows it."""
    place = f"{machine_name(machine)}:{identity.path}"
    known = team.known_project(replace(identity, path=place, workspace=place))
    return Scope(project_id=known.project_id) if known else _NOWHERE
