"""Configuration: who may say what, and who is heard last."""

import fcntl
import json
import os
import resource
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, strategies as st

from holdfast.config import (
    KEYS,
    Config,
    MirrorSetting,
    Places,
    Setting,
    Share,
    default_places,
    is_disabled,
    key_named,
    load,
    set_values,
)
from holdfast.config.keys import RESERVED_VARIABLES, with_variables
from holdfast.kernel.errors import ConfigInvalid, HomeRefused

_EXAMPLE = Path(__file__).parents[3] / "docs" / "examples" / "config.json"
_HOOKS = "hooks.auto_resume_on_start"
_THRESHOLD = "hooks.checkpoint_threshold_percent"


def set_value(places: Places, name: str, text: str) -> Setting:
    return set_values(places, {name: text})[0]


class Desk:
    """A user's files, a project's file, an environment and flags, all made up."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.environ: dict[str, str] = {"HOME": str(root / "home")}
        self.flags: dict[str, object] = {}
        self.project = root / "project"
        self.project.mkdir()
        (root / "home").mkdir()

    @property
    def places(self) -> Places:
        return default_places(self.environ, account_home=str(self.root / "nobody"))

    def write(self, path: str | Path, value: object) -> Path:
        file = Path(path)
        file.parent.mkdir(parents=True, exist_ok=True)
        text = value if isinstance(value, str) else json.dumps(value)
        file.write_text(text, encoding="utf-8")
        return file

    def user(self, value: object) -> Path:
        return self.write(self.places.user_config, value)

    def contextd(self, value: object) -> Path:
        return self.write(self.places.contextd_config, value)

    def project_file(self, value: object) -> Path:
        return self.write(self.project / ".holdfast.json", value)

    def load(self, *, tolerant: bool = False) -> Config:
        return load(
            self.places,
            self.environ,
            project=str(self.project),
            flags=self.flags,
            tolerant=tolerant,
        )


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    return Desk(tmp_path.resolve())


def test_without_any_file_the_defaults_are_in_force(desk: Desk) -> None:
    """They are what the contract says."""
    config = desk.load()

    assert config.enabled
    assert config.hooks.auto_checkpoint_on_clear is True
    assert config.hooks.auto_resume_on_start is True
    assert config.hooks.checkpoint_threshold_percent == 70
    assert config.hooks.verify_before_clear
    assert (config.hooks.headless, config.hooks.nudge) == ("capture", "off")
    assert config.checkpoint.auto_summary_enabled
    assert config.checkpoint.max_auto_summaries == 10
    assert config.checkpoint.cleanup_after_days == 30
    assert config.brief.budget_tokens == 1000
    assert (config.guard.require_checkpoint, config.guard.allow_force) == (False, True)
    assert config.snapshot.max_file_mb == 5
    assert config.snapshot.max_total_mb == 200
    assert config.snapshot.keep_gb == 2
    assert (config.store, config.team) == ("sqlite", None)
    assert (config.exclude, config.mirrors, config.warnings) == ((), (), ())
    assert {setting.origin for setting in config.values.values()} == {"default"}


def test_the_last_to_speak_wins(desk: Desk) -> None:
    """defaults < contextd < user < project < environment < flag, one step at a time."""
    heard = [desk.load().value_of(_THRESHOLD)]

    desk.contextd({"hooks": {"checkpoint_threshold_percent": 71}})
    heard.append(desk.load().value_of(_THRESHOLD))
    desk.user({"hooks": {"checkpoint_threshold_percent": 72}})
    heard.append(desk.load().value_of(_THRESHOLD))
    desk.project_file({"hooks": {"checkpoint_threshold_percent": 73}})
    heard.append(desk.load().value_of(_THRESHOLD))
    desk.environ["CONTEXTD_CHECKPOINT_THRESHOLD"] = "74"
    heard.append(desk.load().value_of(_THRESHOLD))
    desk.environ["HOLDFAST_CHECKPOINT_THRESHOLD_PERCENT"] = "75"
    heard.append(desk.load().value_of(_THRESHOLD))
    desk.flags[_THRESHOLD] = "76"
    heard.append(desk.load().value_of(_THRESHOLD))

    assert heard == [
        Setting(70, "default"),
        Setting(71, "contextd"),
        Setting(72, "user"),
        Setting(73, "project"),
        Setting(74, "environment"),
        Setting(75, "environment"),
        Setting(76, "flag"),
    ]


def test_the_configuration_is_read_anew_each_time(desk: Desk) -> None:
    """A change counts without a restart."""
    desk.user({"brief": {"budget_tokens": 500}})
    assert desk.load().brief.budget_tokens == 500

    desk.user({"brief": {"budget_tokens": 600}})

    assert desk.load().brief.budget_tokens == 600


_ENVIRONMENT: dict[str, tuple[str, object]] = {
    "enabled": ("false", False),
    "hooks.auto_checkpoint_on_clear": ("prompt", "prompt"),
    "hooks.auto_resume_on_start": ("ALWAYS", "always"),
    "hooks.checkpoint_threshold_percent": (" 95 ", 95),
    "hooks.verify_before_clear": ("0", False),
    "hooks.headless": ("off", "off"),
    "hooks.nudge": ("on", "on"),
    "checkpoint.auto_summary_enabled": ("no", False),
    "checkpoint.max_auto_summaries": ("3", 3),
    "checkpoint.cleanup_after_days": ("1", 1),
    "brief.budget_tokens": ("100", 100),
    "guard.require_checkpoint": ("yes", True),
    "guard.allow_force": ("off", False),
    "snapshot.max_file_mb": ("1", 1),
    "snapshot.max_total_mb": ("9", 9),
    "snapshot.keep_gb": ("7", 7),
}


@pytest.mark.parametrize("name", sorted(_ENVIRONMENT))
def test_a_variable_sets_its_key(desk: Desk, name: str) -> None:
    """`HOLDFAST_` and the last segment, in the words people type."""
    text, expected = _ENVIRONMENT[name]
    variable = key_named(name).environment
    assert variable is not None

    desk.environ[variable] = text

    assert desk.load().value_of(name) == Setting(expected, "environment")


def test_every_key_is_set_by_a_variable_or_by_the_user_only(desk: Desk) -> None:
    """A repository can set the environment, so some things are not heard there."""
    own = {"redaction.rules", "redaction.allow"}
    user_only = {"store", "team", "mirrors", "exclude", "archive.auto_archive", *own}
    user_only.add("share")
    assert {key.key for key in KEYS} == user_only | set(_ENVIRONMENT)
    for name in user_only:
        assert key_named(name).environment is None
        desk.environ[key_named(name).variable] = "https://evil.example"

    config = desk.load()

    assert (config.store, config.team, config.mirrors) == ("sqlite", None, ())
    assert not config.is_of_team("/work/app")
    assert config.share is None
    assert config.exclude == config.redaction.rules == config.redaction.allow == ()
    assert len(config.warnings) == len(user_only)
    assert all("environment was ignored" in warning for warning in config.warnings)
    assert not any("evil.example" in warning for warning in config.warnings)


@pytest.mark.parametrize(
    ("key", "strict", "text"),
    [
        pytest.param("enabled", False, "true", id="switched off"),
        pytest.param("hooks.auto_checkpoint_on_clear", False, "true", id="no saves"),
        pytest.param("hooks.auto_resume_on_start", "prompt", "always", id="the card"),
        pytest.param("hooks.headless", "off", "full", id="nobody there"),
        pytest.param("guard.require_checkpoint", True, "false", id="the guard"),
        pytest.param("guard.allow_force", False, "true", id="no force"),
        pytest.param("snapshot.max_file_mb", 5, "500", id="large files"),
        pytest.param("checkpoint.cleanup_after_days", 90, "1", id="keeping long"),
    ],
)
@pytest.mark.parametrize("project_speaks", [False, True])
def test_t26_a_variable_cannot_loosen_what_the_users_file_says(
    desk: Desk, key: str, strict: Any, text: str, *, project_speaks: bool
) -> None:
    """A repository can set the environment of hooks; the user's no is a no."""
    desk.user({key: strict})
    if project_speaks:
        desk.project_file({"enabled": False})
    variable = key_named(key).environment
    assert variable is not None
    desk.environ[variable] = text

    config = desk.load()

    assert config.value_of(key).value == strict
    (warning,) = config.warnings
    assert warning.startswith(f"`{variable}` in the environment was ignored")


