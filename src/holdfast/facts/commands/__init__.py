"""What was run and what came of it: kinds, key lines, errors, dead ends."""
