"""Save the current code before a restore changes it, so that it can be undone."""

from collections.abc import Iterable

from holdfast.app.checkpoints.drafting import SaveRequest, redacted
from holdfast.app.checkpoints.save import Saved, save
from holdfast.app.ports import Caller, Ports
from holdfast.domain.checkpoint import Checkpoint
from holdfast.domain.query import Scope
from holdfast.kernel.errors import HoldfastError, RestoreRefused, SaveFailed
from holdfast.kernel.lazy_values import replace
from holdfast.store.port import Finding, Sessions

_TAG = "before-restore"
_LOOKED_AT = 50


def save_present(
    why: str, tree: str, wanted: Checkpoint, caller: Caller, ports: Ports
) -> Checkpoint:
    """Return a checkpoint whose code is `tree`, the present as it was just seen.

    Its title is that of the work, and why it was made. It is a save of the session at work. Where that has no transcript any more, what
    was known last is kept again, with this code.

    Raises:
        RestoreRefused: the present is no longer `tree`, or could not be saved.
    """
    try:
        saved = _of_session(why, caller, ports)
    except SaveFailed:
        saved = None
    if saved is None:
        saved = _without_session(why, tree, wanted, caller, ports)
    if saved.draft.code.tree != tree:
        raise RestoreRefused(
            "files changed after they were looked at; nothing was written",
            hint="run the command again",
        )
    return saved


def _of_session(why: str, caller: Caller, ports: Ports) -> Checkpoint | None:
    store = ports.open_store()
    session_id = caller.session_id or _newest_session(store, caller.scope)
    transcript = _transcript(session_id, store, ports) if session_id else ""
    if not (session_id and transcript):
        return None
    request = SaveRequest(
        session_id=session_id,
        transcript=transcript,
        directory=caller.directory,
        directory_given=True,
        key=caller.key,
        type="auto",
        trigger="restore",
        title=_title(why, store.list(Scope(), session=session_id, limit=_LOOKED_AT)),
        tags=(_TAG, f"{_TAG}-{caller.key[:12]}"),  # of its own: never "unchanged"
        budget=caller.budget,
    )
    result = save(request, ports)
    if isinstance(result, Saved) and result.status != "BROKEN":
        return result.checkpoint
    reason = getattr(result, "reason", "the record cannot be read back")
    raise RestoreRefused(
        f"the current code could not be saved first: {reason}",
        hint="see `holdfast doctor`; nothing was written",
    )


def _title(why: str, before: Iterable[Checkpoint]) -> str:
    """Return the title of the work, not of an earlier safety copy, and why."""
    made = (c.draft for c in before if c.draft.trigger != "restore")
    work = next((draft.content.title for draft in made), "")
    return f"{work} ({why})" if work else f"{why[:1].upper()}{why[1:]}"


def _transcript(session_id: str, store: Finding, ports: Ports) -> str:
    found = ports.transcripts.find(session_id)
    if found:
        return found
    last = store.list(Scope(), session=session_id, limit=1)
    return last[0].draft.transcript if last else ""


def _newest_session(store: Sessions, scope: Scope) -> str | None:
    newest = store.sessions(scope, 1)
    return newest[0].session_id if newest else None


def _without_session(
    why: str, tree: str, wanted: Checkpoint, caller: Caller, ports: Ports
) -> Checkpoint:
    """Keep the code with what was known last: without a transcript nothing is newer."""
    store = ports.open_store()
    here = store.list(caller.scope, limit=_LOOKED_AT)
    known = (*here, wanted)[0].draft
    now = ports.code.state(caller.directory)
    draft = replace(
        known,
        key=caller.key,
        type="auto",
        trigger="restore",
        created_at=ports.clock.now_ms(),
        workspace=ports.code.identity(caller.directory).workspace,
        hostname=ports.hostname,
        name=None,
        replace_name=False,
        content=replace(known.content, title=_title(why, here)),
        code=replace(now, tree=tree),
        details=(),
        merged_from=(),
        tags=(*known.tags, _TAG),
        state_key="",  # of no state of the session, so it is never "nothing new"
        given_title=True,
    )
    try:
        return store.put(redacted(draft, ports.redactor)).checkpoint
    except HoldfastError as trouble:
        raise RestoreRefused(
            f"the current code could not be saved first: {trouble.message}",
            hint=trouble.hint,
        ) from None
