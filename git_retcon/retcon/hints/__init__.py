"""Reading what commit messages and hints say."""
