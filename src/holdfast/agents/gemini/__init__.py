"""Gemini CLI: its sessions, its tools, its wiring."""
