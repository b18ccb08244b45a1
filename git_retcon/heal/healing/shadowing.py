"""Modules whose name is that of another one, which Python then no longer finds."""

import sys

# What judges in most repositories, and what starts by itself.
_TOOLS = frozenset(
    {
        "_pytest", "black", "coverage", "flake8", "hypothesis", "isort", "mypy", "nose", "pip",
        "pluggy", "py", "pyflakes", "pylint", "pyright", "pytest", "ruff", "setuptools",
        "sitecustomize", "tox", "usercustomize",
    }
)  # fmt: skip
_SOURCE_ROOTS = ("", "src/", "lib/", "tests/", "test/")


def shadows_module(path: bytes) -> bool:
    """Whether a file at the top of a source folder takes the place of a module of the standard
    library, or of a tool that judges.
    """
    text = path.decode("utf-8", "surrogateescape")
    for root in _SOURCE_ROOTS:
        rest = text.removeprefix(root)
        if not text.startswith(root):
            continue
        first, slash, below = rest.partition("/")
        stem, dot, ending = first.partition(".")
        is_module = (dot and ending in ("py", "pyi", "pyc", "so") and not slash) or (
            slash and below in ("__init__.py", "__main__.py")
        )
        if is_module and (stem in _TOOLS or stem in sys.stdlib_module_names):
            return True
    return False
