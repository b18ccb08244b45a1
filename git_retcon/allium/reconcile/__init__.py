"""Reconciliation: the specification compared with the source again, and corrected."""
