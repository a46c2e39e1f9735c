"""`checkpoint_configure`: the switches of automatic saving, and no others."""

from typing import Annotated, Any, Literal

from mcp.types import CallToolResult
from pydantic import Field

from holdfast.bootstrap import Container
from holdfast.domain.record_content import Json
from holdfast.surfaces.mcp.calls import Calls
from holdfast.surfaces.mcp.replies import reply

_KEYS = (
    "auto_checkpoint_on_clear", "auto_resume_on_start", "checkpoint_threshold_percent",
    "verify_before_clear",
)  # fmt: skip
Percent = Annotated[int | None, Field(ge=70, le=95)]


class SettingsTool:
    def __init__(self, calls: Calls) -> None:
        self._calls = calls

    async def checkpoint_configure(
        self,
        *,
        auto_checkpoint_on_clear: Literal[True, False, "prompt"] | None = None,
        auto_resume_on_start: Literal[True, False, "prompt", "always"] | None = None,
        checkpoint_threshold_percent: Percent = None,
        checkpoint_threshold: Percent = None,
        verify_before_clear: bool | None = None,
    ) -> CallToolResult:
        threshold = (
            checkpoint_threshold
            if checkpoint_threshold_percent is None
            else checkpoint_threshold_percent
        )
        wanted = {
            "auto_checkpoint_on_clear": auto_checkpoint_on_clear,
            "auto_resume_on_start": auto_resume_on_start,
            "checkpoint_threshold_percent": threshold,
            "verify_before_clear": verify_before_clear,
        }
        texts = {
            key: str(value).lower()
            for key, value in wanted.items()
            if value is not None
        }
        return reply(
            await self._calls.in_container(
                lambda container: _configured(texts, container)
            )
        )


def _configured(texts: dict[str, str], container: Container) -> Json:
    if texts:
        container.set_values(texts)
    found = {key: container.config.value_of(key) for key in _KEYS}
    values: dict[str, Any] = {
        f"hooks.{key}": {"value": setting.value, "from": setting.origin}
        for key, setting in found.items()
    }
    return {
        "type": "config",
        "success": True,
        "config": {key: setting.value for key, setting in found.items()},
        "values": values,
    }