def test_t26_a_variable_may_make_the_users_settings_stricter(desk: Desk) -> None:
    """Turning it off for one shell needs no file."""
    desk.user({"hooks": {"headless": "full"}, "enabled": True})
    desk.environ |= {"HOLDFAST_HEADLESS": "off", "HOLDFAST_ENABLED": "no"}

    config = desk.load()

    assert (config.hooks.headless, config.enabled) == ("off", False)
    assert config.warnings == ()


def test_an_empty_variable_says_nothing(desk: Desk) -> None:
    """`HOLDFAST_NUDGE=` in a shell means "not set"."""
    desk.environ["HOLDFAST_NUDGE"] = ""

    assert desk.load().value_of("nudge") == Setting("off", "default")


def test_no_two_keys_share_a_variable() -> None:
    """Nor does one take the name of a variable that means something else."""
    variables = [key.variable for key in KEYS]

    assert len(set(variables)) == len(variables)
    assert RESERVED_VARIABLES.isdisjoint(variables)
    assert "HOLDFAST_AUTO_RESUME_ON_START" in variables


def test_keys_with_one_last_segment_get_the_longer_variable() -> None:
    """`a.limit` and `b.limit` would otherwise be set together."""
    like = key_named("nudge")
    names = ["a.limit", "b.limit", "c.other"]

    made = with_variables([_renamed(like, name) for name in names])

    assert [key.variable for key in made] == [
        "HOLDFAST_A_LIMIT",
        "HOLDFAST_B_LIMIT",
        "HOLDFAST_OTHER",
    ]


def _renamed(key: Any, name: str) -> Any:
    return type(key)(key=name, kind=key.kind, default=key.default, meaning="")


@pytest.mark.parametrize(
    ("variable", "text", "name", "expected"),
    [
        ("CONTEXTD_AUTO_CHECKPOINT_ON_CLEAR", "prompt", "auto_checkpoint_on_clear", "prompt"),
        ("CONTEXTD_AUTO_RESUME", "false", "auto_resume_on_start", False),
        ("CONTEXTD_AUTO_RESUME_ON_START", "prompt", "auto_resume_on_start", "prompt"),
        ("CONTEXTD_CHECKPOINT_THRESHOLD", "80", "checkpoint_threshold", 80),
        ("CONTEXTD_VERIFY_BEFORE_CLEAR", "false", "verify_before_clear", False),
    ],
)  # fmt: skip
def test_an_old_variable_is_understood(
    desk: Desk, variable: str, text: str, name: str, expected: object
) -> None:
    """Someone who comes from contextd keeps their settings."""
    desk.environ[variable] = text

    assert desk.load().value_of(name).value == expected


