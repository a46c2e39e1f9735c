"""Handoff, memory, names: the verbs about files that people read."""
