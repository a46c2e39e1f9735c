"""T2, T6, T7, T12, T23, T25, T26 and T27: names, files, settings and programs of strangers."""

import json
import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from holdfast.agents.claude_code.wiring.permissions import COMMANDS
from holdfast.bootstrap import sync_process
from holdfast.kernel import ids
from holdfast.kernel.errors import NameInvalid
from tests.e2e.conftest import SAMPLE, SESSION, Cli
from tests.unit.snapshot.world import World

_ROOT = Path(__file__).parents[2]
_SECRET = "ghp_" + "Q7r8A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6"
_NAMES = [
    "../evil", "..", "/etc/passwd", "a/../../b", "evil\x00.md", "evil\n- [x] done", "%2e%2e/evil",
    "．．／evil", "x" * 300, "-rf", "--output=x", ".bashrc", "CON", "nul.md", "latest", "42",
    "ccp-1", "a\u202egpj", "\ud800", " ", "..%00", "C:\\evil", "~/.ssh/config",
]  # fmt: skip


@pytest.mark.parametrize("name", _NAMES)
def test_t06_no_name_leads_out_of_its_directory(
    cli: Cli, tmp_path: Path, name: str
) -> None:
    """A name becomes a file's name in the client's memory directory."""
    (tmp_path / "claude").mkdir()
    before = {path for path in tmp_path.rglob("*") if "home" not in path.parts}

    ran = cli("save", "--transcript", str(SAMPLE), f"--name={name}", "--json")

    made = {p for p in tmp_path.rglob("*") if "home" not in p.parts} - before
    files = [path for path in made if path.is_file()]
    assert ran.status in (0, 1, 2), ran
    assert {path.parent.name for path in files} <= {"memory"}
    assert all(path.name in ("MEMORY.md", path.name.lower()) for path in files)
    for path in files:
        assert "\n" not in path.name
        assert path.name == "MEMORY.md" or path.name.startswith("checkpoint-")


@pytest.mark.parametrize("name", _NAMES)
def test_t06_a_name_is_safe_or_refused(name: str) -> None:
    """A4: letters, digits, marks, `-`, `.` and `_`; no device, no beginning that hides."""
    try:
        clean = ids.name(name)
    except NameInvalid:
        return  # told to its user, by another test

    assert not set(clean) & set("/\\\x00\n\u202e~%")
    assert clean[0] not in "-."
    assert len(clean) <= 64
    assert ids.name(clean) == clean


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("[" * 100_000, id="deep lists"),
        pytest.param('{"a":' * 50_000, id="deep objects"),
        pytest.param('{"summary": ' + "9" * 5_000 + "}", id="a huge number"),
        pytest.param('{"summary": NaN}', id="not a number"),
        pytest.param('{"summary": 1e999}', id="infinity"),
        pytest.param('{"odd": [NaN]}', id="not a number, in a field nobody knows"),
        pytest.param('{"a": 1, "a": 2}', id="a name twice"),
        pytest.param("\ufeff{}", id="a mark before"),
        pytest.param('{"__proto__": {}}', id="a name of another language"),
    ],
)
@pytest.mark.parametrize(
    "door", ["notes", "hook", "project file", "settings", "transcript", "statusline"]
)
def test_t12_no_json_crashes_a_door(
    cli: Cli, tmp_path: Path, door: str, text: str
) -> None:
    """Each is bad input: told or passed over, never a bug."""
    place = tmp_path / "given"
    place.write_text(text, encoding="utf-8")
    stdin = text if door in ("hook", "statusline") else ""
    words = {
        "notes": ("save", "--transcript", str(SAMPLE), "--notes", str(place)),
        "hook": ("hook", "SessionStart"),
        "statusline": ("statusline",),
        "transcript": ("brief", str(place)),
    }.get(door, ("save", "--transcript", str(SAMPLE)))
    if door == "project file":
        place.rename(cli.project / ".holdfast.json")
    elif door == "settings":
        (tmp_path / "claude").mkdir()
        place.rename(tmp_path / "claude" / "settings.json")

    done = _run(cli, words, stdin)

    assert done.returncode in (0, 1), done
    assert "Traceback" not in done.stderr
    assert not list(cli.home.glob("log/bug-*"))


