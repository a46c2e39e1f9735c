"""Who made a line: the rules, one by one."""

from typing import Any

import pytest

from holdfast.domain.file_history import AgentStep, LineOrigin, PromptHeard, Replacement
from holdfast.facts.blame.shell_effects import effects_of, is_formatter
from holdfast.facts.blame.tracing import (
    ALTERED,
    APPEARED,
    EARLIER,
    OVER_UNKNOWN,
    RAN_MEANWHILE,
    UNCLEAR,
    Meanwhile,
    Moment,
    Tracer,
)

F = "/p/f.py"
_FIRST = "first = begin(work)\nsecond = go_on(first)\n"


class Story:
    """A tracer, and a clock that goes on with every step."""

    def __init__(self, *, at_work: bool = False, head_moved: bool = False) -> None:
        self.tracer = Tracer(Meanwhile(lambda *_: at_work, lambda *_: head_moved))
        self.now = 0

    def saw(self, text: str | None, path: str = F) -> None:
        self.now += 10
        self.tracer.saw(path, text, Moment(self.now))

    def step(self, prompt: str, **fields: Any) -> AgentStep:
        self.now += 10
        heard = PromptHeard(f"uuid of {prompt}" if prompt else "", prompt, self.now)
        known: dict[str, Any] = {"kind": "edit", "begun": self.now, "ended": self.now}
        return AgentStep("session", heard, f"call {self.now}", **{**known, **fields})

    def edits(self, prompt: str, old: str, new: str, **fields: Any) -> None:
        change = (Replacement(old, new, fields.pop("everywhere", False)),)
        step = self.step(prompt, replacements=change, **fields)
        self.tracer.edited(fields.get("path", F), step)

    def writes(self, prompt: str, content: str, **fields: Any) -> None:
        step = self.step(prompt, kind="write", content=content, **fields)
        self.tracer.edited(F, step)

    def runs(self, prompt: str, command: str, **fields: Any) -> None:
        step = self.step(prompt, kind="run", command=command, cwd="/p", **fields)
        effects = effects_of(command, "/p")
        self.tracer.ran(step, effects, formats=is_formatter(command))

    def origins(self, path: str = F) -> dict[str, LineOrigin]:
        return dict(self.tracer.lines_of(path) or [])

    def makers(self, path: str = F) -> dict[str, str]:
        """Each line with its prompt, or who else made it."""
        return {
            line: origin.step.prompt.text
            if origin.by == "agent" and origin.step
            else origin.by
            for line, origin in self.origins(path).items()
            if line
        }


def test_an_edit_makes_the_lines_that_it_adds() -> None:
    """Those around it stay whose they were."""
    story = Story()
    story.saw(_FIRST)
    story.edits("add one", "second = go", "between = pause(first)\nsecond = go")
    story.saw("first = begin(work)\nbetween = pause(first)\nsecond = go_on(first)\n")

    assert story.makers() == {
        "first = begin(work)": "unknown",
        "between = pause(first)": "add one",
        "second = go_on(first)": "unknown",
    }


def test_what_was_there_first_is_unknown() -> None:
    """Nobody is named for what no record tells."""
    story = Story()
    story.saw(_FIRST)

    assert story.origins()["first = begin(work)"] == LineOrigin("unknown", why=EARLIER)


def test_a_new_file_is_the_agents() -> None:
    """There was nothing before that it could have taken over."""
    story = Story()
    story.writes("make it", _FIRST, is_new=True)

    assert set(story.makers().values()) == {"make it"}


def test_an_edit_of_nothing_makes_a_file() -> None:
    story = Story()
    story.edits("make it", "", _FIRST)

    assert set(story.makers().values()) == {"make it"}


def test_a_whole_write_keeps_what_it_leaves_alone() -> None:
    """Only what differs from the text before is its own."""
    story = Story()
    story.writes("make it", _FIRST, is_new=True)
    story.writes("more", _FIRST + "third = close(second)\n", before=_FIRST)

    assert story.makers()["first = begin(work)"] == "make it"
    assert story.makers()["third = close(second)"] == "more"


def test_a_write_over_an_unknown_text_is_nobodys() -> None:
    """It may only repeat what others wrote."""
    story = Story()
    story.writes("rewrite", _FIRST)

    assert {o.why for o in story.origins().values()} == {OVER_UNKNOWN}


