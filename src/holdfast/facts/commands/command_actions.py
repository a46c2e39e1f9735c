"""What a command line would do, also by commands that a brief tells nothing of.

`rm`, `mv`, `kill` and the like come to nothing worth telling; that one of them was
refused is.
"""

from holdfast.domain.text import one_line
from holdfast.facts.commands.lines import segments_of
from holdfast.facts.commands.runs import shown_command
from holdfast.kernel.lazy_patterns import pattern

_ACTS = pattern(
    r"[\s({!]*(?:(?:sudo|env|nohup|time|[A-Za-z_]\w*=\S*)\s+)*(?:\S*/)?"
    r"(?:(?:rm|mv|cp|ln|touch|mkdir|kill|pkill|chmod|chown|tee|xargs|truncate|dd)\b"
    r"|sed\s.*-i|(?:python[\d.]*|node|ruby|perl|bash|sh|zsh)\s+-(?:[ce]\b|$|\s))"
)
_GOES_THERE = pattern(r"^cd\s+\S+\s*(?:&&|;)\s*")
_SHOWN = 140


def deed_of(command: str) -> str:
    """Return what a command line would do, or nothing if it only looks around.

    Its own first line, where the part that is told as a command is not all of it.
    """
    if any(_ACTS.match(segment.text) for segment in segments_of(command)):
        return first_line(command)
    return shown_command(command)


def first_line(command: str) -> str:
    """Return the first line of a command, without going to where it is run."""
    first = command.strip().partition("\n")[0]
    return one_line(_GOES_THERE.sub("", first), _SHOWN)
