"""``git retcon edit``: the plan as a text that its user changes, and back."""