def test_what_changed_while_nobody_worked_is_the_users() -> None:
    """Between two looks with no agent at work."""
    story = Story()
    story.saw(_FIRST)
    story.saw(_FIRST + "mine = typed_by_hand(1)\n")

    assert story.makers()["mine = typed_by_hand(1)"] == "user"


def test_what_changed_while_an_agent_worked_is_nobodys() -> None:
    """That something ran meanwhile is no reason, neither for it nor against it."""
    story = Story(at_work=True)
    story.saw(_FIRST)
    story.saw(_FIRST + "whose = nobody_knows(1)\n")

    assert story.origins()["whose = nobody_knows(1)"].why == RAN_MEANWHILE


def test_a_command_that_names_the_file_is_told_with_what_is_not_known() -> None:
    """Whoever asks learns where to look."""
    story = Story()
    story.saw(_FIRST)
    story.runs("generate", "python gen.py > f.py")
    story.saw(_FIRST + "whose = nobody_knows(1)\n")

    origin = story.origins()["whose = nobody_knows(1)"]
    assert (origin.by, origin.why) == ("unknown", RAN_MEANWHILE)
    assert origin.step is not None
    assert origin.step.command == "python gen.py > f.py"


def test_a_hand_that_edits_before_the_agent_keeps_its_lines() -> None:
    """The client tells the text that its edit found."""
    story = Story()
    story.saw(_FIRST)
    by_hand = f"mine = typed_by_hand(1)\n{_FIRST}"
    story.edits("go on", "first = begin", "start = begin", before=by_hand)

    assert story.makers()["mine = typed_by_hand(1)"] == "user"
    assert story.makers()["start = begin(work)"] == "go on"


def test_what_changed_right_after_an_edit_is_nobodys() -> None:
    """A hook of the client may format what it just wrote."""
    story = Story()
    story.saw(_FIRST)
    story.edits("go on", "first = begin", "start = begin")
    story.saw("start = begin(work)\nsecond = go_on(first)\nthird = added(by, whom)\n")

    assert story.makers()["third = added(by, whom)"] == "unknown"


def test_layout_alone_leaves_a_line_whose_it_was() -> None:
    """Through formatters: blank space, and lines that are taken apart."""
    story = Story()
    story.writes("make it", "call(first_argument, second_argument)\n", is_new=True)
    story.saw("    call(\n        first_argument, second_argument)\n")

    assert set(story.makers().values()) == {"make it"}


def test_commas_and_quotes_are_layout_where_a_formatter_ran() -> None:
    story = Story()
    story.writes("make it", "call('first_argument', second_argument)\n", is_new=True)
    story.saw("call('first_argument', second_argument)\n")
    story.runs("format", "black f.py")
    story.saw('call(\n    "first_argument",\n    second_argument,\n)\n')

    makers = story.makers()
    assert makers['    "first_argument",'] == "make it"
    assert makers["    second_argument,"] == "make it"


def test_a_line_that_comes_back_is_its_makers() -> None:
    """Through reverts: the whole text, or a part of it."""
    story = Story()
    story.writes("make it", _FIRST, is_new=True)
    story.saw(_FIRST)
    story.saw("other = something_else(1)\n")
    story.saw(_FIRST)
    assert set(story.makers().values()) == {"make it"}

    story.saw("other = something_else(1)\n")
    story.saw("other = something_else(1)\nfirst = begin(work)\n")
    assert story.makers()["other = something_else(1)"] == "user"
    assert story.makers()["first = begin(work)"] == "make it"


def test_a_short_line_that_comes_back_alone_is_nobodys() -> None:
    """Anybody writes `return x` twice."""
    story = Story()
    story.writes("make it", f"{_FIRST}return x\n", is_new=True)
    story.saw(f"{_FIRST}return x\n")
    story.saw("other = something_else(1)\n")
    story.saw("other = something_else(1)\nreturn x\n")

    assert story.makers()["return x"] == "unknown"


def test_lines_that_a_hand_moves_stay_whose_they_were() -> None:
    lines = [f"value_{n} = compute(number={n})" for n in range(4)]
    story = Story()
    story.writes("make it", "\n".join(lines) + "\n", is_new=True)
    story.saw("\n".join(lines) + "\n")
    story.saw("\n".join([*lines[2:], *lines[:2]]) + "\n")

    assert set(story.makers().values()) == {"make it"}


