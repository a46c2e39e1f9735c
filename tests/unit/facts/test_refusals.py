"""What a user would not let the agent do, and the words it was refused with."""

import pytest

from holdfast.brief.brief import brief, subject_of_session
from holdfast.brief.fit import fit
from holdfast.domain.brief import Brief
from holdfast.domain.event import Located, Outcome
from holdfast.domain.session import Inherited
from holdfast.facts.commands.walked_again import walked_again
from holdfast.facts.content import content_of
from holdfast.session.fold import begin, fold
from tests.conversation import BEGAN, Conversation
from tests.sessions import Step, asks, edits, runs, says, session, uses

_REFUSED = (
    "The user doesn't want to proceed with this tool use. The tool use was rejected. "
    "To tell you how to proceed, the user said:\nkeep the old parser"
)
_NO = "The user doesn't want to proceed with this tool use. The tool use was rejected."


@pytest.mark.parametrize(
    ("tool", "target", "version"),
    [
        pytest.param("Edit", "/code/shop/parse.py", "", id="an edit"),
        pytest.param("Write", "/code/shop/parse.py", "2.1.3", id="a new file"),
    ],
)
def test_words_typed_at_a_refusal_are_what_the_user_wants_now(
    tool: str, target: str, version: str
) -> None:
    """They are typed into the client like any prompt, and the agent goes on from them."""
    talk = Conversation()
    talk.events.append(Located("s", "/code/shop", "main", version, "cli"))
    talk.asks("clean up the parsers")
    talk.calls(tool, target, outcome="interrupted", output=_REFUSED)

    content = content_of(fold(begin("s", "claude-code"), talk.events))

    assert [item.text for item in content.requests] == [
        "clean up the parsers",
        "keep the old parser",
    ]
    aim = target.rpartition("/")[2]
    assert content.requests[-1].about == f"refusing: {tool} {aim}"
    assert [item.text for item in content.instructions] == ["keep the old parser"]


def test_what_the_client_adds_to_a_refusal_is_not_the_users() -> None:
    """It speaks to the agent about what the user may say next."""
    note = "\n\nNote: The user's next message may contain a correction. Always save it."
    talk = Conversation()
    talk.asks("clean up the parsers")
    talk.calls("Edit", "a.py", outcome="interrupted", output=_REFUSED + note)

    content = content_of(fold(begin("s", "claude-code"), talk.events))

    assert content.requests[-1].text == "keep the old parser"
    assert "Note:" not in content.dead_ends[0].text


@pytest.mark.parametrize(
    ("tool", "version"),
    [
        pytest.param("mcp__tracker__get", "2.1.3", id="a server's tool"),
        pytest.param("Bash", "2.1.3", id="a command, which speaks first if stopped"),
        pytest.param("Task", "2.1.3", id="a sub-agent"),
    ],
)
def test_words_that_a_tool_could_have_printed_are_evidence_only(
    tool: str, version: str
) -> None:
    """Why something was refused keeps the next session from trying it again."""
    talk = Conversation()
    talk.events.append(Located("s", "/code/shop", "main", version, "cli"))
    talk.asks("clean up the parsers")
    talk.calls(tool, "make clean", outcome="interrupted", output=_REFUSED)

    content = content_of(fold(begin("s", "claude-code"), talk.events))

    assert [item.text for item in content.dead_ends] == [
        f'stopped or refused by the user: {tool} make clean: "keep the old parser"'
    ]
    assert len(content.requests) == 1
    assert not content.instructions


@pytest.mark.parametrize(
    ("command", "told"),
    [
        pytest.param("rm -rf data/", "rm -rf data/", id="rm"),
        pytest.param("mv a.py b.py", "mv a.py b.py", id="mv"),
        pytest.param(r"sed -i 's/a\.b/c/' x.py", r"sed -i 's/a\.b/c/' x.py", id="sed"),
        pytest.param("sudo kill -9 4711", "sudo kill -9 4711", id="kill"),
        pytest.param("python -c 'wipe()'", "python -c 'wipe()'", id="python -c"),
        pytest.param("rm -rf dist && make", "rm -rf dist && make", id="rm and a build"),
        pytest.param("cd /srv && rm x\ntrue", "rm x", id="its first line"),
    ],
)
@pytest.mark.parametrize("output", [_NO, ""], ids=["with words", "without"])
def test_a_command_that_was_refused_is_a_dead_end_whatever_it_is(
    command: str, told: str, output: str
) -> None:
    """What threw something away and was refused must never be tried again unasked."""
    talk = Conversation()
    talk.asks("clean up")
    talk.calls("Bash", command, outcome="interrupted", output=output)
    talk.calls("Bash", "make", outcome="ok")

    content = content_of(fold(begin("s", "claude-code"), talk.events))

    assert [item.text for item in content.dead_ends] == [
        f"stopped or refused by the user: Bash {told}"
    ]


