"""Who describes a step: the source itself, read by parser, or a model."""
