"""When a specification is reconciled with its source: one scheduler each."""
