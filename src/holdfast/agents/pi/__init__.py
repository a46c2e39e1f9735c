"""pi: its sessions and its tools."""
