"""One module an executable: options in, exit code out. No logic."""
