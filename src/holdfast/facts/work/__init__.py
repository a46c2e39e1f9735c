"""What was worked on: files, tasks, topics, outcomes, what is in flight, what is inherited."""
