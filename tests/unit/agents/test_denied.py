"""Which paths the client's `Read(…)` rules cover."""

import json
from pathlib import Path

import pytest

from holdfast.agents.claude_code.config_files import denied_files


def _covers(tmp_path: Path, rules: object, path: str) -> bool:
    root = tmp_path / "project"
    (root / ".claude").mkdir(parents=True)
    settings = {"permissions": {"deny": rules}}
    (root / ".claude" / "settings.json").write_text(json.dumps(settings))
    home = tmp_path / "home"
    denied = denied_files(str(home / ".claude"), str(home), [str(root)])
    return denied.covers(str(tmp_path / path))


@pytest.mark.parametrize(
    ("rule", "path", "covered"),
    [
        pytest.param("Read(./.env)", "project/.env", True, id="a file"),
        pytest.param("Read(./.env)", "project/.env.local", False, id="only that file"),
        pytest.param("Read(./.env)", "project/sub/.env", False, id="only there"),
        pytest.param("Read(./.env.*)", "project/.env.local", True, id="a star"),
        pytest.param("Read(.env)", "project/sub/.env", True, id="a name anywhere"),
        pytest.param("Read(**/.env)", "project/.env", True, id="any depth, none"),
        pytest.param("Read(**/.env)", "project/a/b/.env", True, id="any depth, two"),
        pytest.param("Read(./secrets/**)", "project/secrets/a/b", True, id="below"),
        pytest.param("Read(secrets/**)", "project/secrets/a", True, id="without dot"),
        pytest.param(
            "Read(/secrets/**)", "project/secrets/a", True, id="from the root"
        ),
        pytest.param("Read(./secrets)", "project/secrets/a", True, id="a directory"),
        pytest.param("Read(./secrets/)", "project/secrets/a", True, id="with a slash"),
        pytest.param("Read(./secrets/*)", "project/secretsx/a", False, id="no prefix"),
        pytest.param("Read(./a/**/z)", "project/a/b/c/z", True, id="stars inside"),
        pytest.param("Read(./a/**/z)", "project/a/z", True, id="stars for nothing"),
        pytest.param("Read(~/.ssh/**)", "home/.ssh/id", True, id="at home"),
        pytest.param("Read(?.txt)", "project/a.txt", True, id="one letter"),
        pytest.param("Read(?.txt)", "project/ab.txt", False, id="not two"),
        pytest.param("Read", "project/anything", True, id="everything"),
        pytest.param("Read(*)", "project/anything", True, id="every name"),
        pytest.param("Edit(./a)", "project/a", False, id="another tool"),
        pytest.param("ReadX(./a)", "project/a", False, id="another name"),
        pytest.param("Read(!./a)", "project/a", False, id="taken back"),
        pytest.param("Read(./a.b)", "project/aXb", False, id="a dot is a dot"),
    ],
)
def test_a_rule_covers_what_it_names(
    tmp_path: Path, rule: str, path: str, *, covered: bool
) -> None:
    """The plain forms of the client's own documentation."""
    assert _covers(tmp_path, [rule], path) is covered


@pytest.mark.parametrize(
    "rules",
    [
        pytest.param("Read(./a)", id="a text"),
        pytest.param([3, None, {"Read": 1}], id="other values"),
        pytest.param({"Read": "./a"}, id="an object"),
        pytest.param(["Read(" + "**a" * 4000 + ")"], id="far too long"),
    ],
)
def test_strange_settings_cover_nothing_of_ours(tmp_path: Path, rules: object) -> None:
    """A settings file comes with a repository; none can stop a snapshot."""
    assert not _covers(tmp_path, rules, "project/x")


def test_a_hostile_pattern_costs_no_time(tmp_path: Path) -> None:
    """Beyond six stars the rest of a pattern is taken for anything."""
    rule = "Read(./" + "a*" * 100 + "b)"

    assert _covers(tmp_path, [rule], "project/" + "a" * 4000)