@pytest.mark.parametrize(
    "shape",
    [
        pytest.param(
            {
                "hooks": {
                    "auto_checkpoint_on_clear": "prompt",
                    "auto_resume_on_start": False,
                    "checkpoint_threshold_percent": 80,
                    "verify_before_clear": False,
                },
                "checkpoint": {"max_auto_summaries": 4, "cleanup_after_days": 9},
                "embeddings": {"url": "http://elsewhere"},
            },
            id="in sections",
        ),
        pytest.param(
            {
                "auto_checkpoint_on_clear": "prompt",
                "auto_resume": False,
                "checkpoint_threshold": 80,
                "verify_before_clear": False,
                "max_auto_summaries": 4,
                "cleanup_after_days": 9,
            },
            id="flat, with the short names",
        ),
    ],
)
def test_the_file_of_contextd_is_understood(
    desk: Desk, shape: dict[str, object]
) -> None:
    """Both shapes it had; what else it says is another program's business."""
    desk.contextd(shape)

    config = desk.load()

    assert config.hooks.auto_checkpoint_on_clear == "prompt"
    assert config.hooks.auto_resume_on_start is False
    assert config.hooks.checkpoint_threshold_percent == 80
    assert not config.hooks.verify_before_clear
    assert config.checkpoint.max_auto_summaries == 4
    assert config.checkpoint.cleanup_after_days == 9
    assert config.warnings == ()
    assert config.value_of("verify_before_clear").origin == "contextd"


def test_what_contextd_wrote_wrongly_is_only_a_warning(desk: Desk) -> None:
    """It is not ours, so it must not stop us."""
    desk.contextd({"hooks": {"checkpoint_threshold_percent": 5, "store": "x"}})
    desk.environ["CONTEXTD_CHECKPOINT_THRESHOLD"] = "many"

    config = desk.load()

    assert config.hooks.checkpoint_threshold_percent == 70
    assert len(config.warnings) == 2


def test_a_project_may_turn_it_off_and_set_thresholds_and_budgets(desk: Desk) -> None:
    """That is all a repository may decide."""
    desk.project_file(
        {
            "enabled": False,
            "hooks": {"checkpoint_threshold_percent": 90},
            "brief": {"budget_tokens": 400},
        }
    )

    config = desk.load()

    assert not config.enabled
    assert config.hooks.checkpoint_threshold_percent == 90
    assert config.brief.budget_tokens == 400
    assert config.warnings == ()
    assert config.value_of("budget_tokens").origin == "project"


def test_t26_a_project_may_decide_nothing_else(desk: Desk) -> None:
    """A cloned repository must not configure the tool's powers."""
    everything = json.loads(_EXAMPLE.read_text(encoding="utf-8"))
    hostile = everything | {
        "store": "postgresql://evil.example/x",
        "team": "evil",
        "mirrors": [{"kind": "memora", "url": "http://evil.example"}],
        "exclude": [],
        "unheard_of": 1,
    }
    hostile["hooks"] = everything["hooks"] | {"headless": "full", "nudge": "on"}
    desk.user({"enabled": False})
    desk.project_file(hostile)

    config = desk.load()

    allowed = {"hooks.checkpoint_threshold_percent", "brief.budget_tokens"}
    by_project = {n for n, s in config.values.items() if s.origin == "project"}
    assert by_project == allowed
    assert not config.enabled
    assert len(config.warnings) == len(KEYS) - len(allowed) + 1
    assert any("`enabled`" in warning for warning in config.warnings)
    assert any("`unheard_of`" in warning for warning in config.warnings)
    assert "evil.example" not in "".join(config.warnings)


@pytest.mark.parametrize(
    "content",
    [
        pytest.param("{", id="not JSON"),
        pytest.param("[1]", id="not an object"),
        pytest.param('{"brief": {"budget_tokens": 5}}', id="out of range"),
        pytest.param('{"brief": 5}', id="not a section"),
        pytest.param("[" * 100_000, id="too deep"),
        pytest.param('{"a": NaN}', id="not a number"),
        pytest.param('{"a": "\\ud800\\u202e"}', id="odd text"),
        pytest.param('{"\\ud800\\u202e\\u001b": 1}', id="odd key"),
    ],
)
def test_a_bad_project_file_is_a_warning_and_nothing_more(
    desk: Desk, content: str
) -> None:
    """A repository must not be able to stop a save."""
    desk.project_file(content)

    config = desk.load()

    assert config.brief.budget_tokens == 1000
    assert config.warnings
    assert all(w.isprintable() for w in config.warnings)


def test_a_project_file_that_is_a_link_is_not_read(desk: Desk) -> None:
    """It could lead to a file of the user's, whose content would be shown."""
    secret = desk.write(desk.root / "secret.json", {"brief": {"budget_tokens": 123}})
    (desk.project / ".holdfast.json").symlink_to(secret)

    config = desk.load()

    assert config.brief.budget_tokens == 1000
    assert "symbolic link" in config.warnings[0]


def test_a_project_file_that_is_a_pipe_does_not_stop_us(desk: Desk) -> None:
    """Opening a pipe waits for a writer who never comes."""
    os.mkfifo(desk.project / ".holdfast.json")

    assert "not a small file" in desk.load().warnings[0]