def test_a_look_that_was_refused_is_a_dead_end_and_one_that_was_stopped_is_none() -> (
    None
):
    """A long search that was stopped says nothing, and neither does a no to a look at
    the project; a no to one outside of it does."""
    talk = Conversation()
    talk.asks("look around")
    talk.calls("Bash", "find / -name x", outcome="interrupted", output="")
    talk.calls("Bash", "cat ~/.netrc", outcome="interrupted", output=_NO)
    talk.calls("Bash", "ls *.md 2>/dev/null", outcome="interrupted", output=_NO)

    content = content_of(fold(begin("s", "claude-code"), talk.events))

    assert [item.text for item in content.dead_ends] == [
        "stopped or refused by the user: Bash cat ~/.netrc"
    ]


def test_a_refused_command_that_is_tried_again_is_known() -> None:
    """Also one that is no command worth telling by itself."""
    text = "stopped or refused by the user: Bash rm -rf data/"
    talk = Conversation()
    talk.asks("clean up")
    talk.calls("Bash", "rm -rf data/", outcome="interrupted", output=_NO)
    inherited = [Inherited("dead_ends", text, "engine")]

    again = walked_again(fold(begin("s", "claude-code", inherited), talk.events))
    assert again is not None
    assert again.text == text


def _brief_after_a_refusal(words: str, *later: str) -> Brief:
    talk = Conversation()
    talk.asks("clean up the parsers")
    output = _REFUSED.replace("keep the old parser", words)
    talk.calls("Edit", "/code/parse.py", outcome="interrupted", output=output)
    for request in later:
        talk.asks(request)
    state = fold(begin("s", "claude-code"), talk.events)
    subject = subject_of_session(state, content_of(state))
    return brief(subject, budget=1000, now_ms=BEGAN, fit=fit)


@pytest.mark.parametrize(
    "later",
    [
        pytest.param((), id="by the current request"),
        pytest.param(("write the docs",), id="by an earlier request"),
    ],
)
def test_a_refusal_told_with_its_words_is_carried_and_not_told_again(
    later: tuple[str, ...],
) -> None:
    """Once, in the user's words, with what they refused; nothing of it is left out."""
    told = _brief_after_a_refusal("the new parser is older than it looks", *later)

    assert told.text.count("the new parser is older than it looks") == 1
    assert "(refusing `Edit parse.py`)" in told.text
    assert told.receipt["dead_ends"] == (1, 1)


def test_a_refusal_whose_words_are_told_as_a_rule_is_a_dead_end() -> None:
    """A rule says what is wanted, and not what was tried against it."""
    told = _brief_after_a_refusal("keep the old parser", "write the docs")

    assert "refused by the user: `Edit /code/parse.py" in told.text
    assert told.receipt["dead_ends"] == (1, 1)


@pytest.mark.parametrize(
    ("plan", "outcome", "output", "told"),
    [
        pytest.param(
            "# One parser\n\nFirst, …",
            "interrupted",
            _REFUSED,
            ": One parser",
            id="refused",
        ),
        pytest.param(
            "# One parser", "interrupted", "", ": One parser", id="without a word"
        ),
        pytest.param("# One parser", "pending", "", ": One parser", id="not answered"),
        pytest.param("", "pending", "", ".", id="in a file"),
    ],
)
def test_a_plan_proposed_last_is_not_accepted_yet(
    plan: str, outcome: Outcome, output: str, told: str
) -> None:
    """Whoever goes on takes the plan up again; a dead end would keep them from it."""
    talk = Conversation()
    talk.asks("plan the clean-up")
    talk.calls("ExitPlanMode", plan, outcome=outcome, output=output)

    content = content_of(fold(begin("s", "claude-code"), talk.events))

    assert [item.text for item in content.in_flight] == [
        f"The plan is not accepted yet{told}"
    ]
    assert not content.dead_ends


def test_a_plan_that_waits_is_told_with_what_it_says() -> None:
    """A title alone does not tell the next session what it would agree to."""
    talk = Conversation()
    talk.asks("plan the clean-up")
    plan = "# One parser\n\n## Context\n\nTwo parsers disagree about quotes."
    talk.calls("ExitPlanMode", plan, outcome="interrupted", output=_REFUSED)
    state = fold(begin("s", "claude-code"), talk.events)

    subject = subject_of_session(state, content_of(state))
    told = brief(subject, budget=1000, now_ms=BEGAN, fit=fit).text

    assert "`One parser`, `Two parsers disagree about quotes.`" in told


