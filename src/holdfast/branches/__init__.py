"""Checkpoints that part from one: where they parted, side by side, and merged. Pure."""
