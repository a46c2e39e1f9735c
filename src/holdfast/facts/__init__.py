"""Session state to facts: what was asked, run, said and worked on. Pure."""
