"""A failed build, and the hunks that answer it."""
