"""Restore, undo, bisect: the verbs about code."""
