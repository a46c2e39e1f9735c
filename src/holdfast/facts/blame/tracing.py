"""Follow a file through everything that is known of it: who made each line.

Two kinds of things come in, in order: what was seen (a snapshot, the text that an edit
found, the file as it is) and what an agent did. A deed is made again on the text before
it, and what was seen next says whether that was all. What is left over has no witness: it
is the user's own only where nothing of an agent's was at work, and else unknown. That
something ran meanwhile is never a reason to call it somebody's: a person may have typed
in the same minute.
"""

from collections.abc import Callable, Iterable

from holdfast.domain.file_history import AgentStep, LineOrigin, Replacement
from holdfast.facts.blame.left_over import LeftOver
from holdfast.facts.blame.line_changes import changes, is_telling
from holdfast.facts.blame.shell_effects import ShellEffect
from holdfast.facts.blame.versions import (
    Archive,
    Version,
    place_of,
    replaced,
    stepped,
)
from holdfast.kernel.lazy_tuples import NamedTuple
from holdfast.kernel.lazy_values import dataclass, field

EARLIER = "it was there before anything that is known of this file"
UNCLEAR = "it may be new, or an older line that looks like it"
ALTERED = "the user changed what the agent proposed"
OVER_UNKNOWN = "the agent wrote the whole file, and what was in it before is not known"
APPEARED = "the file appeared, and nothing tells who brought it"
AFTER_EDIT = "it changed after an agent's edit: by hand, by a hook or by a command"
RAN_MEANWHILE = (
    "it changed while commands of an agent ran that do not tell what they wrote"
)

_BEFORE, _AMBIGUOUS = 0, 1
_NOTHING = Version([""], [_BEFORE])  # what an edit finds where there is no file


class Moment(NamedTuple):
    """When something was seen; `turn` is the prompt an agent was answering then."""

    at: int
    turn: str = ""


class Meanwhile(NamedTuple):
    """What else is known of a stretch of time, `(from, to)` in Unix ms."""

    was_at_work: Callable[[int, int], bool]  # an agent that could have written the file
    head_moved: Callable[[int, int], bool]  # commits came or went


@dataclass(slots=True)
class _File:
    """One path, as far as the story has come."""

    version: Version | None = None
    is_absent: bool = False
    seen: Moment | None = None
    is_after_deed: bool = False  # nobody has looked since the agent's last deed
    is_formatted: bool = False  # a formatter may have run since
    named: list[AgentStep] = field(default_factory=list)  # commands that name it, since
    unplaced: list[AgentStep] = field(default_factory=list)  # edits without a place
    unproven: set[int] = field(default_factory=set)  # makers, since somebody looked

    def looked_at(self, moment: Moment) -> None:
        self.seen = moment
        self.is_after_deed = self.is_formatted = False
        self.named, self.unplaced, self.unproven = [], [], set()


