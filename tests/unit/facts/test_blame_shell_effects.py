"""What a command makes of a file: told from its line, checked against the programs."""

import shutil
import subprocess
from pathlib import Path

import pytest

from holdfast.facts.blame.shell_effects import effects_of, is_formatter, only_looks

_TEXT = 'foo bar foo\nx.y a/b a+b aaab (a) *\nfoo bar  \n\n"q" 123 ber\nlast foo bar'
_UNDERSTOOD = (
    "cat > f <<'EOF'\nhello\n$x\nEOF",
    "cat >> f <<EOF\nmore\nEOF",
    "cat <<'EOF' > f\nhello\nEOF",
    "echo 'a b' >> f",
    "echo -n 'x' > f",
    "printf 'a\\nb\\n' >> f",
    "printf '%s\\n' one two > f",
    "cd sub && echo hi > ../f",
    "sed -i 's/foo/bar/' f",
    "sed -i 's/o/0/g' f",
    "sed -i 's|a/b|c&d|g' f",
    "sed -i -e 's/foo/X/' -e '2d' f",
    "sed -i '1,2d' f",
    "sed -i '$d' f",
    "sed -i '3,$d' f",
    "sed -i -E 's/(fo+) (b.r)/\\2 \\1/' f",
    "sed -i 's/\\(foo\\) \\(bar\\)/\\2-\\1/' f",
    "sed -i 's/x\\.y/z/; s/foo/q/g' f",
    "sed -i 's/^/# /' f",
    "sed -i 's/$/;/' f",
    "sed -i '2s/a/Z/g' f",
    "sed -i 's/[0-9][0-9]*/N/g' f",
    "sed -i 's/[[:space:]]*$//' f",
    "sed -i 's/a+b/AB/' f",
    "sed -i -E 's/a+b/AB/' f",
    "sed -i 's/(a)/[a]/' f",
    "sed -i 's/foo/a\\nb/' f",
    "sed -i 's/b[^a]r/BR/' f",
    "sed -i 's#foo#a\\#b#' f",
    'sed -i "s/foo/it\'s/" f',
)


@pytest.mark.process
@pytest.mark.parametrize("end", ["", "\n"], ids=["open end", "whole line"])
@pytest.mark.parametrize("command", _UNDERSTOOD)
def test_a_text_is_made_again_to_the_letter(
    command: str, end: str, tmp_path: Path
) -> None:
    """What blame takes for the command's work is what the command does."""
    (tmp_path / "sub").mkdir()
    file = tmp_path / "f"
    file.write_text(_TEXT + end)
    subprocess.run(["bash", "-c", command], cwd=tmp_path, check=True)

    text: str | None = _TEXT + end
    for effect in effects_of(command, str(tmp_path)):
        assert effect.path == str(file)
        text = effect.applied(text)

    assert text == file.read_text()


@pytest.mark.process
@pytest.mark.skipif(shutil.which("perl") is None, reason="there is no perl here")
@pytest.mark.parametrize(
    "command", ["perl -pi -e 's/foo/bar/g' f", "perl -i -pe 's/o/0/' f"]
)
def test_a_substitution_of_perl_is_made_again(command: str, tmp_path: Path) -> None:
    """A plain one; variables and escapes mean something else there."""
    file = tmp_path / "f"
    file.write_text(_TEXT)
    subprocess.run(["bash", "-c", command], cwd=tmp_path, check=True)

    (effect,) = effects_of(command, str(tmp_path))

    assert effect.applied(_TEXT) == file.read_text()


@pytest.mark.parametrize(
    "command",
    [
        "sed -i 's/*/star/' f",
        "sed -i '/foo/d' f",
        "sed -i 's/foo/\\U&/' f",
        "sed -i -E 's/(a+)+b/x/' f",
        'sed -i "s/foo/$HOME/" f',
        "sed -ni 's/foo/x/p' f",
        "python gen.py > f",
        "echo $(date) > f",
        "false || echo x > f",
        "black f.py && cat a b > f",
    ],
)
def test_what_is_not_understood_only_names_the_file(command: str) -> None:
    """Nobody gets a text that the program may not have made."""
    effects = [one for one in effects_of(command, "/p") if one.path == "/p/f"]

    assert [(one.kind, one.applied("foo\n")) for one in effects] == [("named", None)]


@pytest.mark.parametrize(
    ("command", "kind"),
    [("mv a f", "moved"), ("git mv a f", "moved"), ("cp a f", "copied")],
)
def test_a_file_that_moves_says_where_it_was(command: str, kind: str) -> None:
    """Its lines go with it."""
    (effect,) = effects_of(command, "/p")

    assert (effect.kind, effect.path, effect.source) == (kind, "/p/f", "/p/a")


def test_a_hostile_expression_is_not_tried() -> None:
    """A transcript is somebody else's: no expression of it may take for ever."""
    for script in ("s/(a*)*b/x/", "s/(a|a)+c/x/", "s/a*b*c*d*/x/"):
        (effect,) = effects_of(f"sed -i -E '{script}' f", "/p")
        assert effect.kind == "named"


@pytest.mark.parametrize(
    "command", ["ls -la", "git status && git diff", "cat a | wc -l"]
)
def test_looking_changes_nothing(command: str) -> None:
    """A person's edit beside it is still known to be theirs."""
    assert only_looks(command)


@pytest.mark.parametrize(
    "command",
    ["python x.py", "git checkout f", "git commit -am x", "ls > f", "cat $(rm f)", ""],
)
def test_what_may_write_does_not_only_look(command: str) -> None:
    """Better one too many: then nobody is named."""
    assert not only_looks(command)


def test_a_formatter_is_known_by_its_name() -> None:
    assert is_formatter("npx prettier --write .")
    assert not is_formatter("pytest -q")
