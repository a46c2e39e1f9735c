"""Did the last turn walk a dead end that an earlier session had left? (H8)"""

from holdfast.domain.event import SHELL
from holdfast.domain.session import Call, Inherited, SessionState
from holdfast.facts.commands.carriers import bare_program
from holdfast.facts.commands.runs import deed_of, shown_command

_TELLING = 12  # characters of a command that nobody writes by chance


def walked_again(state: SessionState) -> Inherited | None:
    """Return the dead end of an earlier session that the last turn walked again."""
    known = [one for one in state.inherited if one.kind == "dead_ends"]
    if not known or not state.turns:
        return None
    for call in state.turns[-1].calls:
        if call.outcome in ("failed", "interrupted"):
            for dead_end in known:
                if _is_same_way(call, dead_end.text, state.cwd):
                    return dead_end
    return None


def _is_same_way(call: Call, text: str, cwd: str) -> bool:
    shell = call.role in SHELL
    command = call.target
    shown = shown_command(command, cwd) if shell else command
    ways = {shown, deed_of(command), bare_program(shown)} if shell else {command}
    return any(
        f"`{way}`" in text or (len(way) >= _TELLING and way in text)
        for way in ways
        if way
    )
