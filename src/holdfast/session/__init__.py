"""Events to session state: the fold, its turns, and what a rewind leaves behind. Pure."""
