"""Checkpoints that leave this machine, and those that come from another."""
