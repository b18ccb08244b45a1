"""The Claude engine: a model says which atoms, and rarely writes a bridge; it does nothing else."""
