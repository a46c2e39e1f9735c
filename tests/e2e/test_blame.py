"""`blame` and `show --lines` as a user has them: real git, real snapshots, real transcripts."""

import json
import os
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from holdfast.app.checkpoints.drafting import SaveRequest
from holdfast.app.checkpoints.save import Saved, save
from holdfast.app.code.blame import blame, lines_of
from holdfast.bootstrap import Container
from holdfast.domain.file_history import Blame
from holdfast.kernel.ids import reference
from holdfast.surfaces.cli.main import run
from tests.blame_histories import History, tell
from tests.e2e.conftest import Cli, on_a_terminal
from tests.e2e.repository import commit_all, git
from tests.e2e.work import SESSION, Work
from tests.fakes import FixedClock
from tests.unit.agents import codex_lines as codex
from tests.unit.agents.codex_lines import Rollouts

_FIRST = "def begin(work):\n    return work.start()\n"
_HAND = "def by_hand():\n    return 42 + offset\n"
_MORE = "def finish(work):\n    return work.stop()\n"


@pytest.fixture
def work(cli: Cli) -> Work:
    """A file that two prompts and a person made."""
    work = Work(cli)
    work.asks("start the parser")
    work.edits("src/parser.py", _FIRST)
    first = work.saves("first")
    assert first["number"] == 1
    work.path("src/parser.py").write_text(_FIRST + _HAND)
    work.asks("now let it finish")
    work.saves("second")
    work.edits("src/parser.py", _FIRST + _HAND + _MORE)
    work.saves("third")
    return work


def _by(lines: Sequence[Any]) -> list[tuple[str, str | None]]:
    return [(line["by"], line["prompt"]) for line in lines]


@pytest.mark.usefixtures("work")
def test_each_line_names_the_prompt_that_made_it(cli: Cli) -> None:
    """The contract's fields; what a person typed is theirs."""
    found = cli("blame", "src/parser.py", "--json").json

    assert found["type"] == "blame"
    assert _by(found["lines"]) == [
        ("agent", "start the parser"),
        ("agent", "start the parser"),
        ("user", None),
        ("user", None),
        ("agent", "now let it finish"),
        ("agent", "now let it finish"),
    ]
    last = found["lines"][4]
    assert last["line"] == 5
    assert last["text"] == "def finish(work):"
    assert last["session_id"] == SESSION
    assert last["checkpoint"] == cli("show", "3", "--json").json["id"]
    assert last["commit"] is None
    assert last["open"] == "holdfast open 3"
    assert found["lines"][2]["checkpoint"] is None


def test_what_another_agent_wrote_is_not_called_yours(
    cli: Cli, work: Work, tmp_path: Path
) -> None:
    """What it did to files is not read: nobody is named, and no line of it is a guess."""
    theirs = "def rewind(work):\n    return work.back(offset)\n"
    place = work.path("src/parser.py")
    place.write_text(place.read_text() + theirs)
    added = "".join(f"+{line}\n" for line in theirs.splitlines())
    patch = f"*** Begin Patch\n*** Update File: {place}\n@@\n{added}*** End Patch"
    rollout = Rollouts(tmp_path / ".codex").write(
        codex.meta(cwd=str(work.root)), codex.typed("rewind it"), codex.patch(patch)
    )
    long_ago = rollout.read_text().replace("2026-11-18T", "2026-01-18T")
    rollout.write_text(long_ago)
    cli.save("--agent", "codex", transcript=rollout)

    lines = cli("blame", "src/parser.py", "--json").json["lines"]

    assert _by(lines)[-3:] == [
        ("agent", "now let it finish"),
        ("unknown", None),
        ("unknown", None),
    ]


def test_a_committed_line_says_its_commit(cli: Cli, work: Work) -> None:
    """As `git blame` has it, for the file as it is on disk."""
    commit = commit_all(work.root)
    place = work.path("src/parser.py")
    place.write_text("# a new head of it\n" + place.read_text())

    lines = cli("blame", "src/parser.py", "--json").json["lines"]

    assert [line["commit"] for line in lines] == [None, *[commit] * 6]


def test_what_was_typed_and_committed_by_hand_stays_the_users(
    cli: Cli, work: Work
) -> None:
    """A commit of what lay there brings nothing that was not typed before it."""
    place = work.path("src/parser.py")
    place.write_text(place.read_text() + "typed_by_hand = offset + 7\n")
    commit = commit_all(work.root)

    line = cli("blame", "src/parser.py:7", "--json").json["lines"][0]
    work.saves("and saved after it")
    saved = cli("blame", "src/parser.py:7", "--json").json["lines"][0]

    assert (line["by"], line["commit"]) == ("user", commit)
    assert (saved["by"], saved["commit"]) == ("user", commit)


