"""Every tool, called by the official client, with good arguments."""

import json

import pytest

from holdfast.kernel.lazy_values import replace
from holdfast.surfaces.cli.main import run
from holdfast.surfaces.mcp.server import server
from tests.e2e.mcp.world import OTHER_SESSION, SESSION, World, a_repository, text_of
from tests.neighbours import CODESEARCH_TEXT


def test_a_save_finds_the_session_by_itself(world: World) -> None:
    """The agent need not know its own session id, and the server's is stale."""
    answer = world.answer("checkpoint_save", title="API design")

    assert (answer["type"], answer["status"]) == ("saved", "WORKING")
    assert answer["checkpoint"]["session_id"] == SESSION
    assert answer["checkpoint"]["content"]["title"] == "API design"


def test_after_a_clear_the_new_session_is_saved(world: World) -> None:
    """The client stays, its session changes, and the server is not started again."""
    before = world.answer("checkpoint_save", title="before")
    world.in_session(OTHER_SESSION)

    after = world.answer("checkpoint_save", title="after")

    assert before["checkpoint"]["session_id"] == SESSION
    assert after["checkpoint"]["session_id"] == OTHER_SESSION


def test_what_the_agent_notes_and_what_the_transcript_shows_are_both_kept(
    world: World,
) -> None:
    """Notes win for wording, the transcript wins for facts."""
    world.answer(
        "checkpoint_save",
        summary="Tokens rotate on use.",
        notes={"decisions": ["tokens rotate on use"], "dead_ends": ["a row lock"]},
    )

    kept = world.answer("checkpoint_get")

    decided = [item["text"] for item in kept["content"]["decisions"]]
    assert "tokens rotate on use" in decided
    assert kept["content"]["summary"] == "Tokens rotate on use."
    assert kept["content"]["files_referenced"]


def test_what_an_older_tool_passes_beside_is_kept_too(world: World) -> None:
    """contextd's parameters mean here what they meant there."""
    saved = world.answer(
        "checkpoint_save",
        session_id=SESSION,
        project_path=str(world.project),
        tenant_id="me",
        name="Auth Work",
        description="JWT refresh",
        context="the middleware calls rotate()",
        full_state="everything in detail",
        token_count=1200,
        threshold=0.7,
        auto_created=True,
        metadata={"ticket": 7},
    )
    kept = world.answer("checkpoint_get", checkpoint_id="auth-work")

    details = {d["topic"]: d["text"] for d in kept["observations"]["details"]}
    assert saved["checkpoint"]["type"] == "auto"
    assert kept["content"]["title"] == "JWT refresh"
    assert details["context"] == "the middleware calls rotate()"
    assert details["full state"] == "everything in detail"
    assert kept["extra_notes"] == {"metadata": {"ticket": 7}}


def test_the_same_tool_use_again_is_the_same_save(world: World) -> None:
    """A client that retries a call must not make a second checkpoint."""
    meta = {"claudecode/toolUseId": "toolu_01"}

    first = world.call("checkpoint_save", meta, title="one").structured_content
    second = world.call("checkpoint_save", meta, title="one").structured_content

    assert first is not None
    assert second is not None
    assert second["checkpoint"]["id"] == first["checkpoint"]["id"]
    assert second["repeated"] is True
    assert world.answer("checkpoint_list")["count"] == 1


def test_nothing_new_makes_no_record(world: World) -> None:
    """The second of two equal saves says so."""
    world.answer("checkpoint_save")

    assert world.answer("checkpoint_save")["type"] == "unchanged"


def test_a_get_tells_the_whole_record_or_only_some_of_it(world: World) -> None:
    """An agent that needs the commands should not pay for the rest."""
    world.answer("checkpoint_save", title="one")

    whole = world.answer("checkpoint_get", checkpoint_id="1")
    some = world.answer("checkpoint_get", checkpoint_id="1", fields=["errors", "code"])

    assert whole["format"] == "claude-code-checkpoint"
    assert whole["sequence"] == 1
    assert set(some["content"]) == {"title", "errors"}
    assert some["code"] == whole["code"]
    assert len(json.dumps(some)) < len(json.dumps(whole)) / 4


