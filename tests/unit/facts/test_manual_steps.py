"""What only the user can do, by hand: said to the user, and plainly so."""

import pytest

from holdfast.brief.brief import brief, subject_of_session
from holdfast.brief.fit import fit
from holdfast.facts.content import content_of
from holdfast.facts.work.inheritance import inherited_from
from tests.sessions import a_checkpoint, a_draft, asks, says, session


def _steps(said: str) -> list[str]:
    content = content_of(session(asks("deploy it"), says(said)))
    return [item.text for item in content.manual_steps]


@pytest.mark.parametrize(
    ("said", "step"),
    [
        pytest.param(
            "Open the settings page and choose the new theme.",
            "Open the settings page and choose the new theme.",
            id="an imperative that names a page",
        ),
        pytest.param(
            "You need to run `sudo systemctl restart nginx` yourself.",
            "run `sudo systemctl restart nginx` yourself.",
            id="yourself",
        ),
        pytest.param(
            "Note that you'll still have to add the secret in the Vercel dashboard.",
            "add the secret in the Vercel dashboard.",
            id="in a dashboard",
        ),
        pytest.param(
            "Please rotate the old key manually.",
            "rotate the old key manually.",
            id="manually",
        ),
    ],
)
def test_what_the_user_must_do_by_hand_is_a_step(said: str, step: str) -> None:
    """Told without the words that lead to it."""
    assert _steps(f"The service is deployed and answers.\n\n{said}") == [step]


@pytest.mark.parametrize(
    "said",
    [
        "Now run `npm run build` and restart the server.",
        "You need to rebuild the image with `make image`.",
        "Press Ctrl+F5 in your browser to see it.",
        "Paste this into your ~/.config/app/settings.json.",
        "Starte den Server mit `make serve` neu.",
        "Du musst `make serve` neu starten.",
        "Relance le serveur avec `make serve`.",
        "Ahora ejecuta `make serve` en otra terminal.",
        "Agora rode `make serve` em outro terminal.",
        "Bây giờ hãy chạy `make serve` ở cửa sổ khác.",
        "Теперь запусти `make serve` в другом окне.",
        "จากนั้นรัน `make serve` ในหน้าต่างอื่น",
        "다른 창에서 `make serve`를 실행해 주세요.",
        "別の窓で `make serve` を実行してください。",
        "请在另一个窗口运行 `make serve`。",
    ],
)
def test_what_the_user_is_told_to_run_or_to_press_at_the_end_is_a_step(
    said: str,
) -> None:
    """Whoever reads the brief must know that it is not done yet."""
    assert _steps(f"The page is there.\n\nIt lists the orders.\n\n{said}") == [said]


@pytest.mark.parametrize(
    "said",
    [
        "If you want to see it, run `make serve`.",
        "Run the tests of the parser.",
        "`make test` runs in your pipeline now.",
        "Now `make serve` listens on the other port.",
        "Wenn du magst, starte den Server mit `make serve`.",
        "如果需要，请运行 `make serve`。",
    ],
)
def test_what_the_user_may_do_and_what_happens_is_no_step(said: str) -> None:
    assert _steps(f"The page is there.\n\nIt lists the orders.\n\n{said}") == []


def test_how_something_is_used_stands_before_the_end() -> None:
    told = "Now run `make serve` as before."
    rest = "\n".join(f"The list shows column {n}." for n in range(6))

    assert _steps(f"{told}\n\n{rest}") == []


@pytest.mark.parametrize(
    "said",
    [
        "If you want the metrics, you need to enable them manually.",
        "You need to run it manually if you want the old numbers.",
        "You need to pass a list here, because the parser takes no string.",
        "You don't need to run this yourself.",
        "I added the secret in the dashboard by hand.",
        "Users have to add the key manually.",
        "Do you have to run it manually?",
        "Please let me know if the dashboard in the settings works.",
        "Open http://localhost:3000 in your browser.",
        "- [x] You need to rotate the key manually.",
        "```\nYou need to run it manually.\n```",
        '"You need to run it manually" is what it prints.',
    ],
)
def test_what_is_not_plainly_the_user_s_is_none(said: str) -> None:
    """A wrong one is worse than a missing one."""
    assert _steps(f"The service is deployed and answers.\n\n{said}") == []


def test_a_step_that_the_user_spoke_after_is_not_told() -> None:
    """It was done, or is not needed."""
    said = "The code is ready. You need to rotate the key manually."
    state = session(asks("deploy it"), says(said), asks("done, what else is there?"))

    assert content_of(state).manual_steps == ()


def test_a_brief_tells_it_under_next_and_the_next_session_inherits_it() -> None:
    """It stays until it is done or forgotten, as a task does."""
    state = session(
        asks("deploy it"), says("It is up. You must set the DNS record by hand.")
    )
    content = content_of(state)

    told = brief(
        subject_of_session(state, content), budget=1000, now_ms=state.ended_at, fit=fit
    )
    left = inherited_from(a_checkpoint(a_draft(content)))

    assert "## Next\nThe user must: set the DNS record by hand.\n" in told.text
    assert told.receipt["manual_steps"] == (1, 1)
    assert ("manual_steps", "set the DNS record by hand.") in [
        (item.kind, item.text) for item in left
    ]
