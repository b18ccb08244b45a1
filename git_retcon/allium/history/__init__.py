"""A source history in segments, and the branch that tells it in specifications."""
