"""One layout for every specification: indentation, spacing, blank lines. Lines are never broken."""