def test_a_get_leaves_out_the_bulk_and_says_how_to_have_it(world: World) -> None:
    """What only search needs is half of a long record, and an agent would pay for it."""
    world.answer("checkpoint_save", title="one")

    whole = world.answer("checkpoint_get")
    more = world.answer("checkpoint_get", fields=whole["left_out"])

    assert whole["left_out"] == ["names"]
    assert not {"error_lines", "names", "story"} & set(whole["content"])
    assert more["content"]["names"]


def test_a_save_tells_what_a_script_relies_on(world: World) -> None:
    """The keys of `save --json`, without the lists behind them."""
    saved = world.answer(
        "checkpoint_save", title="one", name="api", summary="All is well."
    )

    kept = saved["checkpoint"]
    assert set(kept) == {
        *("id", "number", "label", "name", "session_id", "sequence", "type"),
        *("created_at", "content", "code"),
    }
    assert kept["content"] == {"title": "one", "summary": "All is well."}


def test_a_search_finds_words_and_scores_them(world: World) -> None:
    """The answer of `search --json`, with heads in place of whole records."""
    world.answer("checkpoint_save", title="rate limit for refresh tokens")

    answer = world.answer("checkpoint_search", query="refresh tokens", limit=5)

    assert (answer["type"], answer["count"]) == ("list", 1)
    assert answer["checkpoints"][0]["score"] > 0


def test_a_search_can_span_every_project(world: World) -> None:
    """Finding spans the project; `all_projects` goes further."""
    elsewhere = a_repository(world.root / "elsewhere")
    there = server(replace(world.calls(), project=str(elsewhere)))
    words = {"title": "quotes"}
    world.talk(lambda client: client.call_tool("checkpoint_save", words), to=there)

    here = world.answer("checkpoint_search", query="quotes")
    everywhere = world.answer("checkpoint_search", query="quotes", all_projects=True)

    assert (here["count"], everywhere["count"]) == (0, 1)


@pytest.mark.parametrize(
    ("level", "most"),
    [
        pytest.param("summary", 300, id="a summary is short"),
        pytest.param("context", 1000, id="context is the usual brief"),
        pytest.param("full", 8000, id="full is everything"),
    ],
)
def test_a_resume_gives_the_brief_within_its_level(
    world: World, level: str, most: int
) -> None:
    """contextd's three levels are three budgets of one brief."""
    world.answer("checkpoint_save", title="one")

    answer = world.answer("checkpoint_resume", checkpoint_id="1", level=level)

    assert answer["type"] == "resumed"
    assert "CHECKPOINT-00001" in answer["brief"].splitlines()[0]
    assert 0 < answer["token_count"] <= most
    assert answer["level"] == level


def test_a_list_is_newest_first_and_can_leave_out_what_was_asked_for(
    world: World,
) -> None:
    """`auto_only` and `session_id` are contextd's."""
    world.answer("checkpoint_save", title="by hand")
    world.answer("checkpoint_save", title="by itself", auto_created=True)

    titles = [
        c["content"]["title"] for c in world.answer("checkpoint_list")["checkpoints"]
    ]
    autos = world.answer("checkpoint_list", auto_only=True, session_id=SESSION)

    assert titles == ["by itself", "by hand"]
    assert [c["type"] for c in autos["checkpoints"]] == ["auto"]


def test_a_list_costs_little(world: World) -> None:
    """An agent pays for each row: a head is at most 250 tokens of JSON."""
    world.answer("checkpoint_save", summary="x " * 50_000)

    row = world.answer("checkpoint_list")["checkpoints"][0]

    assert len(json.dumps(row, ensure_ascii=False).encode()) <= 1000


