"""Fixes that need no model, one sort a module."""
