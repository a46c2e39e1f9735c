"""What of an agent's last message is a step, and what only looks like one."""

import pytest

from holdfast.facts.content import content_of
from tests.sessions import asks, says, session


def _steps(said: str) -> list[str]:
    content = content_of(session(asks("go"), says(said)))
    return [item.text for item in content.next_steps]


def test_a_line_may_lead_from_the_heading_to_the_list() -> None:
    """ "## Next steps" says so once, and the sentence below it says the rest."""
    said = (
        "## 📋 Next steps\n\nOf the tasks of P0 these three:\n\n1. never delete a quote\n"
        "2. check when it is sent\n\n**Files:**\n- quote.ts"
    )

    assert _steps(said) == ["never delete a quote", "check when it is sent"]


@pytest.mark.parametrize(
    "heading",
    [
        "Next steps:",
        "## Next Steps",
        "**Suggested next steps:**",
        "Rotation works. The next steps are:",
        "Remaining:",
        "Remaining work:",
        "### Remaining issues (not fixed)",
        "Two tests are red. Let me list the remaining issues:",
        "Still to do:",
        "What's left:",
        "TODO:",
        "Follow-ups for later:",
        "剩余工作：",
        "下一步：",
        "残りの作業：",
        "次のステップ：",
        "남은 작업:",
        "ขั้นตอนถัดไป:",
        "Prochaines étapes :",
        "Siguientes pasos:",
        "Nächste Schritte:",
        "Việc còn lại:",
    ],
)
def test_a_list_under_a_heading_that_says_so_is_next(heading: str) -> None:
    """The next session begins with it."""
    assert _steps(f"{heading}\n\n- migrate the old records\n- measure the export") == [
        "migrate the old records",
        "measure the export",
    ]


@pytest.mark.parametrize(
    "heading",
    [
        "Remaining calls are fine:",
        "**Remaining calls of `parse()` (intentionally unchanged):**",
        "The parser is done. The remaining readers in this room are:",
        "All remaining call sites are correct:",
        "Remaining issues (all fixed):",
        "I fixed the follow-up from the review in three places:",
        "The remaining prices are rounded in this order:",
        "Next to the parser there are three files:",
        "剩余的调用没问题：",
        "次のファイルを変更しました：",
        "残りの呼び出しは問題ありません：",
        "남은 호출은 문제없습니다:",
        "ไฟล์ต่อไปนี้ถูกแก้แล้ว:",
    ],
)
def test_a_list_of_what_needs_nothing_is_not_next(heading: str) -> None:
    """Who is sent to what is fine looks for a fault that is not there."""
    assert _steps(f"{heading}\n\n- log lines, which people read\n- old fixtures") == []


def test_what_is_ticked_in_a_list_is_done() -> None:
    """The agent keeps its list by ticking it."""
    said = "Remaining work:\n- [x] add the column\n- ✅ fill it\n- [ ] drop the old one"

    assert _steps(said) == ["drop the old one"]


@pytest.mark.parametrize(
    "sentence",
    [
        "The export still needs to be tested on arm.",
        "The old format still needs fixing.",
        "The next step is to find out whether the cache is cold.",
        "The migration is not yet committed.",
    ],
)
def test_a_sentence_that_says_what_is_left_is_next(sentence: str) -> None:
    """Not every agent writes lists."""
    assert _steps(f"The parser reads both formats. {sentence}") == [sentence]


@pytest.mark.parametrize(
    ("sentence", "step"),
    [
        ("Remaining tasks: drop the column, tell the team.", "drop the column, tell the team."),
        ("Next: commit it, then retry.", "commit it, then retry."),
        ("Next action: merge PR #28.", "merge PR #28."),
    ],
)  # fmt: skip
def test_a_step_is_told_without_the_words_that_only_say_it_is_one(
    sentence: str, step: str
) -> None:
    """It stands behind "Next:" already."""
    assert _steps(f"The parser reads both formats. {sentence}") == [step]


@pytest.mark.parametrize(
    "sentence",
    [
        'The stub returns `raise Unready("export not yet implemented")`.',
        "Files that are tracked (not yet committed) are told by name.",
        "The two readers are new; let me see whether the old one still needs to stay.",
        "It fails if a row is not yet committed.",
    ],
)
def test_a_sentence_that_only_has_the_words_is_not_next(sentence: str) -> None:
    """A step that nobody meant is done by somebody who trusts the brief."""
    assert _steps(f"The parser reads both formats. {sentence}") == []
