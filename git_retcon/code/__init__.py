"""Programming languages: definitions, symbols, imports, and what tools print when they fail."""
