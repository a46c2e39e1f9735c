"""Where files are: holdfast's data, the user's configuration, the client's directory.

The only module that looks at the home directory. What the environment says is believed
only so far: a repository can set the environment of hooks.
"""

import os
from collections.abc import Mapping, Sequence

from holdfast.kernel.errors import HomeRefused
from holdfast.kernel.lazy_tuples import NamedTuple

_OFF = frozenset(["", "0", "false", "no", "off"])


class Places(NamedTuple):
    """Absolute paths; nothing there need exist yet."""

    home: str  # our data: store, spool, scratch
    user_config: str  # the user's own configuration
    contextd_config: str  # the one an earlier tool left
    claude_dir: str  # Claude Code's configuration and transcripts
    codex_dir: str = ""  # the same of other agents
    gemini_dir: str = ""
    copilot_dir: str = ""
    pi_dir: str = ""
    opencode_db: str = ""  # one file for all sessions


# What can give an environment to hooks, servers and shells, or holds what does.
_SETTERS = (".git", ".claude", ".mcp.json", ".envrc", ".env", ".vscode")


def is_disabled(environ: Mapping[str, str]) -> bool:
    """Say whether `HOLDFAST_DISABLE` stops everything."""
    return environ.get("HOLDFAST_DISABLE", "").strip().lower() not in _OFF


def default_places(
    environ: Mapping[str, str],
    *,
    projects: Sequence[str] = (),
    account_home: str | None = None,
) -> Places:
    """Return the places the environment names, none of them inside a project.

    `projects` are the directories a stranger may have filled: the project's root and
    its worktree. `account_home` is the home directory by the machine's own record.

    Raises:
        HomeRefused: the data directory, the user's configuration or the client's
            directory would lie inside.
    """
    account = account_home or _account_home()
    user = _absolute(environ.get("HOME")) or account or "/"
    data = _absolute(environ.get("XDG_DATA_HOME")) or f"{user}/.local/share"
    config = _absolute(environ.get("XDG_CONFIG_HOME")) or f"{user}/.config"
    claude = _absolute(_expanded(environ.get("CLAUDE_CONFIG_DIR"), user))
    places = Places(
        home=_chosen_home(environ.get("HOLDFAST_HOME"), user) or f"{data}/holdfast",
        user_config=f"{config}/holdfast/config.json",
        contextd_config=f"{user}/.config/contextd/config.json",
        claude_dir=claude or f"{user}/.claude",
        **_others(environ, user, data, projects),
    )
    for project in projects:
        if not _is_users_own(project, account, user):
            _refuse_inside(places, project, account)
    return places


def _others(
    environ: Mapping[str, str], user: str, data: str, projects: Sequence[str]
) -> dict[str, str]:
    """Return where agents besides Claude Code keep their sessions.

    What a variable names inside a project is not believed: a stranger may have set it,
    and who uses another agent need not care.
    """
    gemini = _absolute(_expanded(environ.get("GEMINI_CLI_HOME"), user)) or user
    given = {
        "codex_dir": (environ.get("CODEX_HOME"), f"{user}/.codex"),
        "gemini_dir": (f"{gemini}/.gemini", f"{user}/.gemini"),
        "copilot_dir": (environ.get("COPILOT_HOME"), f"{user}/.copilot"),
        "pi_dir": (environ.get("PI_CODING_AGENT_DIR"), f"{user}/.pi/agent"),
        "opencode_db": (
            environ.get("OPENCODE_DB"),
            f"{data}/opencode/opencode.db",
        ),
    }
    found = {}
    for name, (said, usual) in given.items():
        path = _absolute(_expanded(said, user)) or usual
        is_foreign = any(_is_inside(path, project) for project in projects)
        found[name] = usual if is_foreign else path
    return found


def _is_users_own(project: str, account: str | None, user: str) -> bool:
    """Nobody else's project has the user's home directory in it.

    What `HOME` says is no proof where something in the project could have set it.
    """
    if _is_inside(account, project):
        return True
    could_set = any(os.path.lexists(f"{project}/{name}") for name in _SETTERS)
    return not could_set and _is_inside(user, project)


def _chosen_home(text: str | None, user: str) -> str | None:
    wanted = _expanded(text, user)
    if wanted and not os.path.isabs(wanted):
        raise HomeRefused(
            f"`HOLDFAST_HOME` is `{wanted}`, which depends on the current directory",
            hint="give it an absolute path, or unset it",
        )
    return wanted


def _refuse_inside(places: Places, project: str, account: str | None) -> None:
    # People keep their own `~/.claude` in a repository, and work on it there.
    is_own = os.path.normpath(places.claude_dir) == f"{account}/.claude"
    claude = None if is_own else places.claude_dir
    for what, path, variable in (
        ("the data directory", places.home, "HOLDFAST_HOME` or `XDG_DATA_HOME"),
        ("the user's configuration", places.user_config, "XDG_CONFIG_HOME"),
        ("the client's directory", claude, "CLAUDE_CONFIG_DIR"),
    ):
        if _is_inside(path, project):
            raise HomeRefused(
                f"{what} `{path}` would lie inside the project `{project}`",
                hint=f"set `{variable}` to a path outside the project, or unset it",
            )


def _is_inside(path: str | None, project: str) -> bool:
    if path is None:
        return False
    try:
        real, around = os.path.realpath(path), os.path.realpath(project)
    except ValueError:
        return False  # a name no file system knows contains nothing
    return real == around or real.startswith(around.rstrip("/") + "/")


def _expanded(text: str | None, user: str) -> str | None:
    """A variable set in a file was never through a shell, so `~/` is still there."""
    if text and (text == "~" or text.startswith("~/")):
        return user + text[1:]
    return text or None


def _absolute(text: str | None) -> str | None:
    """A relative path in these variables is ignored, as their standard says."""
    return text if text and os.path.isabs(text) else None


def _account_home() -> str | None:
    import pwd  # noqa: PLC0415  # rarely needed twice, and absent on some systems

    try:
        return pwd.getpwuid(os.getuid()).pw_dir
    except KeyError:
        return None
