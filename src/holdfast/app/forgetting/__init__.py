"""Verbs that remove: forget, scan, prune."""
