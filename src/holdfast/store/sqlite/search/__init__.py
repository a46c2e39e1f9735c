"""The full-text index: written, narrowed, read and ranked."""
