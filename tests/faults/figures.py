"""What the fault tests measured, told at the end of a run."""

_told: list[str] = []


def figure(text: str) -> None:
    """Have a line told at the end of the run."""
    _told.append(text)


def told() -> tuple[str, ...]:
    return tuple(_told)
