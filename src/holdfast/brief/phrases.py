"""How single things are said in a brief, and whose words may stand where.

Only the user's typed words carry `▸`. Output of tools is said outside the fence only as
one quoted line in backticks that it cannot close, and not at all if it plainly talks to
its reader. A name that could be read as a sentence is quoted in the same way.
To say less, texts are cut where a sentence or a clause ends.
"""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from functools import lru_cache
from itertools import islice, takewhile

from holdfast.domain.checkpoint import CommandRef, FileRef, Item
from holdfast.domain.fact import ChosenAnswer, Failure, ItemFact
from holdfast.domain.text import USER, extent, one_line, plain, unmarked, visible
from holdfast.kernel.lazy_patterns import pattern
from holdfast.kernel.lazy_values import dataclass, replace

# What makes the model that reads it the judge; `{}` is the checkpoint.
FETCH = (
    "call checkpoint_resume (or run `holdfast resume {}`); otherwise ignore it and never"
    " mention it."
)
ROOT = "…"
_ROOT_OCTETS, _LEGEND = 3, 17  # of the mark, and of the sentence that explains it
_LEAST_OUTPUT = 40  # characters of it that are told however long the command is
_LEAST_SAVED = 30  # octets that make an abbreviation worth explaining
_COUNTS = pattern(
    r"(?<![\w:.,/%-])\d{1,6}\s+(?:(?:tests?\s+)?(?:passed|failed|passing|failing|skipped)"
    r"|errors?|warnings?|issues?|problems?|tests?|failures?|examples?|offenses?"
    r"|files?\s+changed|to\s+(?:add|change|destroy)|added|destroyed)\b",
    re.IGNORECASE,
)

# Where a change or an issue was put: no more of a tool's words than an address has.
_MADE_AT = pattern(
    r"^https://[\w.-]{1,60}(?:/[\w.-]{1,60}){1,6}/(?:pull|issues|merge_requests)/\d{1,9}$"
)
_TALKS = pattern(
    r"\b(?:ignore|disregard|forget|override)\b.{0,40}\b(?:previous|above|prior|all|earlier"
    r"|instructions?|rules?)\b|\b(?:system prompt|new instructions?|instructions?\s*:|assistant\s*:"
    r"|human\s*:|important\s*:|you (?:must|should|are now|need to|have to)|as an ai|do not tell)\b"
    r"|</?(?:system|user|assistant|instructions?)|\b(?:curl|wget)\b.{1,200}\|\s?(?:ba)?sh",
    re.IGNORECASE,
)
_OPERAND = pattern(r"^-|[/.=\"']")
_LONG_COMMAND, _LONG_WORD = 60, 32  # characters
# What a request is sent with, or a tool is told about how to print: not what it does.
_SETTINGS = pattern(r"(?<=\s)(?:-s|-sS|--silent|-H\s(?:\"[^\"]*\"|'[^']*'))\s")
# Another shell that only carries a command, and a quoted path of Windows.
_OTHER_SHELL = pattern(
    r"^(?:powershell|pwsh|cmd)(?:\.exe)?\s+(?:-(?!c)\w+\s+(?:\w+\s+)?)*(?:-c(?:ommand)?|/c)\s+[\"']?(?:&\s*)?",
    re.IGNORECASE,
)
_WINDOWS_PATH = pattern(r"([\"'])[A-Za-z]:[\\/][^\"']*?[\\/]([^\"'\\/]+)\1")
_PLAIN_NAME = pattern(r"[A-Za-z0-9_./@+~=#,()\[\]{}$&!%^:-]+")
_LONGEST_NAME = 200
_SHOWN_ROOT = 120
_ANY_LENGTH = 1_000_000

MORE = " […]"
_TEMPLATE = 40  # letters that two requests have in common behind their first lines
# Letters of a decision, of its question, and of its answer, which says what holds.
_DECISION, _LEAST_ASKED, _ANSWER = 240, 80, 400
_OVER = 120  # per cent of its room that a sentence may take to end

# What begins a heading, a fence, and the last lines of a brief.
_FENCES = ("```", "~~~")
_OURS = ("#", *_FENCES, "Carried:", "Left out:", "Standing instructions")

