"""The one chokepoint for secrets: what they look like, and where they stand. Pure."""
