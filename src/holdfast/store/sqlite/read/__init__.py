"""Finding one checkpoint, or listing the newest."""
