"""Facts in, advice out: retention, what fits a budget, which project. Pure."""