def test_what_was_pulled_is_nobodys_here(cli: Cli, work: Work, tmp_path: Path) -> None:
    """Somebody else wrote it, and who that was is not known."""
    commit_all(work.root)
    there = tmp_path / "there"
    git(tmp_path, "clone", "-q", str(work.root), str(there))
    other = there / "src" / "parser.py"
    other.write_text(other.read_text() + "typed_elsewhere = offset + 7\n")
    commit_all(there)
    git(work.root, "pull", "-q", str(there), "main")

    line = cli("blame", "src/parser.py:7", "--json").json["lines"][0]

    assert line["by"] == "unknown"
    assert "a commit added it" in line["why"]


def test_each_commit_has_a_block_of_its_own(cli: Cli, work: Work) -> None:
    """One prompt's lines may come with several commits."""
    place = work.path("src/parser.py")
    whole = place.read_text()
    place.write_text("".join(whole.splitlines(keepends=True)[:5]))
    first = commit_all(work.root, "five lines")
    place.write_text(whole)
    second = commit_all(work.root, "all of it")

    told = cli("blame", "src/parser.py").out

    assert f'· {first[:7]}  ▸ "now let it finish"\n  5  def finish' in told
    assert f'· {second[:7]}  ▸ "now let it finish"\n  6      return' in told
    assert f"you · {first[:7]}\n  3  def by_hand" in told


@pytest.mark.usefixtures("work")
def test_people_read_blocks_below_their_prompts(cli: Cli) -> None:
    """A prompt is told once for all lines that it made in a row."""
    told = cli("blame", "src/parser.py").out

    assert re.sub(r"· \d+ months ago ·", "· long ago ·", told) == (
        'CHECKPOINT-00001 · long ago · 7670db3a  ▸ "start the parser"\n'
        "  1  def begin(work):\n"
        "  2      return work.start()\n"
        "\n"
        "you\n"
        "  3  def by_hand():\n"
        "  4      return 42 + offset\n"
        "\n"
        'CHECKPOINT-00003 · long ago · 7670db3a  ▸ "now let it finish"\n'
        "  5  def finish(work):\n"
        "  6      return work.stop()\n"
    )


@pytest.mark.usefixtures("work")
@pytest.mark.parametrize(
    "words",
    [["src/parser.py:5"], ["src/parser.py", "--line", "5"]],
    ids=["place", "line"],
)
def test_one_line_is_told_whole_with_the_way_back(cli: Cli, words: list[str]) -> None:
    """How to open that moment is a command that works if pasted."""
    told = cli("blame", *words).out

    assert told.startswith("src/parser.py:5  def finish(work):\n")
    assert '▸ "now let it finish"' in told
    assert f"session     {SESSION}\n" in told
    assert "checkpoint  CHECKPOINT-00003 third\n" in told
    assert "open        holdfast open 3 · holdfast show 3 --evidence\n" in told
    assert told.endswith("commit      not committed\n")


@pytest.mark.usefixtures("work")
def test_some_lines_are_those_that_were_asked_for(cli: Cli) -> None:
    found = cli("blame", "src/parser.py:2-3", "--json").json

    assert [line["line"] for line in found["lines"]] == [2, 3]


def test_a_checkpoint_tells_its_lines_of_today(cli: Cli, work: Work) -> None:
    """The same backwards, through a rename."""
    work.path("src/parser.py").rename(work.path("src/scanner.py"))
    work.path("src/scanner.py").write_text(
        "# new head of it\n" + _FIRST + _HAND + _MORE
    )

    told = cli("show", "3", "--lines").out
    found = cli("show", "3", "--lines", "--json").json["lines"]

    assert "Current lines that come from it: 2 in 1 file" in told
    assert 'src/scanner.py:6-7  ▸ "now let it finish"' in told
    assert [(f["path"], [line["line"] for line in f["lines"]]) for f in found] == [
        ("src/scanner.py", [6, 7])
    ]
    assert "text" not in found[0]["lines"][0]
    assert "no line of the current files" in cli("show", "2", "--lines").out
    assert "lines" not in cli("show", "3", "--json").json


