"""``git allium``: a living Allium specification beside the commit history."""
