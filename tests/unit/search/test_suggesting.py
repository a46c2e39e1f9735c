"""How common something is decides how much it says."""

import pytest

from holdfast.search.suggesting import Past, WorkProfile, advise, same_file


def past(number: int, **work: object) -> Past:
    return Past(f"c{number}", f"s{number}", WorkProfile(**work))  # type: ignore[arg-type]  # named in each test


def told(
    now: WorkProfile, *earlier: Past, background: tuple[Past, ...] = ()
) -> list[str]:
    return [advice.checkpoint_id for advice in advise(now, earlier, background)]


def test_a_file_of_few_sessions_says_more_than_one_of_many() -> None:
    """`settings.py` is in everything; `vat.py` is not."""
    now = WorkProfile(files=("app/settings.py", "billing/vat.py"))
    common = [past(n, files=("app/settings.py",)) for n in range(2, 10)]

    assert told(now, past(1, files=("billing/vat.py",)), *common) == ["c1"]


def test_a_file_that_everybody_changes_says_nothing() -> None:
    """Also in a project of two sessions, where counting does not tell."""
    now = WorkProfile(files=("CHANGELOG.md", "src/__init__.py", "README.md"))

    assert told(now, past(1, files=now.files)) == []


def test_names_that_are_everywhere_do_not_add_up() -> None:
    """The background tells what is common here."""
    now = WorkProfile(
        names={name: name for name in ("run_job", "app_state", "main_loop")}
    )
    same = past(1, names=now.names)
    others = tuple(past(n, names=now.names) for n in range(2, 12))

    assert told(now, same) == ["c1"]
    assert told(now, same, background=others) == []


def test_a_long_request_that_shares_a_few_words_is_no_likeness() -> None:
    """Two pasted pages always have words in common."""
    words = {f"word{n}": f"word{n}" for n in range(60)}
    few = dict(list(words.items())[:5])

    assert told(WorkProfile(words=words), past(1, words=few)) == []
    assert told(WorkProfile(words=few), past(1, words=words)) == ["c1"]


def test_what_is_far_behind_the_best_is_left_out() -> None:
    """Precise rather than many."""
    files = ("a/one.py", "a/two.py", "a/three.py")
    now = WorkProfile(files=files, errors={"e": "an error of the past"})
    best = past(1, files=files, errors={"e": "an error of the past"})
    rest = [past(n, files=(f"b/{n}.py",)) for n in range(3, 9)]

    assert told(now, best, past(2, files=("a/one.py",)), *rest) == ["c1"]


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        pytest.param("src/a.py", "src/a.py", True, id="equal"),
        pytest.param("/home/me/p/src/a.py", "src/a.py", True, id="end of a path"),
        pytest.param("src/a.py", "lib/a.py", False, id="another folder"),
        pytest.param("src/a.py", "a.py", False, id="a bare name is not enough"),
        pytest.param("xsrc/a.py", "src/a.py", False, id="half a folder"),
    ],
)
def test_paths_mean_one_file_if_one_ends_the_other(
    one: str, other: str, *, same: bool
) -> None:
    """Sessions begin in different folders of one project."""
    assert same_file(one, other) is same
    assert same_file(other, one) is same


def test_nothing_earlier_means_nothing_to_say() -> None:
    """The first session of a project."""
    assert advise(WorkProfile(files=("a/b.py",)), (), ()) == ()


def test_a_file_that_is_only_looked_at_counts_too() -> None:
    """E5: whoever opens `vat.py` wants to know who changed it, before they do."""
    now = WorkProfile(looked_at=("billing/vat.py",))

    (advice,) = advise(now, [past(1, files=("billing/vat.py",))], ())

    assert advice.why == ("changed vat.py",)


def test_the_open_error_alone_is_reason_enough() -> None:
    """E5: by the error, not by words of the request."""
    now = WorkProfile(errors={"no such table users": "no such table: users"})

    (advice,) = advise(now, [past(1, errors={"no such table users": "x"})], ())

    assert advice.why == ("met the same error: no such table: users",)
