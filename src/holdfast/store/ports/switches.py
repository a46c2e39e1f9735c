"""What the user turned off. Each sentence is a contract test."""

from typing import Protocol

from holdfast.domain.client import Switch, SwitchKind


class Switches(Protocol):
    def switch_off(self, switch: Switch) -> None:
        """Keep a switch, replacing the one of the same kind and value."""
        ...

    def switch_on(self, kind: SwitchKind, value: str = "") -> bool:
        """Take a switch away; say whether there was one."""
        ...

    def switches(self) -> tuple[Switch, ...]:
        """Return every switch, expired ones too: the caller knows the time."""
        ...

    def ask_fresh(self, workspace: str) -> None:
        """Keep that the next session in a workspace is to be told nothing."""
        ...

    def is_fresh(self, workspace: str) -> bool:
        """Say whether a clean start was asked for and not used yet."""
        ...

    def spend_fresh(self, workspace: str) -> None:
        """Use it up: the session after the next is told as usual."""
        ...
