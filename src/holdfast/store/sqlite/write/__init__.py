"""Everything that changes rows, in the caller's transaction."""
