"""The offline engine reads declarations of a specification from source files, with evidence."""
