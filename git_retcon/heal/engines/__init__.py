"""Who finds fixes."""
