"""holdfast keeps what a coding agent knows."""

__version__ = "0.1.0"
