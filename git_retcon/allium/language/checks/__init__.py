"""What makes a readable specification wrong or doubtful, one family of rules a module."""
