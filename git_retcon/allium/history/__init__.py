"""A source history in segments, and the branch that describes it in specifications."""
