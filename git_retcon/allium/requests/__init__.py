"""What a model is asked about a source and its specification, and how its answers are taken."""
