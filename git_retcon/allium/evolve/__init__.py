"""A run of evolve: which commits are still to be told, each step, and the record of it."""
