"""Claude Code's log in, events out; never an exception."""