def test_a_command_of_the_shell_is_told_with_its_prompt(cli: Cli, work: Work) -> None:
    """Between two snapshots, and its line says what it wrote."""
    work.asks("rename the start")
    work.runs("sed -i 's/def begin/def start_it/' src/parser.py", "")
    place = work.path("src/parser.py")
    place.write_text(place.read_text().replace("def begin", "def start_it"))
    work.saves("fourth")

    line = cli("blame", "src/parser.py:1", "--json").json["lines"][0]

    assert (line["by"], line["prompt"]) == ("agent", "rename the start")
    assert line["command"].startswith("sed -i")
    assert "`sed -i" in cli("blame", "src/parser.py").out


def test_a_command_that_does_not_tell_what_it_wrote_makes_no_line_its_own(
    cli: Cli, work: Work
) -> None:
    """Unknown, with the command beside it: somebody may have typed meanwhile."""
    work.asks("generate the table")
    work.runs("python tools/generate.py > src/parser.py", "")
    place = work.path("src/parser.py")
    place.write_text(place.read_text() + "table = generated_by_a_script(1)\n")
    work.saves("fourth")

    line = cli("blame", "src/parser.py:7", "--json").json["lines"][0]

    assert (line["by"], line["prompt"], line["checkpoint"]) == ("unknown", None, None)
    assert "commands of an agent ran" in line["why"]
    told = cli("blame", "src/parser.py:7").out
    assert "meanwhile   `python tools/generate.py > src/parser.py`" in told


def test_without_its_transcript_a_session_names_nobody_wrongly(
    cli: Cli, work: Work
) -> None:
    """Clients delete transcripts after a month; what is not known is said."""
    transcript = cli.home.parent / f"{SESSION}.jsonl"
    transcript.unlink()

    found = cli("blame", "src/parser.py", "--json").json

    assert work.path("src/parser.py").exists()
    assert {by for by, _ in _by(found["lines"])} <= {"unknown", "agent"}


def _refused(cli: Cli, *words: str) -> str:
    ran = cli("blame", *words)
    assert ran.status in (1, 2)
    assert ran.out == ""
    assert "hint: " in ran.err
    return ran.err


def test_what_cannot_be_told_is_a_sentence_with_what_to_do(
    cli: Cli, work: Work, tmp_path: Path
) -> None:
    """Every case of a file that has no lines to tell of."""
    root = work.root
    (root / "binary.bin").write_bytes(b"\0\1\2")
    (root / "link.py").symlink_to("src/parser.py")
    (root / "way").symlink_to("src")
    (tmp_path / "outside.py").write_text("x\n")
    (root / "gone.py").write_text("x = 1\n")
    work.asks("keep it")
    work.saves("with it")
    (root / "gone.py").unlink()

    assert "there is no file `no/such.py` here" in _refused(cli, "no/such.py")
    assert "no longer exists; CHECKPOINT-00004 has it" in _refused(cli, "gone.py")
    assert "holdfast restore 4 --into DIR" in _refused(cli, "gone.py")
    assert "is not a text file" in _refused(cli, "binary.bin")
    assert "is a symbolic link" in _refused(cli, "link.py")
    assert "is a symbolic link" in _refused(cli, "way/parser.py")
    assert "is not a file" in _refused(cli, ".")
    assert "is not a regular file" in _refused(cli, "src")
    assert "is outside the worktree" in _refused(cli, "../outside.py")
    assert "has no line 99: it ends at 6" in _refused(cli, "src/parser.py:99")
    assert "has no line 99" in _refused(cli, "src/parser.py:1-99")
    assert "is not a line" in _refused(cli, "src/parser.py:3-1")
    assert "is not a line" in _refused(cli, "src/parser.py:0")
    assert cli("blame", "src/parser.py", "--line", "x").status == 2


def test_without_a_store_it_is_said_so(cli: Cli) -> None:
    (cli.project / "a.py").write_text("x = 1\n")

    ran = cli("blame", "a.py")

    assert ran.status == 10
    assert "hint: " in ran.err


@pytest.mark.usefixtures("work")
def test_without_a_checkpoint_of_the_project_every_line_is_unknown(
    cli: Cli, tmp_path: Path
) -> None:
    """Another project's checkpoints tell nothing here."""
    other = tmp_path / "other"
    other.mkdir()
    (other / "a.py").write_text("x = 1\n")
    here = Cli(cli.home, other, cli.capsys)

    ran = here("blame", "a.py")

    assert ran.status == 0
    assert ran.out.startswith("unknown: ")
    assert "no checkpoints here yet" in ran.err


