"""OpenCode: its database of sessions and its tools."""
