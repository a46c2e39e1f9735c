"""Many processes save by name at once: every file and every entry is there."""

import os
import re
import subprocess
import sys
from contextlib import ExitStack
from pathlib import Path

import pytest

from holdfast.domain.query import Scope
from holdfast.project_notes.named_index import RESUME, named_in
from holdfast.store.sqlite.store import open_store

_ROOT = Path(__file__).parents[2]
_SAMPLE = _ROOT / "tests" / "fixtures" / "transcripts" / "full-session-part1.jsonl"
_NOTES = "# Mine\n\nnever touch this\n\n## Build\nmake\n"
_SAVES = 4


def _run_at_once(project: Path, names: list[str], environ: dict[str, str]) -> list[int]:
    """Start one writer per name, all ready, then let them begin together."""
    with ExitStack() as stack:
        started = []
        for name in names:
            words = [str(project), str(_SAMPLE), name, str(_SAVES)]
            process = subprocess.Popen(
                [sys.executable, "-m", "tests.faults.named_writer", *words],
                cwd=_ROOT,
                env={**os.environ, **environ},
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                text=True,
            )
            started.append(stack.enter_context(process))
            stack.callback(process.kill)
        for process in started:
            assert process.stdout is not None
            assert process.stdout.readline() == "ready\n"
        for process in started:
            assert process.stdin is not None
            process.stdin.write("go\n")
            process.stdin.flush()
        for process in started:
            process.communicate()
        return [process.returncode for process in started]


@pytest.mark.timeout(120)
@pytest.mark.parametrize("count", [5, 8])
def test_every_name_is_there_when_many_processes_write_the_index(
    tmp_path: Path, count: int
) -> None:
    """A lost update would hide a checkpoint from everybody who looks at the index."""
    project, client = tmp_path / "project", tmp_path / "claude"
    slug = re.sub("[^a-zA-Z0-9]", "-", str(project))
    memory = client / "projects" / slug / "memory"
    project.mkdir()
    memory.mkdir(parents=True)
    (memory / "MEMORY.md").write_text(_NOTES, encoding="utf-8")
    names = [f"writer-{number}" for number in range(count)]
    environ = {
        "HOLDFAST_HOME": str(tmp_path / "home"),
        "XDG_CONFIG_HOME": str(tmp_path / "config"),
        "CLAUDE_CONFIG_DIR": str(client),
    }

    statuses = _run_at_once(project, names, environ)

    index = (memory / "MEMORY.md").read_text(encoding="utf-8")
    head, _, tail = index.partition("## Active Checkpoints")
    section, _, rest = tail.partition(RESUME)
    assert statuses == [0] * count
    assert {name for name in names if name not in section} == set()
    assert len(named_in(index)) == 5
    assert head + rest.removeprefix("\n\n") == _NOTES
    assert sorted(path.name for path in memory.iterdir()) == sorted(
        ["MEMORY.md", *(f"checkpoint-{name}.md" for name in names)]
    )
    with open_store(str(tmp_path / "home"), create=False) as store:
        assert len(store.list(Scope(), limit=1000)) == count * _SAVES
    for name in names:
        text = (memory / f"checkpoint-{name}.md").read_text(encoding="utf-8")
        assert f"Save {_SAVES} of {name}" in text
