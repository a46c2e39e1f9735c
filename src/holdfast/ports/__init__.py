"""What the verbs need from the world, as promises. Each sentence is a contract test."""
