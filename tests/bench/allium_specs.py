"""How many of other people's specifications are read without an error.

    python -m tests.bench.allium_specs FOLDER... [--errors]

Files named ``*.allium`` below each folder, which is one project: its files may refer to each other.
Every error is to be looked at by a person: it is the file's, or it is ours.
"""

import argparse
import os
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

from git_retcon.allium.language import Diagnostic, check, is_error, list_entries, parse
from git_retcon.allium.language.formatter import format_spec, read_meaning


def read_project(folder: Path) -> dict[bytes, bytes]:
    """Path below the folder and bytes of every specification in it."""
    found: dict[bytes, bytes] = {}
    for file in sorted(folder.rglob("*.allium")):
        if file.is_file():
            found[os.fsencode(file.relative_to(folder))] = file.read_bytes()
    return found


def check_project(files: dict[bytes, bytes]) -> list[Diagnostic]:
    """All that is said of one project."""
    documents = [parse(data, path) for path, data in files.items()]
    for document in documents:
        list_entries(document)
    return check(documents)


def list_unstable(files: dict[bytes, bytes]) -> Iterator[bytes]:
    """Files whose meaning or whose second layout a layout changes: there should be none."""
    for path, data in files.items():
        laid = format_spec(data)
        if read_meaning(laid) != read_meaning(data) or format_spec(laid) != laid:
            yield path


def print_shares(total: int, unreadable: int, wrong: int, codes: Counter[str]) -> None:
    readable, right = total - unreadable, total - unreadable - wrong
    print(f"{total} files: {readable} parse ({readable / total:.0%}), ", end="")
    print(f"{right} of them have no error at all ({right / total:.0%} of all files)")
    for code, count in codes.most_common():
        print(f"{count:6} {code}")


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0] if __doc__ else "")
    parser.add_argument("folder", type=Path, nargs="+")
    parser.add_argument("--errors", action="store_true", help="print each error")
    options = parser.parse_args(arguments)
    total = unreadable = wrong = 0
    codes: Counter[str] = Counter()
    for folder in options.folder:
        files = read_project(folder)
        errors = [found for found in check_project(files) if is_error(found)]
        broken = {found.file for found in errors if found.code == "allium.parse.error"}
        codes.update(found.code for found in errors)
        total += len(files)
        unreadable += len(broken)
        wrong += len({found.file for found in errors} - broken)
        for found in errors if options.errors else ():
            path = folder / os.fsdecode(found.file)
            print(f"{path}:{found.line}:{found.column}: {found.message} ({found.code})")
        for path in list_unstable(files):
            print(f"{folder / os.fsdecode(path)}: the layout is not stable")
    if not total:
        raise SystemExit("no file named *.allium is below these folders")
    print_shares(total, unreadable, wrong, codes)


if __name__ == "__main__":
    main()
