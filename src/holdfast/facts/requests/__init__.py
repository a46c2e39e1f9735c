"""What the user asked for, chose, refused and laid down as a rule."""
