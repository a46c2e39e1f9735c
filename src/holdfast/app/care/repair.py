"""Repair, step by step: one that cannot be done does not keep the others from it."""

from collections.abc import Callable, Iterable, Sequence

from holdfast.domain.query import Finding
from holdfast.kernel.errors import HoldfastError

Step = Callable[[], Iterable[str]]


def repair(steps: Sequence[tuple[str, Step]]) -> tuple[Finding, ...]:
    """Return what each step did, and what could not be done."""
    done: list[Finding] = []
    for name, step in steps:
        try:
            for said in step():
                done.append(Finding(name, "ok", said))  # noqa: PERF401  # stays if it fails
        except HoldfastError as trouble:
            done.append(Finding(name, "fail", trouble.message, trouble.hint))
        except OSError as problem:
            message = f"cannot be repaired: {problem.strerror or problem}"
            done.append(Finding(name, "fail", message, "check free space and rights"))
    return tuple(done)
