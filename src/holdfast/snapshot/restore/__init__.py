"""From a tree back to files, and the notes that undo it."""