# A stop behind a list's number or an abbreviation ends nothing.
_SENTENCE_END = pattern(
    r"(?<!\s\d)(?<!\be\.g)(?<!\bi\.e)(?<!\bvs)(?<!\bcf)[.!?…][\"'”’)\]]*(?=\s)|[。！？]|\n"
)
_CLAUSE_END = pattern(r"[,;:](?=\s)|[，；：、]|\s[–—-](?=\s)")


def own(words: str) -> str:
    """Return the user's own words, marked as such."""
    return f'{USER} "{flat(words)}"'


def talks(text: str) -> bool:
    """Say whether output speaks to its reader."""
    return _TALKS.search(text) is not None


def spanned(text: str) -> str:
    """Return words of others between backticks that they cannot close."""
    return f"`{told_name(text)}`"


def of_another_project(root: str) -> str:
    """Return the line that nothing of another project goes without: it is not about
    the code here."""
    return f"Of another project: {spanned(one_line(root, _SHOWN_ROOT))}"


def told_name(text: str) -> str:
    """Return words of others as they stand between backticks."""
    return _unticked(plain(text))


def named(path: str) -> str:
    """Return a path as it is, or quoted where it could pass for more than a name.

    Whole sentences need no space in some scripts, so only plain ASCII stands free.
    """
    told = plain(path)
    if len(told) > _LONGEST_NAME:
        told = f"{ROOT}{told[-_LONGEST_NAME:]}"
    spoken = told.replace("-", " ").replace("_", " ").replace(".", " ")
    is_plain = _PLAIN_NAME.fullmatch(told.removeprefix(ROOT)) and not talks(spoken)
    return told if is_plain else spanned(told)


def printed(item: Item, limit: int = _ANY_LENGTH) -> str:
    """Return an item in a line of about `limit` characters, what a tool said quoted.

    Output that plainly talks to its reader is left out.
    """
    if item.fact is None:
        return printed_text(item.text, limit)
    return "".join(_pieces(item.fact, item.mark, limit))


def printed_error(
    error: Item, limit: int, most_of_command: int = _ANY_LENGTH
) -> tuple[str, ...]:
    """Return an error, shortest with as much of its command as says which one it is:
    what it said matters more."""
    whole = printed(error, limit)
    fact = error.fact
    if not isinstance(fact, Failure):
        return tuple(dict.fromkeys((one_line(whole, most_of_command), whole)))
    ours, quote = _pieces(fact, error.mark, limit)
    command = plain(f"`{fact.command}")
    brief = one_line(command, most_of_command) + ours.removeprefix(command) + quote
    return tuple(dict.fromkeys((brief, whole)))


def printed_text(text: str, limit: int = _ANY_LENGTH) -> str:
    """Return words that nobody but their writer answers for, in a line."""
    told = shortened(plain(text), limit)
    return spanned(told) if talks(told) else told


