"""Check a store and repair it: keep what can be verified, move the rest aside."""
