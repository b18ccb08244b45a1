"""Healing: from the errors of a check to proved fixes."""