def test_a_plan_that_was_refused_and_left_is_a_dead_end() -> None:
    """The user asked for something else since."""
    talk = Conversation()
    talk.asks("plan the clean-up")
    talk.calls("ExitPlanMode", "# One parser", outcome="interrupted", output=_REFUSED)
    talk.asks("leave it, fix the lexer")
    talk.says("The lexer is fixed.")

    content = content_of(fold(begin("s", "claude-code"), talk.events))

    assert not content.in_flight
    assert [item.text for item in content.dead_ends] == [
        'stopped or refused by the user: ExitPlanMode One parser: "keep the old parser"'
    ]


def test_a_refused_command_is_told_by_what_it_does_not_by_its_remark() -> None:
    """`# Find the header` says nothing of what was refused."""
    command = "# Find the header\nrm -r build"
    state = session(
        asks("build it"), runs(command, outcome="interrupted", cause="refused")
    )
    (dead_end,) = content_of(state).dead_ends

    assert "rm -r build" in dead_end.text
    assert "Find the header" not in dead_end.text


def test_of_refusals_in_one_go_the_first_with_a_word_is_told() -> None:
    """ "Same" points to it, and five files refused in one breath are one refusal."""
    first = "skills belong in the home directory, make your own"
    talk = Conversation()
    talk.asks("set up the skills")
    for name, words in (("a.md", first), ("b.md", "same"), ("c.md", "same")):
        output = _REFUSED.replace("keep the old parser", words)
        talk.calls("Bash", f"rm {name}", outcome="interrupted", output=output)
    talk.calls("Bash", "rm d.md", outcome="interrupted", output=_NO)

    content = content_of(fold(begin("s", "claude-code"), talk.events))

    assert [item.text for item in content.dead_ends] == [
        f'stopped or refused by the user: Bash rm a.md: "{first}"'
    ]


def test_words_of_a_refusal_have_a_place_before_the_files_that_were_read() -> None:
    """What the user would not have, and why, is found in no file."""
    words = "never regenerate the fixtures, three customers depend on these bytes"
    talk = Conversation()
    talk.asks("speed up the suite")
    output = _REFUSED.replace("keep the old parser", words)
    talk.calls("Bash", "make fixtures", outcome="interrupted", output=output)
    talk.asks("then make the loading of the suite's modules faster")
    for number in range(40):
        talk.calls("Read", f"/code/shop/modules/loading_{number}/reader.py")
        talk.calls("Bash", f"pytest -q tests/loading/part_{number}", output="1 passed")
    state = fold(begin("s", "claude-code"), talk.events)
    subject = subject_of_session(state, content_of(state))

    told = brief(subject, budget=160, now_ms=BEGAN, fit=fit).text

    assert words in told


def _refused(*later: Step) -> list[str]:
    made = uses("Bash", "make deploy", outcome="failed", output=_NO)
    return [i.text for i in content_of(session(asks("go"), made, *later)).dead_ends]


@pytest.mark.parametrize(
    "later",
    [
        pytest.param((runs("make deploy", "ok"),), id="run after all"),
        pytest.param((runs("make deploy", fails="error: no host"),), id="run, and red"),
        pytest.param((asks("ok"), says("I go on.")), id="a nod"),
    ],
)
def test_a_refusal_that_was_not_meant_is_no_dead_end(later: tuple[Step, ...]) -> None:
    """Who lets it be done later, or goes on as if nothing was, has not forbidden it."""
    assert _refused() != []
    assert _refused(*later) == []


def test_a_refusal_before_another_request_stands() -> None:
    """Nothing says that it is allowed now."""
    assert _refused(asks("write the page about refunds"), says("Done.")) != []


def test_who_stopped_the_agent_and_asked_for_something_has_forbidden_nothing() -> None:
    """The key that stops it says nothing of the way; what is asked next does."""
    stopped = (asks("go"), uses("Bash", "make deploy", outcome="interrupted"))
    assert content_of(session(*stopped)).dead_ends != ()
    asked = asks("write the page about refunds")
    assert content_of(session(*stopped, asked, says("Done."))).dead_ends == ()


def test_a_plan_after_which_files_were_changed_was_not_forbidden() -> None:
    """It was talked about, and then carried out."""
    plan = uses("ExitPlanMode", "# Retry", outcome="failed", output=_NO)
    steps = (asks("go"), plan, asks("why retry? write it down"), says("Because."))
    assert content_of(session(*steps, asks("and now?"))).dead_ends != ()
    assert content_of(session(*steps, asks("do it"), edits("a.py"))).dead_ends == ()
