"""Files that people read and edit: handoff, memory, named checkpoints."""
