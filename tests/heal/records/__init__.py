"""Tests of what git heal keeps of a repository."""