def test_a_file_that_moves_takes_its_lines_along() -> None:
    """By a command, or by a hand that nobody watched."""
    story = Story()
    story.writes("make it", _FIRST, is_new=True)
    story.runs("rename", "mv f.py g.py")
    assert set(story.makers("/p/g.py").values()) == {"make it"}

    story.saw(None, "/p/g.py")
    story.saw(_FIRST, "/p/h.py")
    assert set(story.makers("/p/h.py").values()) == {"make it"}


def test_a_file_that_appears_is_nobodys() -> None:
    """A checkout, a download or a hand: nothing tells."""
    story = Story()
    story.saw(None)
    story.saw(_FIRST)

    assert {o.why for line, o in story.origins().items() if line} == {APPEARED}


def test_a_command_whose_line_tells_its_work_made_it() -> None:
    """Made again on the text before, and seen so."""
    story = Story()
    story.saw(_FIRST)
    story.runs("shorten", "sed -i 's/second/last/' f.py")
    story.runs("append", "echo 'third = close(everything)' >> f.py")
    story.saw("first = begin(work)\nlast = go_on(first)\nthird = close(everything)\n")

    assert story.makers()["last = go_on(first)"] == "shorten"
    assert story.makers()["third = close(everything)"] == "append"


def test_a_command_that_failed_made_nothing() -> None:
    story = Story()
    story.saw(_FIRST)
    story.runs("append", "echo 'third = close(everything)' >> f.py", is_done=False)
    story.saw(_FIRST + "third = close(everything)\n")

    assert story.makers()["third = close(everything)"] == "unknown"


def test_what_the_user_changed_in_a_proposal_is_nobodys() -> None:
    story = Story()
    story.saw(_FIRST)
    story.edits("go on", "first = begin", "start = begin", is_altered=True)

    assert story.origins()["start = begin(work)"].why == ALTERED


def test_a_sub_agent_without_its_prompt_names_none() -> None:
    story = Story()
    story.saw(_FIRST)
    story.edits("", "first = begin", "start = begin")

    assert story.makers()["start = begin(work)"] == "unknown"


def test_one_blank_line_more_among_others_is_nobodys() -> None:
    """Nobody can say which of them is the new one."""
    story = Story()
    story.writes("make it", "first = begin(work)\n\nlast = finish(work)\n", is_new=True)
    story.saw("first = begin(work)\n\nlast = finish(work)\n")
    story.saw("first = begin(work)\n\n\nlast = finish(work)\n")

    assert story.makers()["first = begin(work)"] == "make it"
    blank = [o for line, o in story.tracer.lines_of(F) or [] if not line][:2]
    assert {origin.why for origin in blank} == {UNCLEAR}


def test_an_edit_is_found_where_the_text_before_it_is_not_known() -> None:
    """A large file's edit comes without the text it found; its own is enough."""
    story = Story()
    story.edits("go on", "a = 1\nz = 2", "a = 1\nmiddle = of_it(everything)\nz = 2")
    story.saw("x = 0\na = 1\nmiddle = of_it(everything)\nz = 2\n")

    assert story.makers()["middle = of_it(everything)"] == "go on"
    assert story.makers()["x = 0"] == "unknown"


def test_line_ends_of_windows_are_line_ends() -> None:
    """The client tells texts without them."""
    story = Story()
    story.saw(_FIRST.replace("\n", "\r\n"))
    story.edits("go on", "first = begin", "start = begin", before=_FIRST)
    story.saw("start = begin(work)\r\nsecond = go_on(first)\r\n")

    assert story.makers()["start = begin(work)"] == "go on"


@pytest.mark.parametrize("everywhere", [True, False])
def test_a_word_that_is_there_twice_is_replaced_only_on_purpose(
    *, everywhere: bool
) -> None:
    """The client would not take it else, so the text is another one."""
    story = Story()
    story.saw("first = begin(work)\nlast = begin(work)\n")
    story.edits("rename", "begin", "start", everywhere=everywhere)

    changed = {"first = start(work)": "rename", "last = start(work)": "rename"}
    same = {"first = begin(work)": "unknown", "last = begin(work)": "unknown"}
    assert story.makers() == (changed if everywhere else same)
