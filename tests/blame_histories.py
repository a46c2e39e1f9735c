"""Made-up histories of one file, each line with who really made it.

Several sessions answer prompts with edits, whole writes and commands; between and during
them a person edits by hand, formats, renames, reverts, commits, switches branches and
merges. Whoever asks afterwards knows the truth, line by line.

A backend says where it happens: in a real repository with real snapshots, or in memory.
"""

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from random import Random
from typing import Any, Protocol

from holdfast.kernel.clock import iso

MINUTE = 60_000
BEGAN = 1_768_749_000_000
_TRIVIAL = ("", "", "}", "    pass", "    return None")


@dataclass(frozen=True)
class Line:
    """A line and its maker: a prompt, the person (`user`), or who was there before."""

    text: str
    by: str
    prompt: str = ""


Lines = list[Line]


class Backend(Protocol):
    """Where a history happens."""

    root: Path
    transcripts: Path

    def save(self, session: str, transcript: Path, at: int) -> None:
        """Make a checkpoint of the files as they are."""
        ...

    def commit(self, at: int, *, squash: bool) -> None:
        """Commit everything, or fold the last two commits into one."""
        ...


@dataclass
class Talk:
    """One session's transcript as its client writes it."""

    session: str
    path: Path
    cwd: str
    lines: list[str] = field(default_factory=list)
    parent: str | None = None

    def add(self, kind: str, message: dict[str, Any], at: int, **more: Any) -> str:
        number = len(self.lines) + 1
        uuid = f"{self.session[:8]}-{number:04x}-4000-8000-{number:012x}"
        line = {
            "type": kind,
            "uuid": uuid,
            "parentUuid": self.parent,
            "timestamp": iso(at),
            "sessionId": self.session,
            "cwd": self.cwd,
            "version": "2.1.197",
            "gitBranch": "main",
            "isSidechain": False,
            "message": message,
            **more,
        }
        self.parent = uuid
        self.lines.append(json.dumps(line))
        self.path.parent.mkdir(parents=True, exist_ok=True)
        self.path.write_text("".join(f"{one}\n" for one in self.lines), "utf-8")
        return uuid

    def prompt(self, text: str, at: int) -> None:
        self.add("user", {"role": "user", "content": text}, at)

    def tool(
        self,
        name: str,
        given: dict[str, Any],
        result: dict[str, Any] | str,
        at: int,
        *,
        failed: bool = False,
    ) -> None:
        call = f"toolu_{self.session[:8]}{len(self.lines):04d}"
        use = {"type": "tool_use", "id": call, "name": name, "input": given}
        self.add("assistant", {"role": "assistant", "id": call, "content": [use]}, at)
        block: dict[str, Any] = {
            "type": "tool_result",
            "tool_use_id": call,
            "content": "done",
        }
        if failed:
            block |= {"is_error": True, "content": "Exit code 1"}
        message = {"role": "user", "content": [block]}
        self.add("user", message, at + 2_000, toolUseResult=result)


@dataclass
class History:
    """A story as it is told; `lines` is the file as it is, with the truth of each line."""

    random: Random
    backend: Backend
    name: str = "src/engine.py"
    lines: Lines = field(default_factory=list)
    now: int = BEGAN
    talk: Talk | None = None
    asked: str = ""
    serial: int = 0
    committed: Lines = field(default_factory=list)
    committed_name: str = ""
    branches: dict[str, tuple[Lines, Lines]] = field(default_factory=dict)
    opaque: int = 0  # lines that a command made whose line does not tell what it writes

    @property
    def path(self) -> Path:
        return self.backend.root / self.name

    def tick(self, minutes: float = 1) -> None:
        self.now += int(minutes * MINUTE)

    def text(self) -> str:
        return "".join(f"{line.text}\n" for line in self.lines)

    def put(self, lines: Lines) -> None:
        self.lines = lines
        self.path.parent.mkdir(parents=True, exist_ok=True)
        self.path.write_text(self.text(), "utf-8")

    def new(self, by: str, count: int) -> Lines:
        made = []
        for _ in range(count):
            self.serial += 1
            text = f"    value_{self.serial} = compute({self.serial}, depth={self.serial % 7})"
            if self.random.random() < 0.12:
                # A person who types again what they took away leaves no trace of it.
                short = self.random.choice(_TRIVIAL)
                text = f"    # {self.serial}" if by == "user" else short
            made.append(Line(text, by, self.asked if by == "agent" else ""))
        return made

    def place(self, size: int) -> int:
        return self.random.randrange(0, max(1, len(self.lines) - size + 1))


