"""What a query means, which words find a text, which passage answers best. Pure."""
