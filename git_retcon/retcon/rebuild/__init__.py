"""A run from its first line to its last."""
