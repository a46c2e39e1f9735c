"""Keeping files that people read out of git: offered at the first write, done if asked."""

from collections.abc import Iterable

from holdfast.app.notes.handoff import OUR_FILES
from holdfast.kernel.shared_files import Changed
from holdfast.project_notes.port import ProjectFiles
from holdfast.surfaces.cli.output import Output


def exclude(files: ProjectFiles, output: Output) -> None:
    """Add our files to the repository's own exclude list.

    Raises:
        FileRefused: there is no repository, or its list cannot be written.
    """
    added = files.exclude_from_git(OUR_FILES)
    if added:
        output.say(f"excluded from git in `.git/info/exclude`: {', '.join(added)}")


def offer(
    changed: Iterable[Changed], files: ProjectFiles, command: str, output: Output
) -> None:
    """Say how to keep new files out of git, where that was not done yet."""
    new = [file.path for file in changed if file.is_new]
    if any(not files.is_excluded(path) for path in new):
        output.say(f"keep these files out of git with: {command} --exclude")
