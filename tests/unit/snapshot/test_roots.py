"""The roots of a history are walked once and remembered."""

from holdfast.snapshot.git.identity import KnownRoots, known_roots
from holdfast.snapshot.git.program import GitAnswer
from tests.unit.snapshot.world import World

_A, _B, _C, _ROOT, _OTHER = (sign * 40 for sign in "abc01")


class FakeGit:
    """Answers from a table and keeps what it was asked."""

    def __init__(self, answers: dict[tuple[str, ...], GitAnswer]) -> None:
        self.answers = answers
        self.asked: list[tuple[str, ...]] = []

    def __call__(self, question: object) -> GitAnswer | None:
        assert isinstance(question, tuple)
        self.asked.append(question)
        return self.answers.get(question)


def _walk(*commits: str) -> tuple[str, ...]:
    return ("rev-list", "--max-parents=0", *commits, "--")


def _descends(old: str, new: str) -> tuple[str, ...]:
    return ("merge-base", "--is-ancestor", old, new)


def test_a_known_commit_asks_nothing() -> None:
    """The roots of a commit never change."""
    git = FakeGit({})

    assert known_roots(_A, [KnownRoots(_A, (_ROOT,))], git) == KnownRoots(_A, (_ROOT,))
    assert git.asked == []


def test_a_descendant_walks_only_what_is_new() -> None:
    """One more commit on a long history must not cost the long history."""
    git = FakeGit(
        {
            _descends(_A, _B): GitAnswer(0, b""),
            _walk(_B, f"^{_A}"): GitAnswer(0, f"{_OTHER}\n".encode()),
        }
    )

    found = known_roots(_B, [KnownRoots(_A, (_ROOT,))], git)

    assert found == KnownRoots(_B, (_ROOT, _OTHER))


def test_another_branch_walks_everything() -> None:
    """What is not a descendant may have other roots."""
    git = FakeGit(
        {
            _descends(_A, _B): GitAnswer(1, b""),
            _walk(_B): GitAnswer(0, f"{_OTHER}\n".encode()),
        }
    )

    assert known_roots(_B, [KnownRoots(_A, (_ROOT,))], git) == KnownRoots(_B, (_OTHER,))


def test_a_history_that_was_too_long_stays_so_for_its_descendants() -> None:
    """The wait is paid once, not at every commit."""
    late = GitAnswer(None, b"")
    first = known_roots(_A, [], FakeGit({_walk(_A): late}))
    assert first == KnownRoots(_A, None)
    git = FakeGit({_descends(_A, _B): GitAnswer(0, b"")})

    assert known_roots(_B, [first], git) == KnownRoots(_B, None)
    assert _walk(_B) not in git.asked


def test_without_an_answer_nothing_is_known() -> None:
    """A missing git or a damaged history must not be remembered as a fact."""
    assert known_roots(_A, [], FakeGit({})) is None
    assert known_roots(_A, [], FakeGit({_walk(_A): GitAnswer(128, b"")})) is None


def test_memory_of_a_real_history_is_the_history(world: World) -> None:
    """Walking only what is new finds what a whole walk finds, step by step."""
    repository = world.repository("r")
    remembering = world.code()
    world.commit(repository, "main.txt")
    steps: list[tuple[str, ...]] = [
        ("checkout", "-q", "--orphan", "other"),
        ("commit", "-q", "-m", "other"),
        ("checkout", "-q", "main"),
        ("commit", "-q", "--allow-empty", "-m", "main"),
        ("merge", "-q", "--allow-unrelated-histories", "-m", "both", "other"),
        ("commit", "-q", "--allow-empty", "-m", "after"),
        ("checkout", "-q", "other"),
        ("checkout", "-q", "--detach", "main~1"),
        ("commit", "-q", "--amend", "--allow-empty", "-m", "again"),
    ]
    seen = set()
    for step in steps:
        world.git(repository, *step)

        remembered = remembering.identity(str(repository)).root_commits

        whole = world.git(repository, "rev-list", "--max-parents=0", "HEAD", fails=True)
        assert remembered == tuple(sorted(whole.split()))
        seen.add(len(remembered))
    assert seen == {0, 1, 2}


def test_a_damaged_memory_is_walked_again(world: World) -> None:
    """The file is only a short cut."""
    repository = world.repository("r")
    root = world.commit(repository)
    code = world.code()
    code.identity(str(repository))
    (memory,) = (world.root / "scratch").glob("roots-*")

    for damage in (b"", b"\xff\xfe", b"not a line\n? ?\n\n", root[:10].encode()):
        memory.write_bytes(damage)
        assert code.identity(str(repository)).root_commits == (root,)