@pytest.mark.parametrize(
    ("value", "message"),
    [
        pytest.param(
            {"hooks": {"checkpoint_threshold_percent": 50}},
            "`hooks.checkpoint_threshold_percent` in `FILE` is `50`:"
            " it must be a whole number from 70 to 95",
            id="too low",
        ),
        pytest.param(
            {"hooks": {"checkpoint_threshold_percent": 96}},
            "`hooks.checkpoint_threshold_percent` in `FILE` is `96`:"
            " it must be a whole number from 70 to 95",
            id="too high",
        ),
        pytest.param(
            {"brief": {"budget_tokens": 99}},
            "`brief.budget_tokens` in `FILE` is `99`:"
            " it must be a whole number from 100 to 100000",
            id="a budget nothing fits in",
        ),
        pytest.param(
            {"checkpoint": {"cleanup_after_days": 0}},
            "`checkpoint.cleanup_after_days` in `FILE` is `0`:"
            " it must be a whole number from 1 to 1000000",
            id="no days",
        ),
        pytest.param(
            {"brief": {"budget_tokens": True}},
            "`brief.budget_tokens` in `FILE` is `true`:"
            " it must be a whole number from 100 to 100000",
            id="true is no number",
        ),
        pytest.param(
            {"brief": {"budget_tokens": 500.5}},
            "`brief.budget_tokens` in `FILE` is `500.5`:"
            " it must be a whole number from 100 to 100000",
            id="half a token",
        ),
        pytest.param(
            {"hooks": {"auto_resume_on_start": "sometimes"}},
            "`hooks.auto_resume_on_start` in `FILE` is `sometimes`:"
            " it must be `true`, `false`, `prompt` or `always`",
            id="not a choice",
        ),
        pytest.param(
            {"hooks": {"verify_before_clear": 1}},
            "`hooks.verify_before_clear` in `FILE` is `1`:"
            " it must be `true` or `false`",
            id="1 is not true",
        ),
        pytest.param(
            {"hooks": {"headless": False}},
            "`hooks.headless` in `FILE` is `false`:"
            " it must be `off`, `capture` or `full`",
            id="false is not off",
        ),
        pytest.param(
            {"exclude": "~/x"},
            "`exclude` in `FILE` is `~/x`:"
            " it must be a list of texts, none of them empty",
            id="a text is no list",
        ),
        pytest.param(
            {"store": "mysql://me:s3cret@host"},
            "`store` in `FILE` has a wrong value:"
            " it must be `sqlite`, or an address such as `sqlite:///DIR`",
            id="an unknown store, its password not shown",
        ),
        pytest.param(
            {"team": 5},
            "`team` in `FILE` has a wrong value: it must be `null`, or an address without"
            " a password such as `postgresql://me@host/db`, or an object with `dsn` and,"
            " if need be, `tenant`, `password_file` and `projects`",
            id="a team that is a number",
        ),
        pytest.param(
            {"mirrors": [{"kind": "memora", "url": "ftp://x", "key": "s3cret"}]},
            "`mirrors` in `FILE` has a wrong value: it must be a list such as"
            ' `[{"kind": "memora", "url": "http://127.0.0.1:8000/mcp"}]`,'
            " of kind `claude-mem` or `memora`",
            id="a mirror of the wrong shape",
        ),
        pytest.param({"hooks": 5}, "`hooks` in `FILE` must be an object", id="section"),
        pytest.param(
            '{\n  "brief": {,}\n}',
            "`FILE` is not JSON: Expecting property name enclosed in double quotes"
            " at line 2, column 13",
            id="not JSON",
        ),
        pytest.param("[]", "`FILE` must hold one JSON object", id="not an object"),
        pytest.param(
            '{"brief": {"budget_tokens": Infinity}}',
            "`FILE` is not JSON: `Infinity` is not a number JSON knows",
            id="infinity",
        ),
        pytest.param("[" * 100_000, "`FILE` is not JSON: too deep", id="too deep"),
    ],
)
def test_what_the_user_wrote_wrongly_is_told_exactly(
    desk: Desk, value: object, message: str
) -> None:
    """Where, which key, what it is, what it may be; a hook carries on without it."""
    file = desk.user(value)

    with pytest.raises(ConfigInvalid) as caught:
        desk.load()

    expected = message.replace("FILE", str(file))
    assert caught.value.message == expected
    assert caught.value.hint
    assert caught.value.code == "CONF_001"
    (warning,) = desk.load(tolerant=True).warnings
    assert warning.startswith(f"{expected}; it was ignored")


def test_a_bad_variable_and_a_bad_flag_are_told_with_their_place(desk: Desk) -> None:
    """The file would be the wrong place to look."""
    desk.environ["HOLDFAST_BUDGET_TOKENS"] = "lots"
    with pytest.raises(
        ConfigInvalid, match=r"environment \(`HOLDFAST_BUDGET_TOKENS`\)"
    ):
        desk.load()
    desk.environ.clear()
    desk.environ["HOME"] = str(desk.root / "home")

    desk.flags["budget_tokens"] = 3

    with pytest.raises(ConfigInvalid, match="in the command line is `3`"):
        desk.load()


def test_one_wrong_value_does_not_take_the_others_with_it(desk: Desk) -> None:
    """For a hook, a typing error must cost one setting only."""
    desk.user({"hooks": {"nudge": "loud", "headless": "off"}})

    config = desk.load(tolerant=True)

    assert (config.hooks.nudge, config.hooks.headless) == ("off", "off")
    assert len(config.warnings) == 1