# --- what an agent does -----------------------------------------------------------------


def _unique(history: History, start: int, end: int) -> tuple[int, int] | None:
    """Widen a block of lines until its text is in the file just once."""
    text = history.text()
    while True:
        old = "\n".join(line.text for line in history.lines[start:end])
        if old.strip() and text.count(old) == 1:
            return start, end
        if start == 0 and end == len(history.lines):
            return None
        start, end = max(0, start - 1), min(len(history.lines), end + 1)


def _tell_edit(
    history: History, old: str, new: str, *, everywhere: bool = False
) -> None:
    talk = history.talk
    assert talk is not None
    before = history.text() if history.random.random() < 0.85 else None
    result: dict[str, Any] = {
        "filePath": str(history.path),
        "oldString": old,
        "newString": new,
        "originalFile": before,
        "structuredPatch": [],
        "userModified": False,
        "replaceAll": everywhere,
    }
    given = {
        "file_path": str(history.path),
        "old_string": old,
        "new_string": new,
        "replace_all": everywhere,
    }
    talk.tool("Edit", given, result, history.now)


def agent_edits(history: History) -> None:
    """Insert, replace or delete a few lines with the client's own tool."""
    size = history.random.randint(0, 3)
    start = history.place(size)
    new = history.new("agent", history.random.randint(0 if size else 1, 5))
    olds = {line.text for line in history.lines[start : start + size]}
    new = [line for line in new if line.text not in olds]
    lo, hi = start, start + size
    wide = _unique(history, max(0, lo - 1), min(len(history.lines), hi + 1))
    if wide is None:
        return
    above, below = history.lines[wide[0] : lo], history.lines[hi : wide[1]]
    # A new line that equals its neighbour could be either of the two.
    edge = {line.text for line in (above[-1:] + below[:1])}
    new = [line for line in new if line.text not in edge]
    block = above + new + below
    old = "\n".join(line.text for line in history.lines[wide[0] : wide[1]])
    text = "\n".join(line.text for line in block)
    if not text or text == old:
        return
    _tell_edit(history, old, text)
    history.put(history.lines[: wide[0]] + block + history.lines[wide[1] :])


def agent_renames_a_word(history: History) -> None:
    """Replace a word everywhere."""
    word, other = f"depth={history.random.randrange(7)}", f"level={history.serial}"
    if word not in history.text():
        return
    _tell_edit(history, word, other, everywhere=True)
    history.put(
        [
            Line(line.text.replace(word, other), "agent", history.asked)
            if word in line.text
            else line
            for line in history.lines
        ]
    )


def agent_writes(history: History) -> None:
    """Write the whole file: most of it as it was."""
    talk = history.talk
    assert talk is not None
    before = history.text() if history.path.exists() else None
    kept = [line for line in history.lines if history.random.random() < 0.9]
    at = history.random.randrange(len(kept) + 1)
    gone = {line.text for line in history.lines} - {line.text for line in kept}
    new = history.new("agent", history.random.randint(1, 6))
    new = [line for line in new if line.text not in gone]
    lines = kept[:at] + new + kept[at:]
    content = "".join(f"{line.text}\n" for line in lines)
    result: dict[str, Any] = {
        "type": "create" if before is None else "update",
        "filePath": str(history.path),
        "content": content,
        "structuredPatch": [],
        "originalFile": before,
    }
    given = {"file_path": str(history.path), "content": content}
    talk.tool("Write", given, result, history.now)
    history.put(lines)


def agent_fails(history: History) -> None:
    """An edit that is refused changes nothing."""
    talk = history.talk
    assert talk is not None
    given = {"file_path": str(history.path), "old_string": "x", "new_string": "y"}
    talk.tool(
        "Edit", given, "Error: String to replace not found", history.now, failed=True
    )


def _run(history: History, command: str) -> None:
    talk = history.talk
    assert talk is not None
    result = {"stdout": "", "stderr": "", "interrupted": False}
    talk.tool("Bash", {"command": command}, result, history.now)


def agent_appends(history: History) -> None:
    """Put lines behind the file with the shell."""
    new = history.new("agent", history.random.randint(1, 3))
    text = "".join(f"{line.text}\n" for line in new)
    if history.random.random() < 0.5:
        _run(history, f"cat >> {history.name} <<'EOF'\n{text}EOF")
    else:
        parts = " && ".join(f"echo '{line.text}' >> {history.name}" for line in new)
        _run(history, parts)
    history.put(history.lines + new)