class Tracer:
    """Takes what is known of some paths in order, and tells of each line who made it."""

    def __init__(self, meanwhile: Meanwhile) -> None:
        self._meanwhile = meanwhile
        self._archive = Archive()
        self._files: dict[str, _File] = {}
        self._origins = [
            LineOrigin("unknown", why=EARLIER),
            LineOrigin("unknown", why=UNCLEAR),
        ]

    def lines_of(self, path: str) -> list[tuple[str, LineOrigin]] | None:
        """Return the lines of a file as they were seen last, each with its origin."""
        version = self._file(path).version
        if version is None:
            return None
        pairs = zip(version.lines, version.makers, strict=True)
        return [(line, self._origins[maker]) for line, maker in pairs]

    def saw(self, path: str, text: str | None, moment: Moment) -> None:
        """Take the whole text of a file at a moment; None: there was no file."""
        file = self._file(path)
        if text is None:
            file.version = None
        else:
            file.version = self._version_seen(file, _plain(text), moment)
        file.is_absent = text is None
        file.looked_at(moment)

    def edited(self, path: str, step: AgentStep) -> None:
        """Take an edit or a whole write of an agent."""
        file = self._file(path)
        moment = Moment(step.ended, _turn(step))
        if step.before is not None:
            self.saw(path, step.before, moment)
        elif step.is_new:
            self.saw(path, None, moment)
        made = self._made_by(file, step)
        if made is None:
            file.unplaced.append(step)
            return
        self._put(file, made, moment, is_proven=step.before is not None or step.is_new)

    def ran(
        self, step: AgentStep, effects: Iterable[ShellEffect], *, formats: bool
    ) -> None:
        """Take a command of an agent, with what it does to the paths of this story."""
        for file in self._files.values():
            file.is_formatted = file.is_formatted or formats
        for effect in effects:
            file = self._file(effect.path)
            made = self._made_by_effect(file, effect, step) if step.is_done else None
            if made is not None:
                moment = Moment(step.ended, _turn(step))
                self._put(file, made, moment, is_proven=False)
            elif effect.kind == "removed" and step.is_done:
                self.saw(effect.path, None, Moment(step.ended, _turn(step)))
            else:
                file.named.append(step)

    def _file(self, path: str) -> _File:
        return self._files.setdefault(path, _File())

    def _put(
        self, file: _File, version: Version, moment: Moment, *, is_proven: bool
    ) -> None:
        """Take what a deed made. It is what lies there only if the text before it was."""
        older, unproven = file.version, file.unproven | {len(self._origins) - 1}
        is_formatted = file.is_formatted
        file.version = self._archive.keep(version.lines, version.makers, older)
        file.is_absent = False
        file.looked_at(moment)
        file.is_after_deed = True
        if not is_proven:
            file.unproven, file.is_formatted = unproven, is_formatted

    def _maker(self, origin: LineOrigin) -> int:
        self._origins.append(origin)
        return len(self._origins) - 1

    def _made_by(self, file: _File, step: AgentStep) -> Version | None:
        """Return what a step makes of a file; None where its place is not found."""
        before = self._before(file)
        maker = self._maker(_origin_of(step))
        whole = _whole_text(step)
        if whole is not None:
            lines = self._archive.lines(_plain(whole))
            if before is None and step.kind == "write":
                unknown = self._maker(LineOrigin("unknown", why=OVER_UNKNOWN))
                return Version(lines, [unknown] * len(lines))
            return self._rewritten(before or _NOTHING, lines, maker)
        if not step.replacements:
            return None
        for edit in step.replacements:
            if before is not None:
                plain = edit._replace(old=_plain(edit.old), new=_plain(edit.new))
                before = replaced(before, plain, maker, _AMBIGUOUS)
        return before

    def _made_by_effect(
        self, file: _File, effect: ShellEffect, step: AgentStep
    ) -> Version | None:
        if effect.source:
            return self._carried(effect)
        before = self._before(file)
        text = effect.applied(before.text if before else None)
        if text is None:
            return None
        if before is None:
            # Nobody knows what was there: only what is put behind it is new for sure.
            return None
        lines = self._archive.lines(text)
        return self._rewritten(before, lines, self._maker(_origin_of(step)))

    def _carried(self, effect: ShellEffect) -> Version | None:
        """Return the version that a move or a copy brings to a path."""
        source = self._file(effect.source)
        version = source.version
        if version is not None and effect.kind == "moved":
            source.version, source.is_absent = None, True
        return version

    def _before(self, file: _File) -> Version | None:
        """Return the text that a deed finds, of which no file is the empty one."""
        return _NOTHING if file.is_absent else file.version

    def _rewritten(self, before: Version, lines: list[str], maker: int) -> Version:
        if before.lines == [""]:
            return Version(lines, [maker] * len(lines))
        makers = stepped(
            before, lines, lambda hunk: [maker] * (hunk.j2 - hunk.j1), _AMBIGUOUS
        )
        return Version(lines, makers)

    def _version_seen(self, file: _File, text: str, moment: Moment) -> Version:
        older = self._before(file)
        if older is not None and older.number >= 0 and older.digest == hash(text):
            return older
        if known := self._archive.known(text):
            return known
        lines = self._archive.lines(text)
        older = older or self._moved_from(lines)
        if older is None:
            makers = [_BEFORE] * len(lines)
        else:
            makers = self._makers_after(file, older, lines, moment)
        free = set(range(len(lines)))
        if older is not None:
            free = {j for h in changes(older.lines, lines) for j in range(h.j1, h.j2)}
        for step in file.unplaced:
            self._place(step, lines, makers, free)
        return self._archive.keep(lines, makers, older)

    def _makers_after(
        self, file: _File, older: Version, lines: list[str], moment: Moment
    ) -> list[int]:
        origin = self._unwitnessed(file, moment)
        if file.is_absent:
            older = self._moved_from(lines) or older
        if older is _NOTHING and origin.by == "user":
            origin = LineOrigin("unknown", why=APPEARED)
        gap = self._maker(origin)
        left = LeftOver(
            older, lines, gap, _AMBIGUOUS, file.is_formatted, self._unproven(file)
        )
        return left.makers(self._archive)

    def _unproven(self, file: _File) -> set[int]:
        """A file that goes on under another name brings along what nobody proved."""
        if file.version is not None:
            return file.unproven
        return set().union(*(one.unproven for one in self._files.values()))

    def _moved_from(self, lines: list[str]) -> Version | None:
        """Return the version under another name that a new file goes on from.

        Every path of this story is one that the file had at some time.
        """
        wanted = set(filter(is_telling, lines))
        others = [file.version for file in self._files.values() if file.version]
        shared = [(len(wanted & set(one.lines)), one.number, one) for one in others]
        most = max(shared, key=lambda each: each[:2], default=None)
        return most[2] if most and most[0] * 2 >= len(wanted) > 0 else None

    def _unwitnessed(self, file: _File, moment: Moment) -> LineOrigin:
        """Return whose a change is that nothing accounts for."""
        seen = file.seen or Moment(0)
        if file.named or file.unplaced:
            step = (file.named or file.unplaced)[-1]
            return LineOrigin("unknown", step, RAN_MEANWHILE)
        if file.is_after_deed:
            return LineOrigin("unknown", why=AFTER_EDIT)
        if self._meanwhile.was_at_work(seen.at, moment.at):
            return LineOrigin("unknown", why=RAN_MEANWHILE)
        moved = self._meanwhile.head_moved(seen.at, moment.at)
        return LineOrigin(
            "user", head_moved=moved, seen_at=moment.at, missing_at=seen.at
        )

    def _place(
        self, step: AgentStep, lines: list[str], makers: list[int], free: set[int]
    ) -> None:
        """Give an edit that found no place the lines that it wrote, where they are."""
        maker = self._maker(_origin_of(step))
        for edit in step.replacements:
            for place in _written_at(edit, lines):
                if place in free:
                    makers[place] = maker


