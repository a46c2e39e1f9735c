"""What other programs keep of coding sessions, read and never written: a file per program."""
