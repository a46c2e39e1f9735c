"""Sessions that are over: kept from their transcripts, archived, opened again."""
