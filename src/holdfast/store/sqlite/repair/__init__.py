"""Is it whole? And if not: what can be proved is kept, the rest is moved aside."""