def test_an_unknown_key_is_reported_and_harmless(desk: Desk) -> None:
    """A newer holdfast may have written it."""
    file = desk.user({"hooks": {"shiny": 1}, "Other": {}})

    assert desk.load().warnings == (
        f"`hooks.shiny` in `{file}` is not a setting",
        f"`Other` in `{file}` is not a setting",
    )


def test_a_file_that_cannot_be_read_is_told(desk: Desk) -> None:
    """A directory where the file should be, or a link to itself."""
    path = Path(desk.places.user_config)
    path.mkdir(parents=True)
    with pytest.raises(ConfigInvalid, match="not a small file"):
        desk.load()
    path.rmdir()
    path.symlink_to(path)
    with pytest.raises(ConfigInvalid, match="cannot be read"):
        desk.load()


def test_a_user_may_keep_the_file_elsewhere(desk: Desk) -> None:
    """Many keep their settings in one repository and link to them."""
    kept = desk.write(desk.root / "dotfiles.json", {"brief": {"budget_tokens": 321}})
    path = Path(desk.places.user_config)
    path.parent.mkdir(parents=True)
    path.symlink_to(kept)

    assert desk.load().brief.budget_tokens == 321


@pytest.mark.parametrize(
    ("text", "disabled"),
    [
        ("1", True),
        ("true", True),
        ("x", True),
        ("0", False),
        ("", False),
        ("no", False),
    ],
)
def test_one_variable_stops_everything(desk: Desk, text: str, disabled: bool) -> None:  # noqa: FBT001  # a column of the table
    """Not even a flag turns it on again."""
    desk.environ["HOLDFAST_DISABLE"] = text
    desk.flags["enabled"] = "true"

    assert is_disabled(desk.environ) is disabled
    assert desk.load().enabled is not disabled


def test_mirrors_and_exclusions_come_as_values(desk: Desk) -> None:
    """From the user's own file, where they belong."""
    desk.user(
        {
            "exclude": ["~/private/**"],
            "mirrors": [{"kind": "claude-mem"}, {"kind": "memora", "url": "http://h"}],
            "store": "postgresql://me:p@ss@host/db?password=x&y=1",
            "team": {"dsn": "postgresql://me@db/team", "projects": ["/work/**"]},
        }
    )

    config = desk.load()

    assert config.exclude == ("~/private/**",)
    assert config.mirrors == (
        MirrorSetting(kind="claude-mem"),
        MirrorSetting(kind="memora", url="http://h"),
    )
    assert config.team is not None
    assert config.team.tenant == "team"
    assert config.is_of_team("/work/app")
    assert not config.is_of_team("/private/app")
    assert config.store == "postgresql://me:p@ss@host/db?password=x&y=1"


def test_what_is_shared_and_where_comes_as_values(desk: Desk) -> None:
    """Nothing is shared until the user says with what, and only where they say."""
    assert desk.load().share is None

    desk.user({"share": {"kind": "git"}})
    everywhere = desk.load().share
    desk.user({"share": {"kind": "git", "remote": "team", "projects": ["/srv/app/**"]}})
    somewhere = desk.load().share

    assert everywhere == Share("git", "origin", ())
    assert everywhere.is_for("/anywhere")
    assert somewhere is not None
    assert somewhere.remote == "team"
    assert somewhere.is_for("/srv/app")
    assert somewhere.is_for("/srv/app/part")
    assert not somewhere.is_for("/srv/other")


def test_a_listing_hides_passwords(desk: Desk) -> None:
    """It is printed, pasted and sent to others."""
    desk.user({"store": "postgresql://me:p@ss@host/db?password=x&y=1"})

    listing = desk.load().listing()

    assert listing["store"] == {
        "value": "postgresql://me:***@host/db?password=***&y=1",
        "from": "user",
    }
    assert list(listing) == [key.key for key in KEYS]
    assert listing["brief.budget_tokens"] == {"value": 1000, "from": "default"}


def test_the_example_is_valid_and_shows_every_key(desk: Desk) -> None:
    """People copy it."""
    example = json.loads(_EXAMPLE.read_text(encoding="utf-8"))
    desk.user(example)

    config = desk.load()

    assert config.warnings == ()
    assert {setting.origin for setting in config.values.values()} == {"user"}


def test_every_key_says_what_it_is() -> None:
    """The reference is made from the registry."""
    for key in KEYS:
        assert key.kind.accepts(key.default), key.key
        assert key.meaning.endswith("."), key.key
        assert key.meaning[0].isupper(), key.key
        assert key.allowed
        assert json.loads(key.default_text) == key.default


def test_a_key_is_found_by_its_last_segment_and_its_old_name() -> None:
    """People and older tools type the short form."""
    assert key_named("AUTO_RESUME_ON_START ").key == _HOOKS
    assert key_named("auto_resume").key == _HOOKS
    assert key_named("checkpoint_threshold").key == _THRESHOLD


def test_an_unknown_key_is_answered_with_the_nearest() -> None:
    """A hint that works when pasted."""
    with pytest.raises(ConfigInvalid) as caught:
        key_named("budget")

    assert caught.value.message == "`budget` is not a setting"
    assert "did you mean `brief.budget_tokens`?" in caught.value.hint


