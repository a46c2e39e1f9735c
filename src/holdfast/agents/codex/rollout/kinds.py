"""The kinds of lines that say nothing about the work, and what ids look like.

What is neither here nor read elsewhere is counted as not understood.
"""

from holdfast.kernel.lazy_patterns import pattern

# What the ids of the client look like; what a model's service gives may be anything.
PLAIN_ID = pattern(
    r"(?:call|fc|msg|ctc|item|rs|ws)_[A-Za-z0-9]{1,48}|\d{1,20}"
    r"|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}(?::\d{1,15})?"
)
SILENT = frozenset(
    [
        "world_state", "token_usage_record", "security_risk_score",
        "inter_agent_communication", "inter_agent_communication_metadata",
    ]
)  # fmt: skip
# Told by other lines, or said to the client's screen only.
_SILENT_EVENTS = frozenset(
    [
        "task_started", "turn_started", "task_complete", "turn_complete", "thread_goal_updated",
        "thread_settings_applied", "agent_reasoning", "agent_reasoning_raw_content",
        "agent_reasoning_section_break", "patch_apply_end", "mcp_tool_call_end",
        "web_search_end", "image_generation_end", "context_compacted", "entered_review_mode",
        "exited_review_mode", "sub_agent_activity", "thread_name_updated", "view_image_tool_call",
        "exec_command_end", "guardian_assessment", "plan_update", "raw_response_item",
    ]
)  # fmt: skip
_SILENT_ITEMS = frozenset(
    [
        "FileChange", "Reasoning", "McpToolCall", "WebSearch", "SubAgentActivity",
        "ContextCompaction", "Plan", "ImageView", "ImageGeneration", "CollabAgentToolCall",
        "EnteredReviewMode", "ExitedReviewMode", "DynamicToolCall",
    ]
)  # fmt: skip
_SILENT_ANSWERS = frozenset(
    [
        "reasoning", "agent_message", "compaction", "compaction_summary", "context_compaction",
        "image_generation_call", "tool_search_output", "ghost_snapshot", "additional_tools",
    ]
)  # fmt: skip
KNOWN = {
    "item": _SILENT_ANSWERS,
    "event": _SILENT_EVENTS,
    "completed": _SILENT_ITEMS,
}
