"""The source branch, and the branch that is rebuilt from it."""
