"""What every room stands on: errors, ids, the clock, files, locks, and Python made cheap."""
