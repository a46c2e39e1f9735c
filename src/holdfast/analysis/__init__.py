"""Events in, facts out: the fold, what it means, redaction, words. Pure."""
