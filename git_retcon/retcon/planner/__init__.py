"""Placing every hunk in a commit, with no model."""
