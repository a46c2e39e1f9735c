"""Keep and find: the promise, and one package per engine that keeps it."""