def test_t23_everything_of_ours_is_for_its_owner_whatever_the_umask(
    cli: Cli, tmp_path: Path
) -> None:
    """A store that others can read is a leak; SQLite alone would make it so."""
    (tmp_path / "claude").mkdir()
    before = os.umask(0)
    try:
        cli.save("--name", "api")
        hook = json.dumps({"session_id": SESSION, "cwd": str(cli.project)})
        for event in ("SessionStart", "Stop", "PreCompact"):
            _run(cli, ("hook", event), hook)
        _run(cli, ("hook", "Stop"), "{")
        cli("restore", "1")
        cli("install", "claude")
        cli("off")
    finally:
        os.umask(before)

    modes = {
        str(path.relative_to(cli.home)): stat.S_IMODE(path.lstat().st_mode)
        for path in [cli.home, *cli.home.rglob("*")]
    }
    assert len(modes) > 20
    assert {path: oct(mode) for path, mode in modes.items() if mode & 0o077} == {}


@pytest.mark.parametrize("branch", ["--output=owned", "-c core.pager=x", "--exec=x"])
def test_t25_a_branch_named_like_an_option_is_a_name(world: World, branch: str) -> None:
    """git itself refuses to make one; a repository's files can name it all the same."""
    repository = world.repository("options")
    commit = world.commit(repository, "a.txt", "a\n")
    (repository / ".git" / "HEAD").write_text(f"ref: refs/heads/{branch}\n")
    place = repository / ".git" / "refs" / "heads" / branch
    place.parent.mkdir(parents=True, exist_ok=True)
    place.write_text(f"{commit}\n")
    (repository / "--output=owned").write_text("b\n")
    looks = world.code()

    state = looks.state(str(repository))
    fate = looks.branch_fate(str(repository), branch)
    taken = world.take(repository)

    assert (state.branch, fate) == (branch, "merged")
    assert "--output=owned" in world.kept(taken)
    assert not list(world.root.rglob("owned"))


@pytest.mark.parametrize("reference", ["--output=x", "-c", "--", "HEAD; rm x", "@{u}"])
def test_t25_no_reference_becomes_an_option(cli: Cli, reference: str) -> None:
    """References are ours: none is ever handed to git."""
    cli.save()
    before = sorted(cli.project.iterdir())

    ran = [
        _run(cli, (command, *more, "--", reference), "")
        for command, more in (("show", ()), ("resume", ()), ("restore", ("--preview",)))
    ]

    assert {done.returncode for done in ran} == {12}
    assert sorted(cli.project.iterdir()) == before


@pytest.mark.parametrize(
    ("place", "runs"),
    [
        pytest.param("project/bin", False, id="in the project"),
        pytest.param("link", False, id="through a link into the project"),
        pytest.param("elsewhere", True, id="elsewhere"),
    ],
)
@pytest.mark.parametrize(
    ("launcher", "program"),
    [("hooks/launch", "holdfast-hook"), ("bin/holdfast", "holdfast")],
)
def test_t26_the_plugin_starts_no_program_of_the_project(
    tmp_path: Path, place: str, launcher: str, program: str, *, runs: bool
) -> None:
    """A repository can set `PATH` and `HOME` for what the client starts."""
    project, elsewhere = tmp_path / "project", tmp_path / "elsewhere"
    (project / "bin").mkdir(parents=True)
    elsewhere.mkdir()
    (tmp_path / "link").symlink_to(project / "bin")
    script = (tmp_path / place).resolve() / program
    script.write_text(f'#!/bin/sh\necho ran > "{tmp_path}/mark"\n')
    script.chmod(0o755)

    done = subprocess.run(
        [_ROOT / "plugin" / launcher, "SessionStart"],
        env={
            "PATH": f"{tmp_path / place}:{os.defpath}",
            "HOME": str(project),
            "CLAUDE_PROJECT_DIR": str(project),
        },
        cwd=project, input=b"{}", capture_output=True, check=False,
    )  # fmt: skip

    assert (tmp_path / "mark").exists() == runs
    assert (done.returncode == 0) == (runs or program == "holdfast-hook")


@pytest.mark.process
def test_t26_what_a_save_starts_heeds_no_module_of_the_project(tmp_path: Path) -> None:
    """A repository sets the environment of hooks; a hook starts the process that sends."""
    ran = tmp_path / "ran"
    code = f"open({str(ran)!r}, 'w').close()\n"
    for name in ("sitecustomize.py", "json.py", "holdfast/__init__.py"):
        path = tmp_path / "project" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(code)
    home, modules = str(tmp_path / "home"), str(tmp_path / "project")

    environ = {"HOME": home, "HOLDFAST_HOME": home, "PYTHONPATH": modules}
    sync_process._start(environ, 0)
    _, status = os.waitpid(sync_process.started.pop(), 0)

    assert not ran.exists()
    assert os.waitstatus_to_exitcode(status) == 0