def shortened(text: str, limit: int) -> str:
    """Return about `limit` letters, ended at a sentence; only in one that is much longer
    at a clause or a word. What announces something is no end."""
    bare = text.strip()
    long = extent(bare)
    if long <= limit:
        return bare
    limit = limit * len(bare) // long  # characters
    room = limit - len(MORE)
    end = _last(_SENTENCE_END, bare, room) or _next(bare, room, _OVER * limit // 100)
    end = end or _last(_CLAUSE_END, bare, room)
    if end == len(bare):
        return bare
    if end:
        return bare[:end].rstrip(" ,;:，；：\n-–—") + MORE
    return one_line(bare, limit)


def forms(text: str, *limits: int) -> tuple[str, ...]:
    """Return a text in growing lengths; equal ones once."""
    return tuple(dict.fromkeys(shortened(text, limit) for limit in limits))


def with_its_answer(item: Item) -> Item:
    """Return a decision whose question is cut, not its answer, where both are long."""
    fact = item.fact
    if not isinstance(fact, ChosenAnswer) or extent(item.text) <= _DECISION:
        return item
    left = max(_LEAST_ASKED, _DECISION - extent(fact.chosen))
    chosen = shortened(fact.chosen, _ANSWER)
    shorter = replace(fact, asked=shortened(fact.asked, left), chosen=chosen)
    return replace(item, text="".join(shorter.wording()), fact=shorter)


def unlike(text: str, others: Iterable[str]) -> str:
    """Return a text without the lines that one of the others begins with, too, but for
    the first: who asks from a template asks behind it."""
    behind = behind_template(text, others)
    first = text.strip().partition("\n")[0]
    return f"{first}\n{MORE.strip()}\n{behind}" if behind else text


def behind_template(text: str, others: Iterable[str]) -> str:
    """Return the lines of a text behind those that one of the others begins with, too;
    nothing where these are few, or most of it: that was changed and sent again."""
    lines = [line for line in text.split("\n") if line.strip()]
    shared = max((_shared(lines, other) for other in others), default=0)
    own = extent("".join(lines[shared:]))
    is_template = extent("".join(lines[1:shared])) >= _TEMPLATE
    is_most = own < extent("".join(lines[:shared]))
    return "\n".join(lines[shared:]) if is_template and not is_most else ""


def _shared(lines: Sequence[str], other: str) -> int:
    """Return how many lines another text begins with, too."""
    theirs = (line for line in other.split("\n") if line.strip())
    pairs = takewhile(lambda pair: pair[0] == pair[1], zip(lines, theirs, strict=False))
    return sum(1 for _ in pairs)


@lru_cache(maxsize=1024)  # one thing is told in several lengths
def flat(text: str) -> str:
    """Return text on one line, with nothing hidden in it."""
    return " ".join(visible(text).split())


def indented(text: str) -> str:
    """Return text whose further lines stand in from the margin, so that none of them
    can pass for a heading of ours; a block of code that was cut ends there."""
    lines = [line.rstrip() for line in visible(text).split("\n") if line.strip()]
    fences = [line.strip() for line in lines if line.lstrip().startswith(_FENCES)]
    if len(fences) % 2:
        lines.append(fences[-1][:3])
    return "\n  ".join(lines)


def _pieces(fact: ItemFact, mark: str, limit: int) -> tuple[str, str]:
    """Return our words about a fact, and behind them those of a tool, quoted."""
    ours, name, more, quoted, end = fact.wording()
    ours += (named(name) if name else "") + more
    output = plain(quoted + end + mark) if quoted else ""
    if not output:
        return printed_text(ours + end + mark, limit), ""
    head = f"{plain(ours)} "
    head = f"{spanned(head)} " if talks(head) else head
    if talks(output):
        return head, "(what it printed talks to its reader)"
    room = max(limit - len(head) - 2, _LEAST_OUTPUT)
    return head, spanned(shortened(output, room))


def tells(told: str, line: str) -> bool:
    """Say whether a line of output is already in what was told."""
    return _unticked(flat(line)) in _unticked(told)


def _unticked(text: str) -> str:
    return text.replace("`", "'")


def quoted(text: str) -> str:
    """Return output as it may stand inside the fence."""
    lines = (line.rstrip() for line in visible(unmarked(text)).split("\n"))
    return "\n".join(line for line in lines if line)


def changed(file: FileRef, shown: str) -> str:
    """Return what became of a file: `refresh.py new +19`."""
    if file.change == "deleted":
        return f"{shown} deleted"
    new = " new" if file.change == "created" else ""
    more = f" +{file.lines_added}" if file.lines_added else ""
    less = f" −{file.lines_removed}" if file.lines_removed else ""
    return f"{shown}{new}{more}{less}" + (" (earlier session)" if file.age else "")


def result(command: CommandRef) -> str:
    """Return a command and what it came to: numbers, or an address that it made."""
    made = command.output if _MADE_AT.match(command.output) else ""
    counts = ", ".join(_COUNTS.findall(command.output)[:3])
    came = f" → {made or counts}" if made or counts else _came_to(command)
    return f"{plain(command.command)}{came}{_ran_in(command)}"


def short_result(command: CommandRef) -> str:
    """Return a command where room is short, and what it came to."""
    words = short_command(command.command)
    return f"{words}{_came_to(command)}{_ran_in(command)}"


def short_command(command: str) -> str:
    """Return of a long command its beginning, without the shell that carries it; of a
    long path or address in it the end, which says more."""
    bare = plain(command)
    if len(bare) > _LONG_COMMAND:
        bare = _WINDOWS_PATH.sub(r"\2", _without_other_shell(bare))
    if len(bare) > _LONG_COMMAND:
        bare = " ".join(map(_end_of, _SETTINGS.sub("", bare).split()))
    return one_line(bare, _LONG_COMMAND)


def _without_other_shell(command: str) -> str:
    """Return what another shell is given to run, as that reads it."""
    given = _OTHER_SHELL.sub("", command)
    return command if given == command else given.replace('\\"', '"').rstrip("\"'")


def _end_of(word: str) -> str:
    """Return a word; of a long path or address no more than its last parts."""
    if len(word) <= _LONG_WORD or "/" not in word:
        return word
    parts = word.partition("://")[2].split("/") if "://" in word else word.split("/")
    kept = parts.pop()
    while parts and len(kept) + len(parts[-1]) < _LONG_WORD:
        kept = f"{parts.pop()}/{kept}"
    quote = word[0] if word[0] in "\"'" and kept.endswith(word[0]) else ""
    return f"{quote}{ROOT}/{kept}" if parts else f"{quote}{kept}"


def doing(command: str) -> str:
    """Return what a command does without what it does it to: `go test`, `npm run x`."""
    words = takewhile(lambda word: not _OPERAND.search(word), command.split())
    return " ".join(islice(words, 3))


def _came_to(command: CommandRef) -> str:
    """Return how it ended; nothing where nobody saw that."""
    if command.exit is None:
        return f" → {command.ended}" if command.ended else ""
    return " → ok" if command.exit == 0 else f" → exit {command.exit}"


def _ran_in(command: CommandRef) -> str:
    """Return with whose code it came to that, where it is not this checkpoint's."""
    return f" (in {command.ran_in})" if command.ran_in else ""


def says_little(line: str) -> bool:
    """Say whether a line only tells how many things went wrong, or that one did."""
    left = _COUNTS.sub("", line)
    only_counts = left != line and not any(c.isalpha() for c in left)
    return only_counts or line.endswith("task failed")


@dataclass(frozen=True, slots=True)
class Paths:
    """How paths are shown: a long common beginning is said once, or, where room is
    short, no more than it takes to tell a file from the others."""

    root: str = ""
    shared: frozenset[str] | None = None  # names of several files; None: whole paths

    @classmethod
    def of(cls, paths: Sequence[str]) -> "Paths":
        """Return the abbreviation that saves most, if any saves enough."""
        saved: dict[str, int] = {}
        for path in paths:
            parts = path.split("/")[:-1]
            for end in range(1, len(parts) + 1):
                root = "/".join(parts[:end])
                octets = len(root.encode("utf-8", "replace"))
                told = saved.get(root, -octets - _LEGEND)
                saved[root] = told + octets - _ROOT_OCTETS
        best = max(saved, key=lambda root: (saved[root], root), default="")
        return cls(best if best and saved[best] >= _LEAST_SAVED else "")

    @classmethod
    def short(cls, files: Sequence[FileRef]) -> "Paths":
        """Return the way of showing only names."""
        count = Counter(_name(file.path) for file in files)
        return cls(shared=frozenset(name for name, times in count.items() if times > 1))

    @property
    def legend(self) -> str:
        return f"In paths, {ROOT} is {named(self.root)}." if self.root else ""

    def shown(self, path: str) -> str:
        if self.shared is not None:
            is_shared = _name(path) in self.shared
            return named("/".join(path.split("/")[-2 if is_shared else -1 :]))
        if self.root and path.startswith(f"{self.root}/"):
            return named(ROOT + path[len(self.root) :])
        return named(path)


def _name(path: str) -> str:
    return path.rpartition("/")[2]


def _last(boundary: re.Pattern[str], text: str, room: int) -> int:
    """Return where the last part ends that has room, unless that leaves little."""
    ends = (found.end() for found in boundary.finditer(text, room // 3, room))
    if boundary is _SENTENCE_END:
        ends = (end for end in ends if not text[:end].rstrip().endswith((":", "：")))
    return max(ends, default=0)


def _next(text: str, room: int, most: int) -> int:
    """Return where the sentence ends that has no room, if it needs little more."""
    found = _SENTENCE_END.search(text, room)
    if found is None:
        return len(text) if len(text) <= most else 0
    return found.end() if found.end() <= most else 0
