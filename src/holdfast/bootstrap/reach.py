"""Which directories an agent may name as a project."""

from holdfast.bootstrap import Container
from holdfast.kernel.errors import StoreNotFound
from holdfast.snapshot.git.whereabouts import is_own_repository


def is_users_project(container: Container) -> bool:
    """Say whether a container stands in a project of the user's: a repository of their own,
    or a directory that the store knows."""
    if is_own_repository(container.directory):
        return True
    try:
        return bool(container.scope().project_id)
    except StoreNotFound:
        return False
