"""From a worktree to a tree: look, judge, write, hold, let go."""
