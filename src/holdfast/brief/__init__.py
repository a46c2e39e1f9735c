"""Facts to the text a session gets: what fits a budget, its layout, its receipt. Pure."""