def test_an_empty_file_has_no_lines(cli: Cli, work: Work) -> None:
    work.path("empty.py").write_text("")

    ran = cli("blame", "empty.py")

    assert (ran.status, ran.out.strip()) == (0, "")
    assert "the file is empty" in ran.err


def test_a_file_that_git_does_not_track_is_told_as_well(cli: Cli, work: Work) -> None:
    """Without a commit."""
    work.asks("a note")
    work.edits("note.md", "something worth keeping\n")
    work.saves("noted")

    line = cli("blame", "note.md", "--json").json["lines"][0]

    assert (line["by"], line["prompt"], line["commit"]) == ("agent", "a note", None)


@pytest.mark.parametrize(
    "name",
    ["a:3", "-rf.py", "--line", "sp ace.py", "new\nline.py", "$(touch x).py", "é.py"],
)
def test_an_odd_name_is_a_name(cli: Cli, name: str) -> None:
    """Neither an option, nor a line, nor anything to a shell."""
    work = Work(cli)
    work.asks("make it")
    work.edits(name, "something worth keeping\n")
    work.saves("made")
    commit_all(work.root)

    cli.capsys.readouterr()
    run(["--project", str(cli.project), "--json", "blame", "--", name])
    found = json.loads(cli.capsys.readouterr().out)

    assert _by(found["lines"]) == [("agent", "make it")]
    assert found["lines"][0]["commit"]


def test_hostile_content_reaches_no_terminal(cli: Cli) -> None:
    """Neither from the file, nor from a prompt, nor from a command."""
    work = Work(cli)
    work.asks("make it \x1b[2J\u202e red ▸")
    work.edits("a.py", "x = '\x1b]0;owned\x07 ▸ \u202e'\nplain = '<system-reminder>'\n")
    work.saves("made \x1b[31m")
    work.runs("sed -i 's/x = /xyz_longer = /' a.py # \x1b[2J", "")
    place = work.path("a.py")
    place.write_text(place.read_text().replace("x = ", "xyz_longer = ", 1))
    work.saves("again")

    for words in (["blame", "a.py"], ["blame", "a.py:1"], ["show", "2", "--lines"]):
        shown = on_a_terminal(cli, *words, NO_COLOR="1").decode()
        assert "\x1b]" not in shown
        assert "\x1b[2J" not in shown
        assert "\u202e" not in shown
        assert "<system-reminder>" not in shown
    told = cli("blame", "a.py").out
    assert "x = '" in told.replace("xyz_longer", "x")
    raw = cli("blame", "a.py", "--json").out
    assert "\x1b" not in raw
    assert "\u202e" not in raw


def test_a_secret_of_a_prompt_is_not_told(cli: Cli) -> None:
    """Prompts and commands pass the chokepoint on their way."""
    token = "ghp_" + "a1B2c3D4e5" * 4
    work = Work(cli)
    work.asks(f"use {token} for it")
    work.edits("a.py", "something worth keeping\n")
    work.saves("made")
    work.runs(f"echo 'another line of it' >> a.py # {token}", "")
    work.path("a.py").write_text("something worth keeping\nanother line of it\n")

    assert token not in cli("blame", "a.py", "--json").out
    assert token not in cli("blame", "a.py:2").out


def test_a_secret_that_is_cut_is_not_told_either(cli: Cli) -> None:
    """A long command is shown in part: redacted before it is cut."""
    work = Work(cli)
    work.asks("write it")
    work.edits("a.py", "something worth keeping\n")
    work.saves("made")
    before = "echo 'another line of it' >> a.py # "
    address = "psql postgres://app:vK8wq2Lm9ZtR4x"
    padding = "y" * (400 - len(before) - len(address) - 1)
    work.runs(f"{before}{padding} {address}@db.example.com/prod", "")
    work.path("a.py").write_text("something worth keeping\nanother line of it\n")
    work.saves("more")

    told = cli("blame", "a.py", "--json")

    assert "another line of it' >> a.py" in told.out
    assert "vK8wq2Lm9ZtR4x" not in told.out
    assert "vK8wq2Lm9ZtR4x" not in cli("show", "2", "--lines", "--json").out


@pytest.mark.usefixtures("work")
def test_a_lost_snapshot_is_said_and_the_rest_is_told(cli: Cli) -> None:
    """Edits alone still tell most of it."""
    packs = (cli.home / "git" / "snapshots" / "objects" / "pack").glob("*.pack")
    for pack in packs:
        pack.chmod(0o600)
        pack.write_bytes(b"broken")

    ran = cli("blame", "src/parser.py")

    assert ran.status == 0
    assert "could not be read: run `holdfast doctor`" in ran.err
    assert '▸ "now let it finish"' in ran.out


