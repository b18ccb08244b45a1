"""Tests of what is read from reports."""
