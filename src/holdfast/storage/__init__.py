"""Keep and find: one package per engine, each passing tests/contract."""
