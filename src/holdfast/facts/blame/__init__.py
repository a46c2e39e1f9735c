"""Which prompt made each line of a file: its versions, and what lies between two. Pure."""
