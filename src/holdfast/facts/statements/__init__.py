"""What was said that stays true: decisions, discoveries, next steps, reports, notes."""
