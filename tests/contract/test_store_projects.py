"""Projects: an id that never changes, found by what a directory shows."""

from collections.abc import Callable

from holdfast.domain.query import Scope
from holdfast.store.port import Store
from tests.builders import PROJECT, a_draft, identity

ROOT = "3f2c1a9be2d044773f2c1a9be2d044773f2c1a9b"
OTHER_ROOT = "9be2d044773f2c1a9be2d044773f2c1a9be2d044"
REMOTE = "example.org/me/tokens"


def test_a_new_directory_is_a_new_project(store: Store) -> None:
    """Its id is random: it must not follow from a path."""
    here = store.project(identity("/code/a"))
    there = store.project(identity("/code/b"))

    assert here.project_id != there.project_id
    assert len(here.project_id) == 16
    assert here.root == "/code/a"
    assert here.paths == ("/code/a",)
    assert {p.project_id for p in store.projects()} == {
        here.project_id,
        there.project_id,
    }


def test_the_same_directory_is_the_same_project(
    open_store: Callable[..., Store],
) -> None:
    """Today and tomorrow."""
    first = open_store("home").project(identity("/code/a", root_commits=(ROOT,)))

    again = open_store("home").project(identity("/code/a", root_commits=(ROOT,)))

    assert again == first
    assert len(open_store("home").projects()) == 1


def test_asking_writes_nothing(store: Store) -> None:
    """A reader makes no project."""
    assert store.known_project(identity("/code/a")) is None
    assert store.projects() == ()
    made = store.project(identity("/code/a"))

    asked = store.known_project(identity("/code/a", remote=REMOTE))

    assert asked == made
    assert store.projects()[0].remotes == ()


def test_a_first_commit_and_a_remote_are_added(store: Store) -> None:
    """A project grows aliases; its id stays."""
    bare = store.project(identity("/code/a", is_git=False))
    committed = store.project(identity("/code/a", root_commits=(ROOT,)))
    pushed = store.project(identity("/code/a", root_commits=(ROOT,), remote=REMOTE))

    assert bare.project_id == committed.project_id == pushed.project_id
    assert pushed.root_commits == (ROOT,)
    assert pushed.remotes == (REMOTE,)
    assert pushed.remote == REMOTE


def test_a_moved_repository_is_the_same_project(store: Store) -> None:
    """Known by its root commit, it takes its new path along."""
    before = store.project(identity("/code/a", root_commits=(ROOT,)))

    after = store.project(identity("/code/new", root_commits=(ROOT,)))

    assert after.project_id == before.project_id
    assert after.root == "/code/new"
    assert after.paths == ("/code/a", "/code/new")
    assert store.projects() == (after,)


def test_a_project_is_seen_from_where_one_stands(store: Store) -> None:
    """Two clones are one project with two roots; neither is told the other's."""
    one = identity("/code/a", root_commits=(ROOT,))
    two = identity("/code/b", root_commits=(ROOT,))
    store.project(one)
    store.project(two)

    assert store.project(one).root == "/code/a"
    assert store.project(two).root == "/code/b"


def test_another_repository_in_an_old_place_takes_the_path(store: Store) -> None:
    """Two ids never share a path."""
    old = store.project(identity("/code/a", root_commits=(ROOT,)), lambda _: False)

    new = store.project(
        identity("/code/a", root_commits=(OTHER_ROOT,)), lambda _: False
    )

    assert new.project_id != old.project_id
    paths = {p.project_id: p.paths for p in store.projects()}
    assert paths == {old.project_id: (), new.project_id: ("/code/a",)}


def test_an_amended_first_commit_is_the_same_project(store: Store) -> None:
    """The repository still has the commit that the store knows."""
    before = store.project(identity("/code/a", root_commits=(ROOT,)))

    after = store.project(
        identity("/code/a", root_commits=(OTHER_ROOT,)), lambda commit: commit == ROOT
    )

    assert after.project_id == before.project_id
    assert after.root_commits == (ROOT, OTHER_ROOT)


def test_a_project_that_came_with_a_draft_is_found_by_its_path(store: Store) -> None:
    """A spooled draft may know a project that this store has never seen."""
    store.put(a_draft(project_root="/code/spooled"))

    known = store.known_project(identity("/code/spooled", is_git=False))

    assert known is not None
    assert known.project_id == PROJECT
    assert store.list(Scope(project_id=known.project_id))


def test_a_draft_does_not_take_a_path_from_its_owner(store: Store) -> None:
    """Who a path belongs to is decided by looking at it, not by a draft."""
    owner = store.project(identity("/code/a"))

    store.put(a_draft(project_root="/code/a"))

    known = store.known_project(identity("/code/a"))
    assert known is not None
    assert known.project_id == owner.project_id


def test_projects_are_told_by_id(store: Store) -> None:
    """In an order that does not depend on when they came."""
    for number in range(5):
        store.project(identity(f"/code/{number}"))

    told = [project.project_id for project in store.projects()]

    assert told == sorted(told)
