"""Every setting there is: its default, what it may be, what it means, who may set it.

The reference documentation is made from this.
"""

import json
from collections import Counter
from collections.abc import Callable, Iterable
from operator import gt, lt
from typing import Any

from holdfast.config.value_types import (
    Choice,
    Kind,
    Mirrors,
    SecretPatterns,
    ShareWith,
    StoreAddress,
    TeamPlace,
    Texts,
    Whole,
)
from holdfast.kernel.errors import ConfigInvalid
from holdfast.kernel.lazy_tuples import NamedTuple

RESERVED_VARIABLES = frozenset(["HOLDFAST_HOME", "HOLDFAST_DISABLE"])
_MANY = 1_000_000


class Key(NamedTuple):
    """One setting."""

    key: str
    kind: Kind
    default: Any
    meaning: str
    in_project: bool = False  # a repository's own file may set it
    user_only: bool = (
        False  # only the user's own file may: it reaches further than here
    )
    is_secret: bool = False  # its value may hold a password
    variable: str = ""
    # Whether the first value allows more than the second. What the user's own file says
    # strictly, the environment cannot loosen: a repository can set that of hooks.
    looser: Callable[[Any, Any], bool] | None = None

    @property
    def environment(self) -> str | None:
        """Return the variable that sets it, or None if none may."""
        return None if self.user_only else self.variable

    @property
    def allowed(self) -> str:
        return self.kind.says

    @property
    def default_text(self) -> str:
        return json.dumps(self.default)

    @property
    def section(self) -> str:
        return self.key.rpartition(".")[0]

    @property
    def last_segment(self) -> str:
        return self.key.rpartition(".")[2]


def after(strict_first: tuple[bool | str, ...]) -> Callable[[Any, Any], bool]:
    """Return whether a value comes after another in an order, the strictest first."""
    return lambda new, old: strict_first.index(new) > strict_first.index(old)


def with_variables(keys: Iterable[Key]) -> tuple[Key, ...]:
    """Return the keys with their variables: the last segment, unless two share it."""
    keys = tuple(keys)
    shared = Counter(key.last_segment for key in keys)
    return tuple(
        key._replace(
            variable="HOLDFAST_"
            + (key.key if shared[key.last_segment] > 1 else key.last_segment)
            .replace(".", "_")
            .upper(),
        )
        for key in keys
    )


