"""The file itself: opening it, its structure, its head and its key."""
