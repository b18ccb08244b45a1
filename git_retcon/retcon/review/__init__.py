"""``git retcon review``: the questions about a plan that matter most, a page at a time."""
