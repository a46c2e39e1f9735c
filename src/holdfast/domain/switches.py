"""Did the user turn it off? Pure."""

from holdfast.domain.client import Switch


def is_switched_off(
    switches: tuple[Switch, ...], project: str, session: str, now_ms: int
) -> bool:
    """Say whether the user turned this off: everything, the project or the session."""
    off = {("all", ""), ("project", project), ("session", session)}
    return any(
        (switch.kind, switch.value) in off
        and (switch.until is None or now_ms < switch.until)
        for switch in switches
    )
