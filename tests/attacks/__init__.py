"""Attacks on what a command of ours promises, run for real and judged from outside."""
