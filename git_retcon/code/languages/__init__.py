"""All that is known of each language: one file for a language or a family of alike ones."""