def test_setting_a_value_makes_the_file(desk: Desk) -> None:
    """The first `config set` finds no directory yet."""
    desk.environ["XDG_CONFIG_HOME"] = str(desk.root / "a" / "b")

    assert set_value(desk.places, "nudge", "on") == Setting("on", "user")

    file = Path(desk.places.user_config)
    assert json.loads(file.read_text()) == {"hooks": {"nudge": "on"}}
    assert file.stat().st_mode & 0o777 == 0o600
    assert file.parent.stat().st_mode & 0o777 == 0o700
    assert (desk.root / "a").stat().st_mode & 0o777 == 0o700
    assert desk.load().value_of("nudge") == Setting("on", "user")


def test_setting_a_value_keeps_everything_else(desk: Desk) -> None:
    """Keys we do not know, their order, other sections, text in any script."""
    before = {
        "zzz": {"mine": [1, 2.5, None]},
        "hooks": {"headless": "off", "shiny": "ทดสอบ", "nudge": "off"},
        "aaa": "\ud800",
        "enabled": True,
    }
    file = desk.user(before)
    file.chmod(0o644)

    set_value(desk.places, "hooks.nudge", "on")
    set_value(desk.places, "exclude", "a, b")
    set_value(desk.places, "enabled", "off")

    after = json.loads(file.read_text())
    assert list(after) == [*before, "exclude"]
    assert list(after["hooks"]) == ["headless", "shiny", "nudge"]
    assert after["zzz"] == before["zzz"]
    assert after["aaa"] == before["aaa"]
    assert (after["hooks"]["nudge"], after["exclude"]) == ("on", ["a", "b"])
    assert after["enabled"] is False
    assert file.stat().st_mode & 0o777 == 0o600
    assert [path.name for path in file.parent.iterdir()] == ["config.json"]


def test_a_value_written_flat_gives_way(desk: Desk) -> None:
    """Otherwise the old one would hide the new one."""
    desk.user({"hooks.nudge": "off"})

    set_value(desk.places, "nudge", "on")

    assert desk.load().hooks.nudge == "on"


@pytest.mark.parametrize(
    ("name", "text", "told"),
    [
        ("checkpoint_threshold", "50", "from 70 to 95"),
        ("budget_tokens", "-5", "is `-5`"),
        ("budget_tokens", "9" * 5000, "is `9999"),
        ("nudge", "", "`off` or `on`"),
        ("mirrors", "{", "a list such as"),
        ("share", '{"kind": "ftp"}', "an object such as"),
        ("share", '{"kind": "git", "remote": "--evil x"}', "an object such as"),
        ("share", '{"kind": "git", "remote": 1}', "an object such as"),
        ("share", '{"kind": "git", "projects": "all"}', "an object such as"),
        ("share", '{"kind": "git", "url": "https://x"}', "an object such as"),
        ("share", "origin", "an object such as"),
        ("exclude", "[1]", "a list of texts"),
        ("no.such", "1", "is not a setting"),
    ],
)
def test_what_would_not_validate_is_not_written(
    desk: Desk, name: str, text: str, told: str
) -> None:
    """A file that cannot be loaded must not come from us."""
    file = desk.user({"hooks": {"nudge": "on"}})
    before = file.read_bytes()

    with pytest.raises(ConfigInvalid, match=told):
        set_value(desk.places, name, text)

    assert file.read_bytes() == before


@pytest.mark.parametrize("content", ["{,}", "[]", '{"hooks": 5}'])
def test_a_broken_file_is_not_overwritten(desk: Desk, content: str) -> None:
    """What is in it may be one comma away from everything the user set."""
    file = desk.user(content)

    with pytest.raises(ConfigInvalid):
        set_value(desk.places, "nudge", "on")

    assert file.read_text() == content


def test_a_wrong_value_can_be_repaired_by_setting_it(desk: Desk) -> None:
    """The error's own hint must work."""
    desk.user({"hooks": {"checkpoint_threshold_percent": 5}})

    set_value(desk.places, "checkpoint_threshold", "80")

    assert desk.load().hooks.checkpoint_threshold_percent == 80


def test_nothing_is_written_through_a_link(desk: Desk) -> None:
    """Neither the file nor its directory may lead elsewhere."""
    kept = desk.write(desk.root / "kept" / "config.json", {"enabled": True})
    path = Path(desk.places.user_config)
    path.parent.mkdir(parents=True)
    path.symlink_to(kept)
    with pytest.raises(ConfigInvalid, match="symbolic link"):
        set_value(desk.places, "nudge", "on")
    path.unlink()
    path.parent.rmdir()
    path.parent.symlink_to(kept.parent)

    with pytest.raises(ConfigInvalid, match="cannot be written"):
        set_value(desk.places, "nudge", "on")

    assert json.loads(kept.read_text()) == {"enabled": True}
    assert path.parent.is_symlink()


def test_a_write_that_fails_leaves_the_file_as_it_was(desk: Desk) -> None:
    """A full disk must not cost the settings that were there."""
    file = desk.user({"enabled": True})
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (4, hard))
    try:
        with pytest.raises(ConfigInvalid, match="cannot be written: File too large"):
            set_value(desk.places, "nudge", "on")
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))

    assert json.loads(file.read_text()) == {"enabled": True}
    assert [path.name for path in file.parent.iterdir()] == ["config.json"]


def test_what_a_killed_process_left_does_not_disturb(desk: Desk) -> None:
    """Its half-written draft is replaced, a link in its place not followed."""
    file = desk.user({})
    victim = desk.write(desk.root / "victim", "untouched")
    file.with_name(".config.json.tmp").symlink_to(victim)

    set_value(desk.places, "nudge", "on")

    assert desk.load().hooks.nudge == "on"
    assert victim.read_text() == "untouched"
    assert [path.name for path in file.parent.iterdir()] == ["config.json"]


