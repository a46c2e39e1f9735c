"""What a new session is told: one pure decision."""
