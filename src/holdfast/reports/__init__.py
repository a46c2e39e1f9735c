"""A checkpoint for people: lists, views, reports, hits, the status line. Pure."""
