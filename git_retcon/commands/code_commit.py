"""``git code-commit``: not built yet."""

import sys

from git_retcon.errors import Fatal


def main() -> int:
    """Say so; the exit status is git's for "fatal"."""
    sys.stderr.write("fatal: not built yet\n")
    return Fatal.status


if __name__ == "__main__":
    sys.exit(main())
