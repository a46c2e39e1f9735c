"""Refuse an agent's call that would write into another project than its own.

What such a call writes is told to later sessions of that project, so a session id that was
read somewhere must not be enough to speak to them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.domain.text import one_line, visible
from holdfast.kernel.errors import STORE_TROUBLE, ProjectForeign

if TYPE_CHECKING:
    from collections.abc import Iterable

    from holdfast.app.ports import Ports
    from holdfast.domain.code import ProjectIdentity
    from holdfast.store.port import Store

_MOST_OF_A_PLACE = 200  # characters


def refuse_foreign(
    session_id: str,
    places: Iterable[str],
    own: ProjectIdentity,
    ports: Ports,
    store: Store | None,
) -> None:
    """Refuse to write a session unless it and all its places are of the project `own`.

    Places are where it worked and where it would be written to; they decide alone where
    no store can be asked.

    Raises:
        ProjectForeign: one of them is of another project.
    """
    here = _project_id(own, ports, store)
    for place in places:
        there = ports.code.identity(place)
        if there.path != own.path and (
            here is None or _project_id(there, ports, store) != here
        ):
            raise _foreign(there.workspace)
    known = _workspace_of_another(session_id, here, store) if here else None
    if known:
        raise _foreign(known)


def _workspace_of_another(
    session_id: str, here: str, store: Store | None
) -> str | None:
    """Return where a session was kept, if that was not in the project `here`."""
    try:
        known = store.session(session_id) if store else None
    except STORE_TROUBLE:
        return None
    is_foreign = known and known.project_id and known.project_id != here
    return known.workspace if known and is_foreign else None


def _project_id(
    identity: ProjectIdentity, ports: Ports, store: Store | None
) -> str | None:
    def has_commit(commit: str) -> bool:
        return ports.code.has_commit(identity.workspace, commit)

    try:
        found = store.known_project(identity, has_commit) if store else None
    except STORE_TROUBLE:
        return None
    return found.project_id if found else None


def _foreign(place: str) -> ProjectForeign:
    shown = one_line(visible(place), _MOST_OF_A_PLACE)
    return ProjectForeign(
        f"that belongs to another project, `{shown}`; nothing was written",
        hint="leave `session_id` and `project_path` out: a call writes only into the"
        " project its server runs in; only the user can run"
        " `holdfast save --session ID`",
    )
