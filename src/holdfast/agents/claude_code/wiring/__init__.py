"""Wiring into Claude Code: its plugin, its settings, its commands."""
