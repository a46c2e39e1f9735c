"""Which of a session's files are not committed, as git says it. Pure."""

from collections.abc import Iterator, Sequence

from holdfast.domain.checkpoint import Content
from holdfast.domain.code import is_uncommitted
from holdfast.kernel.lazy_values import replace


def as_git_says(
    content: Content, listed: Sequence[str], *, began: str, workspace: str
) -> Content:
    """Return content whose uncommitted files are those of the session that git lists,
    the one worked on last first.

    `listed` are paths from the root of `workspace`, the session's are seen from where it
    `began`. What another worktree holds, git did not say.
    """
    if not _is_same_place(began, workspace):
        return content
    changed = (file.path for file in content.files if file.change != "read")
    worked_on = dict.fromkeys((*content.uncommitted, *changed))
    left = tuple(
        path
        for path in worked_on
        if any(is_uncommitted(p, listed) for p in places_of(path, began, workspace))
    )
    return replace(content, uncommitted=left)


def places_of(path: str, began: str, workspace: str) -> Iterator[str]:
    """Yield where in a worktree a path can lie that is seen from where a session began:
    a directory of it, perhaps, or one that it was not moved to before."""
    root = workspace.rstrip("/")
    if path.startswith(f"{root}/"):
        yield path[len(root) + 1 :]
    parts = path.split("/")
    if path.startswith(("/", "~")) or {"", ".", ".."} & {*parts}:
        return
    if began.startswith(f"{root}/"):
        yield f"{began[len(root) + 1 :]}/{path}"
    yield path


def _is_same_place(began: str, workspace: str) -> bool:
    one, other = f"{began.rstrip('/')}/", f"{workspace.rstrip('/')}/"
    return bool(workspace) and (one.startswith(other) or other.startswith(one))
