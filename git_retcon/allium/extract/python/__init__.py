"""Python: parsed once by `ast`; what each framework means is in tables."""