def test_the_status_counts_the_work_of_this_session(world: World) -> None:
    """Before the first save everything is unsaved, after it nothing is."""
    world.answer("checkpoint_save", session_id=OTHER_SESSION)

    before = world.answer("checkpoint_status")
    world.answer("checkpoint_save")
    after = world.answer("checkpoint_status")

    assert (before["changed"], after["changed"]) == (True, False)
    assert before["prompts"] > 0
    assert before["exact"]  # compared with what is on disk, whoever saved last


def test_settings_are_shown_and_changed(world: World) -> None:
    """S4's four keys, under both names of the threshold."""
    answer = world.answer(
        "checkpoint_configure", auto_resume_on_start="always", checkpoint_threshold=80
    )

    assert answer["success"] is True
    assert answer["config"]["checkpoint_threshold_percent"] == 80
    assert world.answer("checkpoint_configure")["config"] == {
        "auto_checkpoint_on_clear": True,
        "auto_resume_on_start": "always",
        "checkpoint_threshold_percent": 80,
        "verify_before_clear": True,
    }


def test_the_older_names_work(world: World) -> None:
    """`store_checkpoint` and `get_latest_checkpoint`, as the codesearch tool had them."""
    stored = world.answer("store_checkpoint", content="Parser accepts nested quotes.")
    latest = world.answer("get_latest_checkpoint")

    assert stored["checkpointId"] == "CHECKPOINT-00001"
    assert latest["checkpoint"]["id"] == stored["checkpoint"]["id"]
    assert (
        "Parser accepts nested quotes."
        in world.answer("checkpoint_get")["content"]["summary"]
    )


def test_the_older_latest_gives_all_of_it_and_the_words_to_end_with(
    world: World,
) -> None:
    """S2: display the full content, and end with its one sentence."""
    world.answer(
        "store_checkpoint", content="Parser accepts nested quotes. Next: the lexer."
    )

    latest = world.answer("get_latest_checkpoint")

    content = latest["checkpoint"]["content"]
    assert "Next: the lexer." in content["summary"]
    assert {"key_outcomes", "next_steps", "goal"} <= content.keys()
    assert latest["level"] == "full"
    assert (
        latest["say"]
        == "Ready to continue from checkpoint. What would you like to work on?"
    )


def test_an_agent_finds_what_another_program_kept_and_is_never_handed_it(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Who comes from codesearch asks for the latest, and means their own."""
    path = world.root / "CHECKPOINT-00042.md"
    path.write_text(CODESEARCH_TEXT, encoding="utf-8")
    for name, value in world.environ.items():
        monkeypatch.setenv(name, value)
    assert run(["import", str(path), "--project", str(world.project)]) == 0

    latest = world.answer("get_latest_checkpoint")
    (hit,) = world.answer("checkpoint_search", query="nested quotes")["checkpoints"]
    brief = world.answer("checkpoint_resume", checkpoint_id="42@codesearch")

    assert (latest["type"], latest["error"]) == ("none", "No checkpoints found")
    assert hit["machine"] == "codesearch"
    assert "Kept by another program, `codesearch`" in brief["preview"]
    assert "brief" not in brief


def test_no_checkpoint_is_an_answer_of_the_older_latest(world: World) -> None:
    """S2: without a store "No checkpoints found" is told, and nothing failed."""
    answer = world.answer("get_latest_checkpoint")

    assert (answer["type"], answer["error"]) == ("none", "No checkpoints found")


def test_the_text_beside_an_answer_is_the_same_json(world: World) -> None:
    """A client that does not know structured output misses nothing."""
    result = world.call("checkpoint_save", title="one")

    assert json.loads(text_of(result)) == result.structured_content


def test_null_is_the_same_as_not_given(world: World) -> None:
    """Agents send null for what they leave out."""
    answer = world.answer("checkpoint_save", title="one", name=None, tags=None)

    assert answer["checkpoint"]["name"] is None
