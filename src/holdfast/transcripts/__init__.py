"""Someone else's log in, events out: one module per agent, never an exception."""
