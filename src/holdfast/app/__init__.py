"""What holdfast can do, one file per verb. They know ports, never adapters."""
