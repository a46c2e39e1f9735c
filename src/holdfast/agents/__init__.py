"""One folder per agent: its transcripts, its tools, its wiring, its memory."""
