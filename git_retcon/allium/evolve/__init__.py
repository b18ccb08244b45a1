"""A run of evolve: which commits are still to be described, each step, and the record of it."""