KEYS = with_variables(
    [
        Key(
            key="enabled",
            kind=Choice(),
            default=True,
            meaning="Whether holdfast does anything at all; a project's own file can only turn it off.",
            in_project=True,
            looser=after((False, True)),
        ),
        Key(
            key="hooks.auto_checkpoint_on_clear",
            kind=Choice((True, False, "prompt")),
            default=True,
            meaning="Whether a session is saved when it is cleared; `prompt` saves first and asks afterwards.",
            looser=after((False, "prompt", True)),
        ),
        Key(
            key="hooks.auto_resume_on_start",
            kind=Choice((True, False, "prompt", "always")),
            default=True,
            meaning="What a new session is told: `true` what fits the earlier work, `false` nothing, `prompt` only the card until you agree, `always` the brief at every start.",
            looser=after((False, "prompt", True, "always")),
        ),
        Key(
            key="hooks.checkpoint_threshold_percent",
            kind=Whole(70, 95),
            default=70,
            meaning="How full the context may be before a checkpoint is made, in percent of the point where the client compacts.",
            in_project=True,
        ),
        Key(
            key="hooks.verify_before_clear",
            kind=Choice(),
            default=True,
            meaning="Whether you are told before a clear how much work is unsaved.",
        ),
        Key(
            key="hooks.headless",
            kind=Choice(("off", "capture", "full")),
            default="capture",
            meaning="What happens in sessions without a person: `off` nothing, `capture` one record at the end that is kept for 7 days, `full` everything.",
            looser=after(("off", "capture", "full")),
        ),
        Key(
            key="hooks.nudge",
            kind=Choice(("off", "on")),
            default="off",
            meaning="Whether you are reminded to save in a long session without a checkpoint.",
        ),
        Key(
            key="checkpoint.auto_summary_enabled",
            kind=Choice(),
            default=True,
            meaning="Accepted for contextd's settings, without effect: every checkpoint has a summary.",
        ),
        Key(
            key="checkpoint.max_auto_summaries",
            kind=Whole(1, _MANY),
            default=10,
            meaning="How many automatic checkpoints of a session stay when old ones are removed, once a day or by `holdfast prune`; the last one and those made at its end always stay.",
            looser=lt,
        ),
        Key(
            key="checkpoint.cleanup_after_days",
            kind=Whole(1, _MANY),
            default=30,
            meaning="After how many days an automatic checkpoint that a later one has replaced is removed, once a day or by `holdfast prune`.",
            looser=lt,
        ),
        Key(
            key="brief.budget_tokens",
            kind=Whole(100, 100_000),
            default=1000,
            meaning="How many tokens a brief may have, including its receipt.",
            in_project=True,
        ),
        Key(
            key="guard.require_checkpoint",
            kind=Choice(),
            default=False,
            meaning="Whether a clear needs a recent checkpoint, if the client lets a hook stop it.",
            looser=after((True, False)),
        ),
        Key(
            key="guard.allow_force",
            kind=Choice(),
            default=True,
            meaning="Whether `--force` clears all the same, with a warning.",
            looser=after((False, True)),
        ),
        Key(
            key="archive.auto_archive",
            kind=Choice(),
            default=False,
            meaning="Whether transcripts that the client will soon delete are archived automatically, once a day.",
            user_only=True,
        ),
        Key(
            key="exclude",
            kind=Texts(),
            default=[],
            meaning="Patterns of directories, such as `~/private/**`; sessions in them are never read.",
            user_only=True,
        ),
        Key(
            key="redaction.rules",
            kind=SecretPatterns(),
            default=[],
            meaning="Patterns of more texts that are secrets, such as `ACME-????-*`; text that matches becomes `[redacted:own:…]`.",
            user_only=True,
            is_secret=True,
        ),
        Key(
            key="redaction.allow",
            kind=SecretPatterns(),
            default=[],
            meaning="Patterns of texts that look like secrets but are not, such as `AKIA*EXAMPLE`; a text that matches completely stays.",
            user_only=True,
            is_secret=True,
        ),
        Key(
            key="snapshot.max_file_mb",
            kind=Whole(1, _MANY),
            default=5,
            meaning="The largest file a snapshot takes, in MB.",
            looser=gt,
        ),
        Key(
            key="snapshot.max_total_mb",
            kind=Whole(1, _MANY),
            default=200,
            meaning="The most that one snapshot may add, in MB; the oldest files wait for the next one.",
            looser=gt,
        ),
        Key(
            key="snapshot.keep_gb",
            kind=Whole(1, _MANY),
            default=2,
            meaning="How much space the code of all checkpoints may take, in GB, before `holdfast prune` removes the code of old automatic ones.",
            looser=lt,
        ),
        Key(
            key="store",
            kind=StoreAddress(),
            default="sqlite",
            meaning="Where checkpoints are stored: `sqlite`, or `sqlite:///DIR` for another directory.",
            user_only=True,
            is_secret=True,
        ),
        Key(
            key="team",
            kind=TeamPlace(),
            default=None,
            meaning="The PostgreSQL database that `holdfast sync team` shares checkpoints through: its address without a password, or an object with `dsn`, `tenant`, `password_file` and `projects` (patterns of the directories it applies to).",
            user_only=True,
            is_secret=True,
        ),
        Key(
            key="mirrors",
            kind=Mirrors(),
            default=[],
            meaning="Other systems that get a copy of each checkpoint.",
            user_only=True,
            is_secret=True,
        ),
        Key(
            key="share",
            kind=ShareWith(),
            default=None,
            meaning="The git remote that `holdfast sync git` shares checkpoints through, by its name; `projects` are patterns of the directories it applies to (default: all).",
            user_only=True,
        ),
    ]
)
BY_NAME = {key.key: key for key in KEYS}
SECTIONS = frozenset(key.section for key in KEYS if key.section)
_BY_LAST_SEGMENT = {key.last_segment: key for key in KEYS}
# Names of contextd that were not the last segment of ours.
OLD_NAMES = {
    "checkpoint_threshold": "hooks.checkpoint_threshold_percent",
    "auto_resume": "hooks.auto_resume_on_start",
}


def key_named(name: str) -> Key:
    """Return the key of this name, of this last segment, or of this old name.

    Raises:
        ConfigInvalid: there is none.
    """
    wanted = name.strip().lower()
    wanted = OLD_NAMES.get(wanted, wanted)
    found = BY_NAME.get(wanted) or _BY_LAST_SEGMENT.get(wanted)
    if found is not None:
        return found
    inside = [key.key for key in KEYS if wanted and wanted in key.key]
    nearest = f"did you mean `{inside[0]}`? " if inside else ""
    raise ConfigInvalid(
        f"`{name}` is not a setting",
        hint=f"{nearest}`holdfast config list` shows every setting",
    )
