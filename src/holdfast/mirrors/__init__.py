"""Other memory systems that get a copy of each checkpoint: one file each, behind one port."""
