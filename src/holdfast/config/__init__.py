"""Configuration and places: defaults < user < project < environment < flag.

Environment, home directory and project are arguments, so nothing here depends on where
it runs. A repository may set thresholds and budgets, never a store, a team or a mirror.
"""

from holdfast.config.keys import KEYS, Key, key_named
from holdfast.config.layers import PROJECT_FILE, load, set_values
from holdfast.config.places import Places, default_places, is_disabled
from holdfast.config.settings import (
    BriefSettings,
    CheckpointSettings,
    Config,
    Guard,
    Hooks,
    MirrorSetting,
    Origin,
    Setting,
    Share,
    SnapshotLimits,
)

__all__ = [
    "KEYS",
    "PROJECT_FILE",
    "BriefSettings",
    "CheckpointSettings",
    "Config",
    "Guard",
    "Hooks",
    "Key",
    "MirrorSetting",
    "Origin",
    "Places",
    "Setting",
    "Share",
    "SnapshotLimits",
    "default_places",
    "is_disabled",
    "key_named",
    "load",
    "set_values",
]
