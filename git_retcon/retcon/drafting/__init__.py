"""``git retcon plan``: a specification drafted from a branch alone."""
