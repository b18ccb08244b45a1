"""Tokens to a syntax tree, by recursive descent with an explicit limit on depth."""
