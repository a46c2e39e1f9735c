"""Verbs about code: restore, undo, bisect, blame."""
