"""The variables that a session's own shell sees, brought up to date (B4)."""

import os

from holdfast.bootstrap import Container
from holdfast.data_directory import variables
from holdfast.kernel.errors import MetadataUnwritable


def write_variables(container: Container, session_id: str) -> None:
    """Write what a session's shell is to see.

    Raises:
        MetadataUnwritable: it sees what it saw before; nothing else is lost.
    """
    record = container.store().session(session_id)
    now = container.clock.now_ms()
    values = variables.variables_of(session_id, record, container.directory, now)
    env_file = variables.env_file_of(container.environ, container.places.claude_dir)
    variables.write_variables(container.places.home, session_id, values, env_file)


def refresh_variables(container: Container, session_id: str) -> str:
    """Do that for a session whose shell has them: one that hooks saw start.

    Returns what went wrong: the save that comes before is kept in any case.
    """
    try:
        if os.path.exists(f"{container.places.home}/env/{session_id}.sh"):
            write_variables(container, session_id)
    except MetadataUnwritable as trouble:
        return f"{trouble.code}: {trouble.message}"
    return ""
