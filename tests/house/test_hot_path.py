"""What starts fast stays fast: the imports of the hot entry points, without a clock."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

import pytest

from holdfast.language.languages import BY_LETTERS
from tests.waiting import until_carried_out

_LIST_MODULES = "; import sys; print(*sorted(sys.modules))"
# Modules that cost more than the event they would serve (docs/concepts/speed.md).
_HEAVY = {
    "apsw",
    "argparse",
    "asyncio",
    "dataclasses",
    "hashlib",
    "json",
    "logging",
    "msgspec",
    "pathlib",
    "re",
    "rich",
    "sqlite3",
    "subprocess",
    "tempfile",
    "typing",
    "uuid",
}


def _modules_after(code: str) -> set[str]:
    done = subprocess.run(
        [sys.executable, "-I", "-c", code + _LIST_MODULES],
        capture_output=True,
        text=True,
        check=True,
    )
    return set(done.stdout.splitlines()[-1].split())


@pytest.mark.parametrize(
    "code",
    [
        pytest.param(
            "import os; os.environ['HOLDFAST_DISABLE'] = '1';"
            "from holdfast.surfaces.hooks.main import answered; answered(['Stop'])",
            id="a hook that is switched off",
        ),
        pytest.param(
            "from holdfast.surfaces.hooks.main import answered; answered(['PreToolUse'])",
            id="a hook for an unknown event",
        ),
        pytest.param(
            "from holdfast.surfaces.hooks.main import is_idle;"
            'assert is_idle("Stop", b\'{"session_id":"x","agent_id":"ab5a"}\')',
            id="a hook of a sub-agent",
        ),
        pytest.param(
            "from holdfast.surfaces.hooks.main import is_idle;"
            'assert is_idle("UserPromptSubmit", b\'{"session_id":"x","prompt":"hi"}\')',
            id="a prompt that nothing is pending for",
        ),
        pytest.param(
            "from holdfast.surfaces.hooks.main import is_idle; raw ="
            ' \'{"session_id":"x","prompt":"%s"}\';'
            "assert is_idle('UserPromptSubmit', (raw % 'fix the tests').encode());"
            "assert not is_idle('UserPromptSubmit', (raw % 'ทำต่อ').encode());"
            "assert not is_idle('UserPromptSubmit', (raw % 'continue 42').encode())",
            id="a prompt that is held against explicit words",
        ),
        pytest.param(
            "import sys; sys.argv = ['holdfast', '--version'];"
            "from holdfast.surfaces.cli.main import main; main()",
            id="holdfast --version",
        ),
    ],
)
@pytest.mark.process
def test_imports_nothing_heavy(code: str) -> None:
    """Each of these is paid at every start; a bare interpreter is the floor."""
    already = _modules_after("pass")

    loaded = _modules_after(code) - already

    assert loaded & _HEAVY == set()
    assert all(name.startswith("holdfast") or "." not in name for name in loaded)


@pytest.mark.process
def test_an_idle_hook_exits_0_whatever_it_is_asked() -> None:
    """Exit status 2 means "block" to the agent and must never happen by accident."""
    for words in ([], ["SessionStart"], ["--help"], ["no such event", "--x=1"]):
        call = "from holdfast.surfaces.hooks.main import main; main()"

        done = subprocess.run(
            [sys.executable, "-c", call, *words], capture_output=True, check=False
        )

        assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")


def test_only_a_key_of_the_input_itself_makes_a_sub_agent() -> None:
    """A prompt may speak of `agent_id`, and a task list may hold one."""
    from holdfast.surfaces.hooks.main import is_idle  # noqa: PLC0415  # the subject

    for raw in (
        b'{"session_id":"x","prompt":"agent_id"}',
        b'{"session_id":"x","prompt":"\\"agent_id\\": 1"}',
        b'{"session_id":"x","background_tasks":[{"agent_id":"y"}]}',
    ):
        assert not is_idle("Stop", raw)


@pytest.mark.process
def test_the_bulk_decoder_is_not_loaded_by_the_hook_path() -> None:
    """msgspec costs 45 ms to import; hooks read with the standard library."""
    loaded = _modules_after("import holdfast.agents.claude_code.transcript.transcripts")

    assert "msgspec" not in loaded
    assert "rich" not in loaded


_FIXTURES = Path(__file__).parents[1] / "fixtures" / "transcripts"
_OLD = "7670db3a-2057-406a-a109-afcedef1cb97"
_CLEARED_TO = "11111111-2057-406a-a109-afcedef1cb97"
_STARTED = "22222222-2057-406a-a109-afcedef1cb97"
_ANSWER = (
    "import sys; from holdfast.surfaces.hooks.main import answered;"
    "answered(sys.argv[1:]); sys.stdout.write(chr(10) + ' '.join(sys.modules))"
)
# Each costs a hook more than a millisecond, and none needs one.
_NEVER = {
    "argparse",
    "asyncio",
    "dataclasses",
    "hashlib",
    "importlib",
    "inspect",
    "logging",
    "msgspec",
    "pathlib",
    "rich",
    "socket",
    "sqlite3",
    "subprocess",
    "tempfile",
    "threading",
    "uuid",
}


# A hook of Claude Code knows no other agent.
_OTHER_AGENTS = {
    f"agents.{agent}" for agent in ("codex", "gemini", "copilot", "opencode", "pi")
}
_OUTBOX = "holdfast.store.sqlite.write.outbox"
# Threads are not among it: who waits for the process of the save before has one.
_SENDING = (
    "holdfast.mirrors", "holdfast.bootstrap.mirrors", "holdfast.app.sharing",
    "holdfast.reports", "http", "socket", "ssl", "urllib",
)  # fmt: skip


class _Answered(NamedTuple):
    said: str
    loaded: frozenset[str]


class _Client:
    """Starts hooks as an agent does, and sees what each of them imported."""

    def __init__(self, root: Path) -> None:
        self._project = root / "project"
        self._project.mkdir(parents=True)
        self._transcripts = root / "claude" / "projects" / "-p"
        self._transcripts.mkdir(parents=True)
        self._home = root / "home"
        self._environ = {
            "PATH": os.environ["PATH"],
            "HOME": str(root / "user"),
            "HOLDFAST_HOME": str(self._home),
            "CLAUDE_CONFIG_DIR": str(root / "claude"),
            "CLAUDE_CODE_ENTRYPOINT": "cli",
        }

    def writes(self, part: str) -> None:
        with (self._transcripts / f"{_OLD}.jsonl").open("ab") as file:
            lines = (_FIXTURES / part).read_bytes()
            file.write(lines.replace(b"/home/me/proj", str(self._project).encode()))

    def hook(self, event: str, session: str, **more: str) -> _Answered:
        given = {
            "session_id": session,
            "transcript_path": str(self._transcripts / f"{session}.jsonl"),
            "cwd": str(self._project),
            **more,
        }
        done = subprocess.run(
            [sys.executable, "-E", "-P", "-c", _ANSWER, event],
            input=json.dumps(given),
            env=self._environ,
            capture_output=True,
            text=True,
            check=True,
        )
        until_carried_out(self._home)  # the start is judged, not who is faster
        said, _, modules = done.stdout.rpartition("\n")
        return _Answered(said, frozenset(modules.split()))


@pytest.fixture(scope="module")
def answers(tmp_path_factory: pytest.TempPathFactory) -> dict[str, _Answered]:
    """A day with an agent: what each event said, and what it imported for that."""
    client = _Client(tmp_path_factory.mktemp("day"))
    client.hook("SessionStart", _OLD, source="startup")
    client.writes("full-session-part1.jsonl")
    client.hook("Stop", _OLD)
    client.writes("full-session-part2.jsonl")
    return {
        "Stop": client.hook("Stop", _OLD, last_assistant_message="done"),
        "PreCompact": _compacted_again(tmp_path_factory.mktemp("compacting")),
        "SessionEnd": client.hook("SessionEnd", _OLD, reason="clear"),
        "clear": client.hook("SessionStart", _CLEARED_TO, source="clear"),
        "startup": client.hook("SessionStart", _STARTED, source="startup"),
        "first prompt": client.hook("UserPromptSubmit", _STARTED, prompt="continue"),
    }


def _compacted_again(root: Path, mirrors: str = "[]") -> _Answered:
    """A second compaction: the first one wrote the code, for which git is talked to."""
    client = _Client(root)
    settings = root / "user" / ".config" / "holdfast" / "config.json"
    settings.parent.mkdir(parents=True)
    settings.write_text(f'{{"mirrors": {mirrors}}}', encoding="utf-8")
    client.hook("SessionStart", _OLD, source="startup")
    client.writes("full-session-part1.jsonl")
    client.hook("PreCompact", _OLD, trigger="manual")
    client.writes("full-session-part2.jsonl")
    return client.hook("PreCompact", _OLD, trigger="manual")


@pytest.mark.parametrize(
    ("event", "needs", "never"),
    [
        pytest.param(
            "Stop",
            {"session.fold", "store.sqlite.write.folds", "redaction.redactor"},
            {
                "facts.content", "facts.work.inheritance", "search.tokeniser",
                "domain.brief", "start.decision", "store.port", "store.hook_port", "data_directory.port", "brief", "reports",
                "snapshot.git.code", "store.sqlite.finding", "store.sqlite.write.insert_checkpoint",
                "store.sqlite.search.searching", "store.index_terms", "kernel.streams",
                "surfaces.hooks.detach", "unicodedata",
            },
            id="Stop reads what is new, folds and keeps it, and judges nothing",
        ),
        pytest.param(
            "PreCompact",
            {"facts.content", "brief.brief", "store.index_terms", "snapshot.take.snapshots"},
            {
                "facts.work.inheritance", "facts.statements.kept_notes", "facts.statements.notes",
                "brief.lost_in_summary", "brief.card", "start", "store.port", "store.hook_port",
                "agents.port", "data_directory.port", "snapshot.port", "snapshot.restore", "reports",
                "search.query", "search.suggesting", "store.quarantine", "store.sqlite.search.searching",
                "base64", "datetime", "heapq", "shlex", "shutil",
            },
            id="PreCompact saves: what only some sessions have is not imported",
        ),
        pytest.param(
            "SessionEnd",
            {"data_directory.requests", "surfaces.hooks.detach"},
            {"facts", "session", "redaction", "store.port", "store.hook_port", "data_directory.port", "brief", "reports", "snapshot.git.code", "store.sqlite", "agents"},
            id="SessionEnd writes a request; the save has a process of its own",
        ),
        pytest.param(
            "clear",
            {"agents.claude_code.wiring.screen_mode", "start.decision", "brief.card"},
            {"facts", "session.fold", "redaction", "store.port", "store.hook_port", "data_directory.port", "store.sqlite.write.insert_checkpoint", "agents.claude_code.transcript.reading"},
            id="a start after a clear tells a stored checkpoint and reads no transcript",
        ),
        pytest.param(
            "startup",
            {"start.decision", "brief.card"},
            {
                "agents.claude_code.wiring", "facts", "session.fold", "redaction", "store.port", "store.hook_port", "data_directory.port", "brief.brief", "store.sqlite.write.insert_checkpoint",
            },
            id="a start with a card needs no brief",
        ),
        pytest.param(
            "first prompt",
            {"start.explicit", "brief.brief"},
            {"agents.claude_code.wiring", "facts", "session.fold", "redaction", "store.port", "store.hook_port", "data_directory.port", "store.sqlite.write.insert_checkpoint", "agents.claude_code.transcript.reading"},
            id="a first prompt tells a stored checkpoint and reads no transcript",
        ),
    ],
)  # fmt: skip
@pytest.mark.process
def test_an_event_imports_only_what_it_needs(
    answers: dict[str, _Answered], event: str, needs: set[str], never: set[str]
) -> None:
    """Half of what a hook costs is imports: docs/concepts/speed.md."""
    loaded = {name.removeprefix("holdfast.") for name in answers[event].loaded}

    assert needs <= loaded
    assert loaded & (never | _NEVER | _OTHER_AGENTS) == set()


@pytest.mark.process
def test_the_events_of_that_day_did_their_work(answers: dict[str, _Answered]) -> None:
    """Importing little is no merit where nothing was done."""
    assert "CHECKPOINT-00001" in answers["clear"].said
    assert "earlier session" in answers["startup"].said
    assert "Resuming CHECKPOINT-" in answers["first prompt"].said


@pytest.mark.process
def test_a_save_by_hand_imports_what_a_hook_does_and_its_words(tmp_path: Path) -> None:
    """What few saves ask for, and what reads in bulk, is imported when it is asked for."""
    code = (
        "import sys; sys.argv = ['holdfast', 'save', '--transcript', sys.argv[1]];"
        "from holdfast.surfaces.cli.main import main; main(); print(*sys.modules)"
    )
    transcript = _FIXTURES / "full-session-part1.jsonl"
    environ = {"PATH": os.environ["PATH"], "HOME": str(tmp_path)}

    first, again = (
        subprocess.run(
            [sys.executable, "-E", "-P", "-c", code, str(transcript)],
            cwd=tmp_path,
            env=environ,
            capture_output=True,
            text=True,
            check=True,
        )
        for _ in range(2)  # the first one makes the store
    )

    said, _, modules = again.stdout.rstrip("\n").rpartition("\n")
    loaded = {name.removeprefix("holdfast.") for name in modules.split()}
    assert "Checkpoint saved" in first.stdout
    assert "nothing new" in said
    assert loaded & {
        "app.json_answers", "app.notes", "base64", "datetime", "difflib",
        "facts.statements.kept_notes", "facts.work.inheritance",
        "heapq", "msgspec", "project_notes", "rich", "shlex", "shutil", "store.port",
    } == set()  # fmt: skip


@pytest.mark.process
def test_commands_that_save_compile_no_expression_before_they_need_it() -> None:
    """A hundred expressions of the analysis took 80 ms of every `holdfast save`."""
    code = (
        "import json, re; compiled = []; real = re._compiler.compile;"
        "re._compiler.compile = lambda *a: compiled.append(a[0]) or real(*a);"
        "import holdfast.app.checkpoints.save, holdfast.facts.content;"
        "assert not compiled, compiled"
    )

    assert "holdfast.facts.content" in _modules_after(code)


@pytest.mark.process
@pytest.mark.parametrize(
    ("sentence", "loads"),
    [
        pytest.param("Never push to main.", set(), id="English"),
        pytest.param("Ne touche pas à la table.", {"vi"}, id="accents"),
        pytest.param("Не трогай ветку main.", {"ru"}, id="Cyrillic"),
        pytest.param("반드시 테스트를 실행하세요.", {"ko"}, id="Hangul"),
        pytest.param("必须先写测试", {"zh", "ja"}, id="Han"),
    ],
)
def test_a_text_loads_the_languages_whose_script_it_shows(
    sentence: str, loads: set[str]
) -> None:
    """Eleven languages are no dearer than the one that is spoken."""
    code = f"from holdfast.facts.requests.rules import is_rule; is_rule({sentence!r})"
    others = {f"holdfast.language.{each}" for each in BY_LETTERS}

    loaded = _modules_after(code) & others

    assert loaded == {f"holdfast.language.{each}" for each in loads}


@pytest.mark.parametrize(
    ("written", "instead", "where"),
    [
        pytest.param(
            r"^\s*(?:from|import) dataclasses",
            "holdfast.kernel.lazy_values",
            {"lazy_values.py"},
            id="dataclasses",
        ),
        pytest.param(
            r"^from typing import .*\bNamedTuple\b",
            "holdfast.kernel.lazy_tuples",
            set(),
            id="named tuples",
        ),
        pytest.param(
            r"\bre\.compile\(",
            "holdfast.kernel.lazy_patterns",
            # What a user wrote is neither late nor kept for another process.
            {"kept_code.py", "redactor.py", "config_files.py"},
            id="expressions",
        ),
        pytest.param(
            r"^(?:from|import) hashlib",
            "holdfast.kernel.digests",
            set(),
            id="kernel.digests",
        ),
    ],
)
def test_what_is_dear_to_define_is_defined_the_cheap_way(
    written: str, instead: str, where: set[str]
) -> None:
    """A module that nobody thinks of as hot is imported by one that is."""
    found = {
        path.name
        for path in (Path(__file__).parents[2] / "src").rglob("*.py")
        if re.search(written, path.read_text(encoding="utf-8"), re.MULTILINE)
    }

    assert found == where, f"use {instead}"


@pytest.mark.process
def test_a_save_with_mirrors_imports_nothing_that_sends(tmp_path: Path) -> None:
    """It asks the store who is followed, and starts the process that does the rest."""
    nobody = "http://127.0.0.1:9/mcp"
    both = [{"kind": "claude-mem", "url": nobody}, {"kind": "memora", "url": nobody}]

    answered = _compacted_again(tmp_path, json.dumps(both))

    assert {"holdfast.bootstrap.sync_process", _OUTBOX} <= answered.loaded
    assert not [name for name in answered.loaded if name.startswith(_SENDING)]
