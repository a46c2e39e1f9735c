"""Copilot CLI: its sessions and its tools."""
