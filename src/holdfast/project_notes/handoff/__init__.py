"""The handoff file: what a session leaves open, merged with what people wrote."""
