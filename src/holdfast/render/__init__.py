"""A checkpoint in, text out: brief, receipt, report, observation. Pure."""
