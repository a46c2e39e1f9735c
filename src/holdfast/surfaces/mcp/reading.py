"""Resources and prompts: the brief as a document, and how to write a good checkpoint."""

from functools import partial

from holdfast.app.checkpoints.resume import Resumed
from holdfast.surfaces.mcp.calls import Calls
from holdfast.surfaces.mcp.finding import resumed_at

_HOW_TO_SAVE = """\
Save a checkpoint of this session with the `checkpoint_save` tool.{title}
Files, commands, errors, todos and the user's own words are taken from the transcript: \
do not repeat them. Write into `notes` what only you know, one short sentence each:
1. What was done: `key_outcomes` (3 to 7), `discoveries`.
2. What was decided and why: `decisions`; what you tried that failed: `dead_ends`.
3. What is open: `pending`, `open_questions`.
4. What comes next, the first command included: `next_steps`.
5. How the parts fit together, as you understand it now: `mental_model`.
Give `summary` 3 to 5 sentences. Leave out what is not so. Then tell the user the label."""


class ReadResources:
    def __init__(self, calls: Calls) -> None:
        self._calls = calls

    async def latest(self) -> str:
        return (await self._resumed("")).brief

    async def one(self, ref: str) -> str:
        return (await self._resumed(ref)).brief

    async def checkpoint(self, title: str = "") -> str:
        asked = f" Its title is {title.strip()!r}." if title.strip() else ""
        return _HOW_TO_SAVE.format(title=asked)

    async def resume(self, ref: str = "") -> str:
        told = (await self._resumed(ref)).brief
        return f"{told}\n\nTell me in one sentence where this stands, then wait for me."

    async def _resumed(self, ref: str) -> Resumed:
        return await self._calls.in_container(partial(resumed_at, ref, "context"))
