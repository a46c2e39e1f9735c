"""All that is Claude Code's."""
