"""What the agent calls at its events: the hot path."""
