"""Forget, scan, prune: the verbs that let go."""