def agent_seds(history: History) -> None:
    """Change a word with sed."""
    words = ["compute", "value_1", "level=", f"value_{history.serial} "]
    word = history.random.choice(words)
    other = f"{word.strip('= ')}_{history.now % 97}" + ("=" if "=" in word else "")
    if word.endswith(" "):
        other += " "
    first_only = history.random.random() < 0.3
    _run(
        history, f"sed -i 's/{word}/{other}/{'' if first_only else 'g'}' {history.name}"
    )
    count = 1 if first_only else -1
    history.put(
        [
            Line(line.text.replace(word, other, count), "agent", history.asked)
            if word in line.text
            else line
            for line in history.lines
        ]
    )


def agent_looks(history: History) -> None:
    _run(history, history.random.choice(["ls -la", "git status", "git diff | head -5"]))


def agent_tests(history: History) -> None:
    """A command that might write anything, and does not."""
    _run(history, "python -m pytest -q")


def agent_scripts(history: History) -> None:
    """A program writes lines, and its command line says nothing of them."""
    _run(history, "python tools/generate.py")
    new = history.new("agent", 2)
    history.opaque += len(new)
    at = history.place(0)
    history.put(history.lines[:at] + new + history.lines[at:])


def _laid_out(history: History) -> None:
    """Lay some lines out anew: their blank space is another one."""
    lines: Lines = []
    for line in history.lines:
        draw = history.random.random()
        if draw < 0.2 and line.text.strip():
            lines.append(replace(line, text=f"  {line.text}"))
        elif draw < 0.3 and " = compute(" in line.text:
            head, _, tail = line.text.partition("(")
            lines += [
                replace(line, text=f"{head}("),
                replace(line, text=f"        {tail}"),
            ]
        else:
            lines.append(line)
    history.put(lines)


def agent_formats(history: History) -> None:
    _run(history, history.random.choice(["make format", f"black {history.name}"]))
    _laid_out(history)


def agent_moves(history: History) -> None:
    old, history.serial = history.name, history.serial + 1
    new = f"src/engine_{history.serial}.py"
    tool = history.random.choice(["mv", "git mv"])
    _run(history, f"{tool} {old} {new}")
    _move(history, new)


def agent_reverts(history: History) -> None:
    """Take back everything since the last commit."""
    if not history.committed or history.committed_name != history.name:
        return
    _run(history, f"git checkout -- {history.name}")
    history.put(list(history.committed))


# --- what a person does ------------------------------------------------------------------


def _move(history: History, new: str) -> None:
    text = history.path.read_text("utf-8") if history.path.exists() else ""
    if history.path.exists():
        history.path.unlink()
    history.name = new
    history.path.parent.mkdir(parents=True, exist_ok=True)
    history.path.write_text(text, "utf-8")


def hand_edits(history: History) -> None:
    size = history.random.randint(0, 2)
    start = history.place(size)
    new = history.new("user", history.random.randint(0 if size else 1, 3))
    # Whoever types what is there already leaves no trace of it.
    there = {line.text for line in history.lines}
    new = [line for line in new if line.text not in there]
    history.put(history.lines[:start] + new + history.lines[start + size :])


def hand_changes_a_word(history: History) -> None:
    """Change part of a line that somebody else made."""
    known = [n for n, line in enumerate(history.lines) if "compute" in line.text]
    if known:
        at = history.random.choice(known)
        text = history.lines[at].text.replace("compute", "computed_by_hand", 1)
        lines = list(history.lines)
        lines[at] = Line(text, "user")
        history.put(lines)


def hand_moves_lines(history: History) -> None:
    """Cut lines out and put them elsewhere: whoever made them did."""
    size = min(2, len(history.lines))
    start = history.place(size)
    cut = history.lines[start : start + size]
    rest = history.lines[:start] + history.lines[start + size :]
    at = history.random.randrange(len(rest) + 1)
    if at != start:
        history.put(rest[:at] + cut + rest[at:])


def person_formats(history: History) -> None:
    _laid_out(history)


def person_renames(history: History) -> None:
    history.serial += 1
    _move(history, f"src/engine_{history.serial}.py")


def person_commits(history: History) -> None:
    history.backend.commit(history.now, squash=history.random.random() < 0.3)
    history.committed, history.committed_name = list(history.lines), history.name


def person_reverts(history: History) -> None:
    if history.committed and history.committed_name == history.name:
        history.put(list(history.committed))


