"""Python's syntax: names, constants, conditions, and what a statement touches."""
