"""What a project remembers in files: facts, episodes, lessons, repeated workflows."""
