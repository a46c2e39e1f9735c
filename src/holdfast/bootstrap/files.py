"""The files that people read: the project's memory, and the client's own."""

from holdfast.app.notes.memory import MemoryTools
from holdfast.bootstrap import Desk
from holdfast.kernel.clock import local_time
from holdfast.kernel.directory_files import DirectoryFiles
from holdfast.kernel.lazy_objects import late
from holdfast.snapshot.git.layout import find


def files_at(desk: Desk, workspace: str) -> DirectoryFiles:
    """Return the files of a project that people read, by its worktree's root."""
    repository = find(workspace)
    return DirectoryFiles(
        workspace,
        git_directory=repository.common_dir if repository else None,
        skill_directories=(
            f"{desk.places.claude_dir}/skills",
            f"{workspace}/.claude/skills",
        ),
    )


def memory_tools_at(desk: Desk, workspace: str) -> MemoryTools:
    """Return what the memory files of a project are written with."""
    return MemoryTools(
        files=files_at(desk, workspace),
        redactor=late(lambda: desk.redactor),
        today=local_time(desk.clock.now_ms())[:10],
    )
