"""Four git commands that keep a project's history true: retcon, heal, allium, code-commit."""

__version__ = "0.1.0"
