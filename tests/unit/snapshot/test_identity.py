"""A project keeps its id through everything that happens to a repository.

Real git, our `identity`, and the smallest registry that does what a store does: apply
`choose`, then bring the aliases up to date.
"""

import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from holdfast.domain.code import Project
from holdfast.store.project_identity import choose_project
from tests.unit.snapshot.world import World


class Registry:
    """Projects by id. A path belongs to one project only: the latest to claim it."""

    def __init__(self, world: World) -> None:
        self._code = world.code()
        self._projects: dict[str, Project] = {}

    def project_of(self, place: Path) -> str:
        identity = self._code.identity(str(place))
        candidates = [
            known
            for known in self._projects.values()
            if identity.path in known.paths
            or set(identity.root_commits) & set(known.root_commits)
            or identity.remote in known.remotes
        ]
        chosen = choose_project(
            identity,
            candidates,
            lambda commit: self._code.has_commit(str(place), commit),
        )
        project_id = chosen or f"p{len(self._projects) + 1}"
        for other in candidates:
            paths = tuple(path for path in other.paths if path != identity.path)
            self._projects[other.project_id] = replace(other, paths=paths)
        known = self._projects.get(project_id) or Project(
            project_id=project_id, root=identity.path
        )
        self._projects[project_id] = replace(
            known,
            root=identity.path,
            paths=(*known.paths, identity.path),
            root_commits=tuple({*known.root_commits, *identity.root_commits}),
            remotes=tuple({*known.remotes, *filter(None, [identity.remote])}),
        )
        return project_id


@pytest.fixture
def registry(world: World) -> Registry:
    return Registry(world)


def test_a_project_grows_up_without_changing_its_id(
    world: World, registry: Registry
) -> None:
    """No git, git init, first commit, amended, a remote, another remote, moved."""
    place = world.root / "app"
    place.mkdir()
    seen = [registry.project_of(place)]

    world.git(place, "init", "-q", "-b", "main")
    seen.append(registry.project_of(place))
    world.commit(place)
    seen.append(registry.project_of(place))
    world.git(place, "commit", "-q", "--amend", "-m", "better words")
    seen.append(registry.project_of(place))
    world.git(place, "remote", "add", "origin", "git@example.com:me/app.git")
    seen.append(registry.project_of(place))
    world.git(place, "remote", "set-url", "origin", "https://example.org/team/app")
    seen.append(registry.project_of(place))
    moved = world.root / "renamed"
    place.rename(moved)
    seen.append(registry.project_of(moved))

    assert set(seen) == {"p1"}


def test_clones_worktrees_and_subdirectories_are_one_project(
    world: World, registry: Registry
) -> None:
    """However a checkout came to be, its history tells."""
    source = world.repository("source")
    world.commit(source)
    (source / "deep").mkdir()
    clone = world.root / "clone"
    world.git(world.root, "clone", "-q", str(source), str(clone))
    linked = world.root / "linked"
    world.git(source, "worktree", "add", "-q", "-b", "side", str(linked))

    places = [source, source / "deep", clone, linked]

    assert {registry.project_of(place) for place in places} == {"p1"}


def test_a_shallow_clone_is_known_by_its_remote(
    world: World, registry: Registry
) -> None:
    """It has no root commit to show."""
    source = world.repository("source")
    world.commit(source)
    world.commit(source)
    world.git(source, "remote", "add", "origin", "https://example.com/me/app.git")
    first = registry.project_of(source)
    shallow = world.root / "shallow"
    world.git(world.root, "clone", "-q", "--depth=1", f"file://{source}", str(shallow))
    world.git(shallow, "remote", "set-url", "origin", "git@example.com:me/app")

    assert registry.project_of(shallow) == first


def test_cloned_again_in_the_same_place_is_the_same(
    world: World, registry: Registry
) -> None:
    """Removing a checkout and cloning it again is an everyday repair."""
    source = world.repository("source")
    world.commit(source)
    clone = world.root / "clone"
    world.git(world.root, "clone", "-q", str(source), str(clone))
    first = registry.project_of(clone)

    shutil.rmtree(clone)
    world.git(world.root, "clone", "-q", str(source), str(clone))

    assert registry.project_of(clone) == first


def test_another_repository_in_the_same_place_is_another_project(
    world: World, registry: Registry
) -> None:
    """And when the first comes back, each is still itself."""
    place = world.repository("app")
    world.commit(place)
    first = registry.project_of(place)
    place.rename(world.root / "aside")
    world.repository("app")
    world.commit(place)

    second = registry.project_of(place)

    assert second != first
    assert registry.project_of(world.root / "aside") == first
    shutil.rmtree(place)
    (world.root / "aside").rename(place)
    assert registry.project_of(place) == first


def test_removing_the_history_and_starting_again_is_another_project(
    world: World, registry: Registry
) -> None:
    """`rm -rf .git; git init` with other files is what a new project looks like."""
    place = world.repository("app")
    world.commit(place)
    first = registry.project_of(place)
    shutil.rmtree(place / ".git")
    assert registry.project_of(place) == first

    world.git(place, "init", "-q", "-b", "main")
    world.commit(place)

    assert registry.project_of(place) != first


def test_two_repositories_with_one_folder_name_are_two(
    world: World, registry: Registry
) -> None:
    """`a/api` and `b/api` have nothing in common."""
    places = []
    for parent in ("a", "b"):
        (world.root / parent).mkdir()
        place = world.repository(f"{parent}/api")
        world.commit(place)
        places.append(place)

    assert len({registry.project_of(place) for place in places}) == 2


def test_a_submodule_is_not_the_repository_around_it(
    world: World, registry: Registry
) -> None:
    """Its checkpoints belong to its own history."""
    inner = world.repository("inner")
    world.commit(inner)
    outer = world.repository("outer")
    world.commit(outer)
    world.git(outer, "submodule", "--quiet", "add", str(inner), "sub")

    assert registry.project_of(outer / "sub") != registry.project_of(outer)
    assert registry.project_of(outer / "sub") == registry.project_of(inner)


def test_two_clones_that_learn_of_each_other_keep_their_ids(
    world: World, registry: Registry
) -> None:
    """Known apart first, given one remote later: each place stays what it was."""
    one = world.repository("one")
    two = world.repository("two")
    first, second = registry.project_of(one), registry.project_of(two)
    assert first != second

    for place in (one, two):
        world.git(place, "remote", "add", "origin", "https://example.com/me/app")

    assert (registry.project_of(one), registry.project_of(two)) == (first, second)
    third = world.repository("three")
    world.git(third, "remote", "add", "origin", "https://example.com/me/app")
    assert registry.project_of(third) == min(first, second)


def test_without_the_git_program_a_project_stays_itself(
    world: World, registry: Registry
) -> None:
    """A hook started with a short path must not split the project."""
    place = world.repository("app")
    world.commit(place)
    first = registry.project_of(place)

    registry._code = world.code(PATH="")

    assert registry.project_of(place) == first