def _whole_text(step: AgentStep) -> str | None:
    """Return what a step put into the whole file: an edit of nothing makes a file."""
    if step.kind == "write":
        return step.content
    is_whole = [edit.old for edit in step.replacements] == [""]
    return step.replacements[0].new if is_whole else None


def _written_at(edit: Replacement, lines: list[str]) -> list[int]:
    """Return which of some lines an edit wrote, if its text is there just once."""
    old, new = _plain(edit.old).split("\n"), _plain(edit.new).split("\n")
    whole = new[1:-1] if len(new) > 2 else []  # noqa: PLR2004  # the outer may be parts of lines
    if not any(map(is_telling, whole)):
        return []
    start = place_of(whole, lines)
    if start is None:
        return []
    written = {j for h in changes(old, new) for j in range(h.j1, h.j2)}
    return [start + n - 1 for n in sorted(written) if 0 < n < len(new) - 1]


def _origin_of(step: AgentStep) -> LineOrigin:
    if step.is_altered:
        return LineOrigin("unknown", step, ALTERED)
    if not step.prompt.uuid:
        return LineOrigin(
            "unknown", step, "a sub-agent wrote it, for a prompt not known"
        )
    return LineOrigin("agent", step)


def _turn(step: AgentStep) -> str:
    return f"{step.session_id} {step.prompt.uuid}"


def _plain(text: str) -> str:
    return text.replace("\r\n", "\n")
