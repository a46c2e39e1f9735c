"""Whether a first prompt continues a work, by its words."""
