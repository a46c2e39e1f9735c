"""The code's side of a checkpoint: reads git, runs nothing of the repository's."""
