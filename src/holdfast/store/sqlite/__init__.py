"""The store on SQLite, the default."""
