"""The verbs, one file each. They know ports, never adapters."""