def person_branches(history: History) -> None:
    """Leave for another branch: the file there is as it was committed."""
    if (
        history.committed
        and history.committed_name == history.name
        and not history.branches
    ):
        history.branches["side"] = (list(history.lines), list(history.committed))
        history.put(list(history.committed))


def person_merges(history: History) -> None:
    """Bring the other branch home, where both changed other places."""
    if not history.branches:
        return
    theirs, base = history.branches.pop("side")
    merged = _merged(base, history.lines, theirs)
    if merged is not None and merged:
        history.put(merged)


def _merged(base: Lines, ours: Lines, theirs: Lines) -> Lines | None:
    """Merge by the identity of lines; None where both touched one place."""
    ids = {id(line): n for n, line in enumerate(base)}
    if len(ids) != len(base):
        return None
    mine, other = _around(ours, ids), _around(theirs, ids)
    merged: Lines = []
    for n in range(-1, len(base)):
        if mine[n][1] and other[n][1]:
            return None
        is_kept = mine[n][0] and other[n][0]
        if n >= 0 and is_kept:
            merged.append(base[n])
        elif n >= 0 and (mine[n][1] or other[n][1]) and not is_kept:
            return None
        merged += mine[n][1] or other[n][1]
    return merged


def _around(lines: Lines, ids: dict[int, int]) -> dict[int, tuple[bool, Lines]]:
    """Return of each line of the base whether it is kept, and what follows it now."""
    found: dict[int, tuple[bool, Lines]] = {n: (False, []) for n in ids.values()}
    found[-1] = (True, [])
    at = -1
    for line in lines:
        if id(line) in ids:
            at = ids[id(line)]
            found[at] = (True, found[at][1])
        else:
            found[at][1].append(line)
    return found


Act = Callable[[History], None]
AGENT: Sequence[tuple[Act, int]] = (
    (agent_edits, 12), (agent_renames_a_word, 1), (agent_writes, 3), (agent_fails, 1),
    (agent_appends, 2), (agent_seds, 1), (agent_looks, 2), (agent_tests, 1),
    (agent_scripts, 0), (agent_formats, 1), (agent_moves, 1), (agent_reverts, 1),
)  # fmt: skip
PERSON: Sequence[tuple[Act, int]] = (
    (hand_edits, 6), (hand_changes_a_word, 2), (hand_moves_lines, 1), (person_formats, 1),
    (person_renames, 1), (person_commits, 3), (person_reverts, 1), (person_branches, 1),
    (person_merges, 2),
)  # fmt: skip


def _choose(random: Random, acts: Sequence[tuple[Act, int]]) -> Act:
    return random.choices([a for a, _ in acts], [w for _, w in acts])[0]


def tell(seed: int, backend: Backend, *, opaque: bool = False) -> History:
    """Let a whole history happen; the same seed is the same history."""
    random = Random(seed)  # noqa: S311  # the same history for the same seed
    history = History(random, backend)
    agent = [*AGENT, (agent_scripts, 2)] if opaque else AGENT
    if random.random() < 0.5:
        history.put([replace(line, by="before") for line in history.new("user", 8)])
        if random.random() < 0.7:
            person_commits(history)
    for number in range(random.randint(2, 4)):
        _session(history, number, agent)
        history.tick(random.randint(5, 120))
        for _ in range(random.randint(0, 2)):
            _choose(random, PERSON)(history)
            history.tick(3)
            if random.random() < 0.2:
                _save(history)
    return history


def _session(history: History, number: int, acts: Sequence[tuple[Act, int]]) -> None:
    random = history.random
    session = f"{number + 1:08x}-0000-4000-8000-{random.randrange(16**12):012x}"
    path = history.backend.transcripts / f"{session}.jsonl"
    history.talk = Talk(session, path, str(history.backend.root))
    for turn in range(random.randint(1, 4)):
        history.asked = f"session {number} prompt {turn}: make it better"
        history.talk.prompt(history.asked, history.now)
        history.tick(0.2)
        if not history.path.exists():
            agent_writes(history)
        for _ in range(random.randint(1, 4)):
            _choose(random, acts)(history)
            history.tick(0.5)
            if random.random() < 0.08:
                hand_edits(history)  # while the agent works
        history.tick(random.randint(1, 10))
        if random.random() < 0.3:
            _save(history)
            history.tick(2)
        if random.random() < 0.3:
            _choose(random, PERSON)(history)
            history.tick(2)
    if random.random() < 0.85:
        _save(history)


def _save(history: History) -> None:
    if history.talk is not None:
        history.backend.save(history.talk.session, history.talk.path, history.now)