@dataclass
class RealHistory:
    """A history in a real repository; the clock is the history's own."""

    root: Path
    transcripts: Path
    environ: dict[str, str]
    keys: list[str] = field(default_factory=list)
    last: int = 0
    commits: int = 0

    def _container(self, at: int) -> Container:
        return Container(
            environ=self.environ, project=str(self.root), clock=FixedClock(at)
        )

    def save(self, session: str, transcript: Path, at: int) -> None:
        container = self._container(at)
        self.keys.append(f"key-{len(self.keys)}")
        request = SaveRequest(
            session_id=session,
            transcript=str(transcript),
            directory=str(self.root),
            key=self.keys[-1],
            title=f"at {at}",
        )
        saved = save(request, container.ports(create=True))
        container.close()
        assert isinstance(saved, Saved)
        assert saved.checkpoint.draft.code.tree
        self.last = at

    def commit(self, at: int, *, squash: bool) -> None:
        git(self.root, "add", "-A")
        if squash and self.commits > 1:
            git(self.root, "reset", "-q", "--soft", "HEAD~1")
        git(self.root, "commit", "-q", "--allow-empty", "-m", f"work at {at}")
        self.commits += 0 if squash and self.commits > 1 else 1

    def blame(self, history: History) -> tuple[Blame, int]:
        """Ask for the file, and for the lines of the checkpoint that it names most."""
        container = self._container(max(self.last, history.now) + 3_600_000)
        ports, caller = container.ports(create=True), container.caller()
        found = blame(history.name, caller, ports)
        named = [line.checkpoint for line in found.lines if line.origin.by == "agent"]
        numbers = [checkpoint.number for checkpoint in named if checkpoint]
        backwards = 0
        for number in sorted(set(numbers))[:1]:
            own = lines_of(reference(str(number)), caller, ports)
            told = [f for f in own.files if f.path == history.name]
            assert len(told) <= 1
            backwards = sum(len(file.lines) for file in told)
            assert backwards in (0, numbers.count(number))
        container.close()
        return found, backwards


def _judge(place: Path, seed: int) -> tuple[int, int, list[str]]:
    """Return how many lines agents made, how many were found, and the wrong answers."""
    root = place / "project"
    root.mkdir(parents=True)
    git(root, "init", "-q", "-b", "main", ".")
    claude = place / "claude"
    slug = re.sub(r"[^a-zA-Z0-9]", "-", str(root))
    environ = {
        **os.environ,
        "HOLDFAST_HOME": str(place / "home"),
        "XDG_CONFIG_HOME": str(place / "config"),
        "CLAUDE_CONFIG_DIR": str(claude),
    }
    backend = RealHistory(root, claude / "projects" / slug, environ)
    history = tell(seed, backend)
    if not history.path.exists() or not backend.keys:
        return 0, 0, []
    found, _ = backend.blame(history)
    made = right = 0
    wrong: list[str] = []
    for answer, truth in zip(found.lines, history.lines, strict=True):
        origin = answer.origin
        prompt = origin.step.prompt.text if origin.step else ""
        said = (origin.by, prompt if origin.by == "agent" else "")
        made += truth.by == "agent"
        right += said == ("agent", truth.prompt)
        if origin.by != "unknown" and said != (truth.by, truth.prompt):
            wrong.append(f"seed {seed} line {answer.number}: {answer.text}")
    return made, right, wrong


@pytest.mark.timeout(300)  # a busy machine needs a minute
def test_real_histories_give_no_line_to_the_wrong_prompt(tmp_path: Path) -> None:
    """With git's own commits and our own snapshots."""
    judged = [_judge(tmp_path / str(seed), seed) for seed in range(8)]

    assert [line for _, _, wrong in judged for line in wrong] == []
    assert sum(right for _, right, _ in judged) > 0


@pytest.mark.slow
@pytest.mark.timeout(3600)
def test_many_real_histories_give_no_line_to_the_wrong_prompt(tmp_path: Path) -> None:
    """The same, at length: few lines are unknown."""
    judged = [_judge(tmp_path / str(seed), seed) for seed in range(220)]

    assert [line for _, _, wrong in judged for line in wrong] == []
    made = sum(count for count, _, _ in judged)
    assert sum(right for _, right, _ in judged) >= 0.95 * made
