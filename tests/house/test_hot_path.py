"""What starts fast stays fast: the imports of the hot entry points, without a clock."""

import subprocess
import sys

import pytest

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
        pytest.param("import holdfast.surfaces.hooks.main", id="an idle hook"),
        pytest.param(
            "import sys; sys.argv = ['holdfast', '--version'];"
            "from holdfast.surfaces.cli.main import main; main()",
            id="holdfast --version",
        ),
    ],
)
def test_imports_nothing_heavy(code: str) -> None:
    """Each of these is paid at every start; a bare interpreter is the floor."""
    already = _modules_after("pass")

    loaded = _modules_after(code) - already

    assert loaded & _HEAVY == set()
    assert all(name.startswith("holdfast") or "." not in name for name in loaded)


def test_an_idle_hook_exits_0_whatever_it_is_asked() -> None:
    """Exit status 2 means "block" to the agent and must never happen by accident."""
    for words in ([], ["SessionStart"], ["--help"], ["no such event", "--x=1"]):
        call = "from holdfast.surfaces.hooks.main import main; main()"

        done = subprocess.run(
            [sys.executable, "-c", call, *words], capture_output=True, check=False
        )

        assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")


def test_the_bulk_decoder_is_not_loaded_by_the_hook_path() -> None:
    """msgspec costs 45 ms to import; hooks read with the standard library."""
    loaded = _modules_after("import holdfast.transcripts.claude_code")

    assert "msgspec" not in loaded
    assert "rich" not in loaded
