"""A specification as a tree of modules that mirrors the source tree."""
