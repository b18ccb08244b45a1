"""The history specification: what it says, and its file on disk."""
