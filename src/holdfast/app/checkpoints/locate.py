"""Which session is meant, and where its transcript is (A1). Never a guess."""

from collections.abc import Mapping

from holdfast.agents.transcript_port import Transcripts
from holdfast.domain.text import visible
from holdfast.kernel.errors import SaveFailed, SessionUnknown
from holdfast.kernel.ids import session_id as checked
from holdfast.kernel.lazy_values import dataclass


@dataclass(frozen=True, slots=True)
class Located:
    session_id: str
    transcript: str


def locate(
    session: str | None,
    transcript: str | None,
    environ: Mapping[str, str],
    transcripts: Transcripts,
    directory: str | None = None,
) -> Located:
    """Return the session and its transcript; without one, say which was last here.

    Order: the id given; the transcript's own; the client's `CLAUDE_CODE_SESSION_ID`;
    `CLAUDE_SESSION_ID` set by hand.

    Raises:
        SessionUnknown: no id, or one that is not an id.
        SaveFailed: there is no transcript of that session, or it names none.
    """
    agent = transcripts.agent
    if transcript is not None:
        own = transcripts.session_of(transcript)
        if not (session or own):
            raise SaveFailed(
                f"the transcript `{visible(transcript)}` names no session",
                hint="pass `--session ID`, or the transcript that the agent wrote",
            )
        return Located(checked(session or own, agent=agent), transcript)
    named = session or _from_environment(environ)
    if not (named or "").strip() and directory is not None:
        _name_newest(directory, transcripts)
    wanted = checked(named, agent=agent)
    path = transcripts.find(wanted)
    if path is None:
        raise SaveFailed(
            f"no transcript of session `{wanted}` was found",
            hint="pass `--transcript FILE` if it lies somewhere else",
        )
    return Located(wanted, path)


def _name_newest(directory: str, transcripts: Transcripts) -> None:
    """Name the session that was last at work here, for whoever has to choose.

    Raises:
        SessionUnknown: there is one; taking it unasked would be a guess.
    """
    newest = transcripts.newest(directory)
    own = transcripts.session_of(newest) if newest else None
    if own:
        raise SessionUnknown(
            "no session id", hint=f"the newest session here: pass `--session {own}`"
        )


def known_session(environ: Mapping[str, str], agent: str) -> str | None:
    """Return the session this process belongs to, if the environment says one."""
    try:
        return checked(_from_environment(environ), agent=agent)
    except SessionUnknown:
        return None


def _from_environment(environ: Mapping[str, str]) -> str | None:
    return environ.get("CLAUDE_CODE_SESSION_ID") or environ.get("CLAUDE_SESSION_ID")