def test_two_settings_at_once_are_both_kept(desk: Desk) -> None:
    """Two windows, one file."""
    names = ["max_auto_summaries", "cleanup_after_days", "max_file_mb", "keep_gb"]
    places = desk.places

    def write(name: str) -> None:
        for number in range(1, 9):
            set_value(places, name, str(number))

    threads = [threading.Thread(target=write, args=(name,)) for name in names]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert [desk.load().value_of(name).value for name in names] == [8] * 4


@given(st.sampled_from(KEYS), st.text())
def test_any_text_is_taken_or_refused(key: Any, text: str) -> None:
    """Whatever is typed, the kind accepts its own reading or says no."""
    value = key.kind.from_text(text)

    assert key.kind.accepts(value) in (True, False)
    if key.kind.accepts(value):
        assert json.loads(json.dumps(value)) == value


@pytest.mark.parametrize(
    ("environ", "expected"),
    [
        pytest.param(
            {"HOME": "/h"},
            Places(
                home="/h/.local/share/holdfast",
                user_config="/h/.config/holdfast/config.json",
                contextd_config="/h/.config/contextd/config.json",
                claude_dir="/h/.claude",
            ),
            id="nothing set",
        ),
        pytest.param(
            {
                "HOME": "/h",
                "XDG_DATA_HOME": "/d",
                "XDG_CONFIG_HOME": "/c",
                "CLAUDE_CONFIG_DIR": "/claude",
            },
            Places(
                home="/d/holdfast",
                user_config="/c/holdfast/config.json",
                contextd_config="/h/.config/contextd/config.json",
                claude_dir="/claude",
            ),
            id="the standard variables",
        ),
        pytest.param(
            {
                "HOME": "relative",
                "HOLDFAST_HOME": "~/mine",
                "XDG_CONFIG_HOME": "relative",
                "CLAUDE_CONFIG_DIR": "~/claude",
            },
            Places(
                home="/account/mine",
                user_config="/account/.config/holdfast/config.json",
                contextd_config="/account/.config/contextd/config.json",
                claude_dir="/account/claude",
            ),
            id="our own home, and relative paths ignored",
        ),
    ],
)
def test_places_follow_the_environment(
    environ: dict[str, str], expected: Places
) -> None:
    """The environment is an argument, so nothing real is touched."""
    assert default_places(environ, account_home="/account")[:4] == expected[:4]


@pytest.mark.parametrize(
    ("environ", "name", "expected"),
    [
        ({}, "codex_dir", "/h/.codex"),
        ({"CODEX_HOME": "/c"}, "codex_dir", "/c"),
        ({"CODEX_HOME": "relative"}, "codex_dir", "/h/.codex"),
        ({"CODEX_HOME": "/project/.codex"}, "codex_dir", "/h/.codex"),
        ({}, "gemini_dir", "/h/.gemini"),
        ({"GEMINI_CLI_HOME": "/g"}, "gemini_dir", "/g/.gemini"),
        ({"COPILOT_HOME": "~/c"}, "copilot_dir", "/h/c"),
        ({"PI_CODING_AGENT_DIR": "/pi"}, "pi_dir", "/pi"),
        ({"XDG_DATA_HOME": "/d"}, "opencode_db", "/d/opencode/opencode.db"),
        ({"OPENCODE_DB": "/o.db"}, "opencode_db", "/o.db"),
        (
            {"OPENCODE_DB": "/project/o.db"},
            "opencode_db",
            "/h/.local/share/opencode/opencode.db",
        ),
    ],
)
def test_other_agents_are_where_their_variables_say(
    environ: dict[str, str], name: str, expected: str
) -> None:
    """Not inside a project: there a stranger may have set them."""
    places = default_places(
        {"HOME": "/h", **environ}, projects=["/project"], account_home="/account"
    )

    assert getattr(places, name) == expected


@pytest.mark.parametrize(
    "variable",
    ["HOLDFAST_HOME", "XDG_DATA_HOME", "XDG_CONFIG_HOME", "HOME", "CLAUDE_CONFIG_DIR"],
)
@pytest.mark.parametrize("through_a_link", [False, True])
def test_t26_a_home_inside_the_project_is_refused(
    desk: Desk,
    variable: str,
    through_a_link: bool,  # noqa: FBT001  # a column of the table
) -> None:
    """A repository could bring a store, or a configuration that names one."""
    (desk.project / ".git").mkdir()
    inside = desk.project / "inside"
    inside.mkdir()
    if through_a_link:
        (desk.root / "link").symlink_to(inside)
        inside = desk.root / "link"
    desk.environ[variable] = str(inside)

    with pytest.raises(HomeRefused) as caught:
        default_places(
            desk.environ,
            projects=[str(desk.project)],
            account_home=str(desk.root / "nobody"),
        )

    assert caught.value.code == "CONF_002"
    assert str(desk.project) in caught.value.message
    named = variable if variable == "CLAUDE_CONFIG_DIR" else "HOME"
    assert named in caught.value.hint


def test_working_on_ones_own_client_directory_is_fine(tmp_path: Path) -> None:
    """People keep `~/.claude` in a repository; only another one can be a stranger's."""
    own, other = tmp_path / ".claude", tmp_path / ".claude" / "other"
    (own / ".git").mkdir(parents=True)
    environ = {"HOME": str(tmp_path), "CLAUDE_CONFIG_DIR": f"{own}/"}

    places = default_places(environ, projects=[str(own)], account_home=str(tmp_path))
    environ["CLAUDE_CONFIG_DIR"] = str(other)

    assert places.claude_dir == f"{own}/"
    with pytest.raises(HomeRefused, match="the client's directory"):
        default_places(environ, projects=[str(own)], account_home=str(tmp_path))


