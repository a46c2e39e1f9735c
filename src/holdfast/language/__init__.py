"""How people say it, language by language. Knows nothing of what it is used for."""