def test_t26_a_project_cannot_switch_on_what_the_user_switched_off(
    cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its file and its variables speak after the user's file, and may only say less."""
    config = tmp_path / "config" / "holdfast"
    config.mkdir(parents=True)
    (config / "config.json").write_text('{"enabled": false}')
    (cli.project / ".holdfast.json").write_text('{"enabled": true}')
    monkeypatch.setenv("HOLDFAST_ENABLED", "true")

    ran = cli("save", "--transcript", str(SAMPLE), "--json")

    assert ran.json["type"] != "saved"
    assert not (cli.home / "holdfast.db").exists()


_GIVEN = {
    "title": ("save", "--transcript", str(SAMPLE), "--title", _SECRET),
    "tags": ("save", "--transcript", str(SAMPLE), "--tags", _SECRET),
    "name": ("save", "--transcript", str(SAMPLE), "--name", _SECRET),
    "key": ("save", "--transcript", str(SAMPLE), "--key", _SECRET),
    "session": ("save", "--session", _SECRET),
    "transcript": ("save", "--transcript", f"/nowhere/{_SECRET}.jsonl"),
    "notes": ("save", "--transcript", str(SAMPLE), "--notes", "-"),
    "reference": ("show", _SECRET),
    "query": ("search", _SECRET),
    "agent": ("save", "--transcript", str(SAMPLE), "--agent", _SECRET),
    "fact": ("memory", "facts", "add", f"the token is {_SECRET}"),
    "hook": ("hook", "Stop"),
    "wrong option": ("save", f"--{_SECRET}"),
}


@pytest.mark.parametrize("given", sorted(_GIVEN))
def test_t27_no_byte_of_a_secret_that_is_given_is_kept(cli: Cli, given: str) -> None:
    """Every word of a command, and what comes on stdin, is on disk without it."""
    stdin = {
        "notes": json.dumps({"summary": f"use {_SECRET}", _SECRET: [_SECRET]}),
        "hook": json.dumps(
            {
                "session_id": SESSION,
                "source": _SECRET,
                "reason": _SECRET,
                "model": _SECRET,
                "prompt": _SECRET,
                "last_assistant_message": _SECRET,
            }
        ),
    }

    done = _run(cli, _GIVEN[given], stdin.get(given, ""))

    assert done.returncode in (0, 1, 2, 3, 4, 10, 12), done
    everything = [*cli.home.rglob("*"), *cli.project.rglob("*")]
    found = [
        path
        for path in everything
        if _SECRET in path.name
        or (path.is_file() and _SECRET.encode() in path.read_bytes())
    ]
    assert found == []


def _run(
    cli: Cli, words: tuple[str, ...], stdin: str
) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        [sys.executable, "-m", "holdfast", "--project", str(cli.project), *words],
        input=stdin, capture_output=True, text=True, check=False,
    )  # fmt: skip


@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize("form", [["--store", "{}"], ["--store={}"]])
def test_t02_an_agent_reads_no_other_store_unasked(
    cli: Cli,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    command: str,
    form: list[str],
) -> None:
    """`holdfast show …` is allowed by its first words, whatever follows them."""
    cli.save("--title", "Ours")
    monkeypatch.setenv("HOLDFAST_HOME", str(tmp_path / "theirs"))
    cli.save("--title", "Theirs")
    monkeypatch.setenv("HOLDFAST_HOME", str(cli.home))
    named = [word.format(f"sqlite://{tmp_path / 'theirs'}") for word in form]
    what = {"list": [], "search": ["Theirs"]}.get(command, ["1"])

    by_user = cli(command, *what, *named)
    monkeypatch.setenv("CLAUDECODE", "1")
    unasked = cli(command, *what, *named)
    asked = cli(*named, command, *what)

    assert (by_user.status, asked.status) == (0, 0)
    assert "Theirs" in by_user.out
    assert "Theirs" in asked.out
    assert (unasked.status, unasked.out) == (2, "")
    assert f"holdfast --store URL {command}" in unasked.err


def test_t02_a_word_that_is_searched_for_names_no_store(
    cli: Cli, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What stands behind `--` is looked for."""
    cli.save("--title", "Ours")
    monkeypatch.setenv("CLAUDECODE", "1")

    assert cli("search", "Ours", "--", "--store").status == 0
