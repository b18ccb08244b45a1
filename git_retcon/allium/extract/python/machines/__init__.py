"""Machines and tables of transitions that a class or file writes down as such."""