def test_the_project_itself_cannot_be_the_home(desk: Desk) -> None:
    """Equal counts as inside, and a project may be named by a link, too."""
    desk.environ["HOLDFAST_HOME"] = str(desk.project)
    (desk.root / "alias").symlink_to(desk.project)

    with pytest.raises(HomeRefused):
        default_places(
            desk.environ, projects=[str(desk.root / "alias")], account_home="/nobody"
        )


def test_a_neighbour_with_a_longer_name_is_not_inside(desk: Desk) -> None:
    """`/code/app-data` does not lie in `/code/app`."""
    desk.environ["HOLDFAST_HOME"] = f"{desk.project}-data"

    places = default_places(
        desk.environ, projects=[str(desk.project)], account_home="/nobody"
    )

    assert places.home == f"{desk.project}-data"


@pytest.mark.parametrize("project", ["/account", "/"])
def test_working_in_the_home_directory_itself_is_fine(project: str) -> None:
    """A project around the account's own home is the user's, not a stranger's."""
    places = default_places(
        {"HOME": "/account"}, projects=[project], account_home="/account"
    )

    assert places.home == "/account/.local/share/holdfast"


@pytest.mark.parametrize("setter", [".git", ".claude", ".mcp.json", ".envrc"])
def test_home_is_not_believed_where_something_could_have_set_it(
    tmp_path: Path, setter: str
) -> None:
    """An unpacked archive sets the environment of hooks as a repository does."""
    home = tmp_path / "me"
    (home / setter).mkdir(parents=True)

    with pytest.raises(HomeRefused):
        default_places(
            {"HOME": str(home)}, projects=[str(home)], account_home="/account"
        )


def test_home_is_believed_in_a_directory_that_sets_nothing(tmp_path: Path) -> None:
    """A shell in a scratch directory around a scratch home is nobody else's project."""
    home = tmp_path / "me"
    home.mkdir()

    places = default_places(
        {"HOME": str(home)}, projects=[str(tmp_path)], account_home="/account"
    )

    assert places.home == f"{home}/.local/share/holdfast"


def test_without_a_home_variable_the_machine_knows() -> None:
    """Some services start programs with hardly any environment."""
    places = default_places({})

    assert places.home.endswith("/.local/share/holdfast")
    assert Path(places.home).is_absolute()


def test_a_project_no_file_system_knows_contains_nothing() -> None:
    """The directory comes from somebody's JSON."""
    places = default_places({"HOME": "/h"}, projects=["a\0b"], account_home="/account")

    assert places.home == "/h/.local/share/holdfast"


def test_a_home_that_depends_on_the_directory_is_refused() -> None:
    """Relative means: inside whatever project is open."""
    with pytest.raises(HomeRefused, match="current directory"):
        default_places({"HOME": "/h", "HOLDFAST_HOME": "data"}, account_home="/h")


@pytest.mark.process
def test_loading_needs_nothing_heavy() -> None:
    """Every hook reads the configuration."""
    heavy = {"pathlib", "subprocess", "logging", "tempfile", "argparse", "hashlib"}
    already = _modules_after("pass")

    loaded = _modules_after("import holdfast.config") - already

    assert "holdfast.config" in loaded
    assert heavy.isdisjoint(loaded)


def _modules_after(code: str) -> set[str]:
    done = subprocess.run(
        [sys.executable, "-I", "-c", f"{code}; import sys; print(*sys.modules)"],
        capture_output=True,
        text=True,
        check=True,
    )
    return set(done.stdout.split())


@pytest.mark.parametrize(
    "value",
    [
        pytest.param(["*"], id="everything"),
        pytest.param(["a?b*"], id="too little"),
        pytest.param(["abcd*e*f*"], id="too many runs"),
        pytest.param("abcd", id="no list"),
        pytest.param([4], id="no text"),
    ],
)
def test_a_pattern_that_would_match_anything_is_refused(
    desk: Desk, value: object
) -> None:
    """A rule of one star would take everything out of every record."""
    desk.user({"redaction": {"rules": value}})

    with pytest.raises(ConfigInvalid, match=r"redaction\.rules"):
        desk.load()


def test_only_the_user_may_allow_what_looks_like_a_secret(desk: Desk) -> None:
    """A repository's file, or its environment, must not weaken redaction (T26)."""
    desk.project_file({"redaction": {"allow": ["ghp_*"], "rules": ["abcd"]}})
    desk.environ["HOLDFAST_ALLOW"] = "ghp_*"

    config = desk.load()

    assert (config.redaction.allow, config.redaction.rules) == ((), ())
    assert len(config.warnings) == 3


def test_a_change_does_not_wait_for_one_that_hangs(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whoever holds the directory may never let go: say so instead of hanging, too."""
    monkeypatch.setattr("holdfast.config.layers._PATIENCE", 0.0)
    place = desk.user({}).parent
    holder = os.open(place, os.O_RDONLY)
    fcntl.flock(holder, fcntl.LOCK_EX)

    with pytest.raises(ConfigInvalid, match="for too long"):
        set_value(desk.places, "nudge", "on")

    os.close(holder)
    assert set_value(desk.places, "nudge", "on") == Setting("on", "user")
