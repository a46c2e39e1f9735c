"""Codex CLI: its rollouts, its tools, its wiring."""
