"""Repeated workflows: found in a session and in the log, proposed, never made."""

from holdfast.domain.session import SessionState
from holdfast.kernel.errors import FileRefused
from holdfast.kernel.lazy_values import dataclass, replace
from holdfast.project_notes.memory.entries import (
    DECLINED,
    LOG,
    REPEATED_EVER,
    REPEATED_HERE,
    WORKFLOW,
    Episode,
    Workflow,
    alike,
)
from holdfast.project_notes.memory.episodes import episodes_in
from holdfast.project_notes.memory.workflows import (
    is_covered,
    proposal,
    proposed_name,
    proposed_triggers,
    workflows_of,
)
from holdfast.project_notes.port import ProjectFiles

_PARTS = 3  # of a signature


@dataclass(frozen=True, slots=True)
class Proposal:
    workflow: Workflow
    name: str
    triggers: tuple[str, ...]


def proposals(state: SessionState | None, files: ProjectFiles) -> tuple[Proposal, ...]:
    """Return the ways of working that might become a skill.

    Seen often enough here or over many sessions, covered by no installed skill, and not
    declined before.

    Raises:
        FileRefused: the log cannot be read.
    """
    logged = episodes_in(files.read(LOG))
    known = [episode for episode in logged if episode.type == WORKFLOW]
    declined = [episode.text for episode in logged if episode.type == DECLINED]
    skills = files.skills()
    found = []
    for flow, requests in (*_here(state, known), *_logged(state, known)):
        if flow.here < REPEATED_HERE and flow.ever < REPEATED_EVER:
            continue
        name = proposed_name(flow, requests)
        if name not in declined and not is_covered(flow, skills):
            triggers = proposed_triggers(flow, requests)
            found.append(Proposal(flow, name, triggers))
    return tuple({proposal.name: proposal for proposal in found}.values())


def proposed_texts(state: SessionState | None, files: ProjectFiles) -> list[str]:
    """Return the proposals as they are told; a log that cannot be read gives none."""
    try:
        found = proposals(state, files)
    except FileRefused:
        return []
    return [proposal(each.workflow, each.name, each.triggers) for each in found]


def _here(
    state: SessionState | None, known: list[Episode]
) -> list[tuple[Workflow, tuple[str, ...]]]:
    """What this session did, with how often others did it."""
    found = workflows_of(state) if state else ()
    return [
        (replace(flow, ever=_count(flow, known)), requests) for flow, requests in found
    ]


def _logged(
    state: SessionState | None, known: list[Episode]
) -> list[tuple[Workflow, tuple[str, ...]]]:
    """What only the log knows of."""
    here = [flow.signature for flow, _ in (workflows_of(state) if state else ())]
    found: list[tuple[Workflow, tuple[str, ...]]] = []
    for episode in known:
        parts = episode.text.split(" + ")
        if len(parts) == _PARTS and not any(alike(text, episode.text) for text in here):
            tools = tuple(parts[1].split(" → "))
            flow = Workflow(parts[0], tools, parts[2], 0, episode.ref)
            found.append((flow, ()))
    return found


def _count(flow: Workflow, known: list[Episode]) -> int:
    same = (e.ref for e in known if alike(e.text, flow.signature))
    return next(same, 0)
