"""A build for benchmarks: each file given parses, by ``compile`` or its language's grammar.

    python parse_check.py FILE...

A file that is not there, and one of a language that nothing here reads, is passed over.
"""

import sys
from pathlib import Path

from tests.bench.statements import find_parser


def main() -> None:
    broken = [name for name in sys.argv[1:] if not _parses(Path(name))]
    for name in broken:
        print(f"{name}:1: does not parse")
    sys.exit(bool(broken))


def _parses(path: Path) -> bool:
    parses = find_parser(bytes(path))
    return parses is None or not path.is_file() or parses(path.read_bytes())


if __name__ == "__main__":
    main()
