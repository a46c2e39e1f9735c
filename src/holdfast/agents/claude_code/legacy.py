"""What a kept turn of the code before roles meant: read once, here.

Then a call was known by its tool's name, a command by its first word, and what the
client had said stood in the text that was kept of an answer. Pure.
"""

from holdfast.agents.claude_code.tools import TOOLS, owner_of
from holdfast.agents.claude_code.transcript.prompts import command_via, without_addition
from holdfast.agents.claude_code.transcript.results import (
    cause_of,
    choices_in,
    report_in,
)
from holdfast.domain.session import Call, Turn
from holdfast.domain.text import one_line
from holdfast.kernel.lazy_values import replace

_SAID = "the user said:"  # before what was kept of a refusal's words
_NOTE = "Note: The user's next message may contain"
_ANNOUNCES = "User has answered your questions"
_LONGEST = 320  # characters of a question, and of an answer
_PAIR = '"="'


def upgraded(turn: Turn) -> Turn:
    """Return a turn as this version would have kept it."""
    via = command_via(turn.prompt) if turn.via == "command" else turn.via
    return replace(
        turn,
        via=via,
        prompt=without_addition(turn.prompt),
        calls=tuple(map(_upgraded, turn.calls)),
        tools=tuple(replace(use, role=TOOLS.role_of(use.tool)) for use in turn.tools),
    )


def _upgraded(call: Call) -> Call:
    role = TOOLS.role_of(call.tool)
    of_file = role in ("read", "edit", "write")
    call = call._replace(role=role, own=owner_of(call.target) if of_file else "")
    if call.outcome in ("failed", "interrupted"):
        return _refused(call)
    if role == "ask" and call.output and call.outcome == "ok":
        return _answered(call)
    if role == "agent" and (report := report_in(call.output)) is not None:
        return call._replace(output=report)
    return call


def _refused(call: Call) -> Call:
    _, said, words = call.output.partition(_SAID)
    if call.output.startswith(_SAID):
        refusal = words.partition(_NOTE)[0].strip()
        return call._replace(cause="refused", refusal=refusal, output=refusal)
    cause = cause_of(call.output)
    refusal = words.partition(_NOTE)[0].strip() if said and cause == "refused" else ""
    return call._replace(cause=cause, refusal=refusal)


def _answered(call: Call) -> Call:
    if _PAIR in call.output:
        choices = choices_in(call.output, call.target.split("\n"))
        return call._replace(choices=choices, output="")
    if call.output.startswith(_ANNOUNCES):  # cut before the answer
        return call._replace(output="")
    asked, chosen = one_line(call.target, _LONGEST), one_line(call.output, _LONGEST)
    return call._replace(choices=((asked, chosen),), output="")
