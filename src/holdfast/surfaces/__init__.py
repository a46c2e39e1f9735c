"""Surfaces speak a protocol: the command line, the agent's hooks, MCP."""
