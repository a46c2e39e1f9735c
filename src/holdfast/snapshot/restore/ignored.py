"""Which paths would ignore rules of another time ignore? Asked of git, nothing looked at.

The rules are written into a scratch directory of ours; the paths need not exist.
"""

import os
from collections.abc import Iterable, Mapping, Sequence

from holdfast.kernel.directories import make_directory
from holdfast.kernel.files import create_file
from holdfast.snapshot.git.layout import Repository
from holdfast.snapshot.git.own import own_git_dir
from holdfast.snapshot.git.run import Git

_ASK = ("check-ignore", "--no-index", "-z", "--stdin")
_SOME, _NONE = 0, 1


def ignored(
    rules: Mapping[str, bytes], paths: Sequence[str], git: Git, scratch: str
) -> tuple[str, ...]:
    """Return those of `paths` that `rules` (a `.gitignore`'s path, its text) ignore.

    Where git cannot be asked, all of them: what is ignored is left alone.
    """
    if not rules or not paths:
        return ()
    try:
        with own_git_dir(scratch, {}) as git_dir:
            os.mkdir(f"{git_dir}/objects", 0o700)
            answer = git.ask(
                git_dir,
                _with_rules(f"{git_dir}/rules", git_dir, rules),
                _ASK,
                stdin=b"".join(os.fsencode(path) + b"\0" for path in paths),
            )
    except OSError:
        return tuple(paths)
    if answer is None or answer.exit_status not in (_SOME, _NONE):
        return tuple(paths)
    return tuple(_paths(answer.output.split(b"\0")))


def _with_rules(root: str, git_dir: str, rules: Mapping[str, bytes]) -> Repository:
    for path, text in rules.items():
        place = f"{root}/{path}"
        make_directory(os.path.dirname(place))
        create_file(place, text)
    return Repository(
        git_dir=git_dir, common_dir=git_dir, worktree=root, main_root=root
    )


def _paths(raw: Iterable[bytes]) -> Iterable[str]:
    return (os.fsdecode(path) for path in raw if path)
