"""Which project a directory belongs to, as a table of what people do."""

import random

import pytest

from holdfast.domain.code import Project, ProjectIdentity
from holdfast.store.project_identity import HasCommit, choose_project

HERE, THERE = "/code/app", "/other/app"
ROOT, OTHER_ROOT = "a" * 40, "b" * 40
REMOTE, OTHER_REMOTE = "example.com/me/app", "example.com/you/app"


def identity(
    path: str = HERE,
    *,
    roots: tuple[str, ...] = (),
    remote: str | None = None,
    is_git: bool = True,
) -> ProjectIdentity:
    return ProjectIdentity(
        path=path, workspace=path, root_commits=roots, remote=remote, is_git=is_git
    )


def known(
    project_id: str = "p1",
    *,
    paths: tuple[str, ...] = (HERE,),
    roots: tuple[str, ...] = (),
    remotes: tuple[str, ...] = (),
) -> Project:
    return Project(
        project_id=project_id,
        root=paths[0] if paths else "",
        paths=paths,
        root_commits=roots,
        remotes=remotes,
    )


def no(_: str) -> bool:
    return False


def yes(_: str) -> bool:
    return True


@pytest.mark.parametrize(
    ("here", "project", "has_commit"),
    [
        pytest.param(identity(is_git=False), known(), None, id="the same place"),
        pytest.param(identity(), known(), no, id="git init where there was no git"),
        pytest.param(
            identity(roots=(ROOT,)), known(), no, id="the first commit after git init"
        ),
        pytest.param(
            identity(roots=(ROOT,), remote=REMOTE),
            known(roots=(ROOT,)),
            no,
            id="a new remote",
        ),
        pytest.param(
            identity(roots=(ROOT,), remote=OTHER_REMOTE),
            known(roots=(ROOT,), remotes=(REMOTE,)),
            no,
            id="another remote",
        ),
        pytest.param(
            identity(roots=(OTHER_ROOT,)),
            known(roots=(ROOT,)),
            yes,
            id="the first commit amended: the old one is still there",
        ),
        pytest.param(
            identity(roots=(OTHER_ROOT,), remote=REMOTE),
            known(roots=(ROOT,), remotes=(REMOTE,)),
            no,
            id="history rewritten from the root, same remote",
        ),
        pytest.param(
            identity(remote=REMOTE),
            known(roots=(ROOT,), remotes=(REMOTE,)),
            no,
            id="cloned again in the same place, shallow",
        ),
        pytest.param(
            identity(),
            known(roots=(ROOT,)),
            yes,
            id="a history too long to walk, but it has the commit",
        ),
        pytest.param(
            identity(), known(roots=(ROOT,)), None, id="nobody to ask, nothing to see"
        ),
        pytest.param(
            identity(is_git=False), known(roots=(ROOT,)), no, id="the .git was removed"
        ),
        pytest.param(
            identity(THERE, roots=(ROOT,)), known(roots=(ROOT,)), no, id="moved"
        ),
        pytest.param(
            identity(THERE, roots=(OTHER_ROOT, ROOT)),
            known(roots=(ROOT,)),
            no,
            id="moved and joined with another history",
        ),
        pytest.param(
            identity(THERE, remote=REMOTE),
            known(roots=(ROOT,), remotes=(REMOTE,)),
            no,
            id="a shallow clone elsewhere",
        ),
    ],
)
def test_it_is_the_same_project(
    here: ProjectIdentity, project: Project, has_commit: HasCommit | None
) -> None:
    """Checkpoints follow a repository through everything that happens to one."""
    assert choose_project(here, [project], has_commit) == project.project_id


@pytest.mark.parametrize(
    ("here", "project", "has_commit"),
    [
        pytest.param(
            identity(roots=(OTHER_ROOT,)),
            known(roots=(ROOT,)),
            no,
            id="another repository in the same place",
        ),
        pytest.param(
            identity(roots=(OTHER_ROOT,)),
            known(roots=(ROOT,)),
            None,
            id="another repository, and nobody to ask for the old one",
        ),
        pytest.param(
            identity(roots=(OTHER_ROOT,), remote=OTHER_REMOTE),
            known(roots=(ROOT,), remotes=(REMOTE,)),
            no,
            id="another repository with another remote",
        ),
        pytest.param(
            identity(), known(roots=(ROOT,)), no, id="removed, and git init again"
        ),
        pytest.param(
            identity(THERE, roots=(OTHER_ROOT,)),
            known(roots=(ROOT,)),
            yes,
            id="the same folder name elsewhere",
        ),
        pytest.param(
            identity(THERE, is_git=False), known(), None, id="another place without git"
        ),
        pytest.param(
            identity(THERE), known(), no, id="two repositories without a commit"
        ),
    ],
)
def test_it_is_another_project(
    here: ProjectIdentity, project: Project, has_commit: HasCommit | None
) -> None:
    """One project's brief in another is worse than none."""
    assert choose_project(here, [project], has_commit) is None


@pytest.mark.parametrize(
    ("candidates", "expected"),
    [
        pytest.param(
            [
                known("p1", paths=(THERE,), roots=(ROOT,), remotes=(REMOTE,)),
                known("p2", roots=(ROOT,)),
            ],
            "p2",
            id="the place before everything",
        ),
        pytest.param(
            [
                known("p1", paths=(THERE,), remotes=(REMOTE,)),
                known("p2", paths=(THERE,), roots=(ROOT,)),
            ],
            "p2",
            id="the root commit before the remote",
        ),
        pytest.param(
            [
                known("p1", paths=(), roots=(ROOT,)),
                known("p2", paths=(), roots=(ROOT,), remotes=(REMOTE,)),
            ],
            "p2",
            id="root commit and remote before the root commit alone",
        ),
        pytest.param(
            [
                known("p2", paths=(), roots=(ROOT,)),
                known("p1", paths=(), roots=(ROOT,)),
            ],
            "p1",
            id="the smallest id when nothing else decides",
        ),
        pytest.param(
            [
                known("p1", roots=(OTHER_ROOT,)),
                known("p2", paths=(THERE,), roots=(ROOT,)),
            ],
            "p2",
            id="a replaced repository's place does not count",
        ),
        pytest.param([], None, id="nothing is known"),
    ],
)
def test_of_several_one_is_chosen_whatever_their_order(
    candidates: list[Project], expected: str | None
) -> None:
    """Two clones known apart may later turn out to be one repository."""
    here = identity(roots=(ROOT,), remote=REMOTE)
    shuffled = candidates.copy()
    random.Random(7).shuffle(shuffled)  # noqa: S311  # an order, not a secret

    assert choose_project(here, candidates, no) == expected
    assert choose_project(here, shuffled, no) == expected
    assert choose_project(here, candidates[::-1], no) == expected


def test_git_is_asked_only_when_nothing_else_decides() -> None:
    """Each question is a process, and most starts need none."""
    asked: list[str] = []

    def remember(commit: str) -> bool:
        asked.append(commit)
        return True

    choose_project(identity(roots=(ROOT,)), [known(roots=(ROOT,))], remember)
    choose_project(
        identity(remote=REMOTE), [known(roots=(ROOT,), remotes=(REMOTE,))], remember
    )
    choose_project(identity(THERE), [known(roots=(ROOT,), remotes=(REMOTE,))], remember)
    assert asked == []
    choose_project(identity(), [known(roots=(ROOT, OTHER_ROOT))], remember)
    assert asked == [ROOT]
