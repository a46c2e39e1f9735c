"""Save, find, resume, compare: the verbs about checkpoints."""
