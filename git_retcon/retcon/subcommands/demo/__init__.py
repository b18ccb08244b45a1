"""The demo: a small project, a messy branch of it, and the spec that says what it should be.

``main.mbox`` and ``feature.mbox`` hold the commits as ``git format-patch`` writes them. To change
them: build the repository, change its commits with git, and write them out again with
``git format-patch --stdout --no-signature --zero-commit --no-stat [--root main | main..feature]``.
"""
