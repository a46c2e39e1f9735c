"""Telling that work goes on, without a clock: the work ends when it was told of thrice."""

import anyio
import pytest

from holdfast.surfaces.mcp.dialogue import while_telling


class Listener:
    """A client that asked for progress, and releases the work after some of it."""

    def __init__(self, patience: int) -> None:
        self.told: list[tuple[float, str | None]] = []
        self.enough = anyio.Event()
        self._patience = patience

    async def report_progress(
        self, progress: float, total: float | None = None, message: str | None = None
    ) -> None:
        del total
        self.told.append((progress, message))
        if len(self.told) >= self._patience:
            self.enough.set()


def test_long_work_is_told_again_and_again() -> None:
    """Progress grows with each word, as the protocol wants it."""

    async def scene() -> tuple[str, Listener]:
        listener = Listener(patience=3)

        async def work() -> str:
            await listener.enough.wait()
            return "saved"

        return await while_telling(listener, "reading", work, every=0), listener

    done, listener = anyio.run(scene)

    steps = [step for step, _ in listener.told]
    assert done == "saved"
    assert listener.told[:3] == [(0, "reading"), (1, "reading"), (2, "reading")]
    assert listener.told[-1][1] == "done"
    assert steps == sorted(steps)


def test_trouble_comes_out_as_it_was() -> None:
    """The error's own type decides what the agent is told."""

    async def scene() -> None:
        async def work() -> str:
            raise KeyError("the store")

        await while_telling(Listener(patience=9), "reading", work)

    with pytest.raises(KeyError, match="the store"):
        anyio.run(scene)
