"""What happens at an agent's events: start, prompt, stop, compaction, end."""
