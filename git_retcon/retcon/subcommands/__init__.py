"""The small commands beside a run."""
