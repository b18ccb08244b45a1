"""The recorded results of an older tool's own tests (``conformance/detent``), and ours beside.

    python -m tests.bench.golden      prints what differs

What its parsers do between two calls is left out: a first line that a sequence goes on with, and
a sequence of which nothing is asked at its end. So are paths with spaces, which it cannot read.
"""

import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from git_retcon.code.diagnostics.complaints import extract_complaints
from git_retcon.code.diagnostics.diagnostic import Diagnostic
from git_retcon.code.diagnostics.step_tools import choose_families

Record = tuple[object, ...]


class Case(NamedTuple):
    """One case: what is given, and which file, line, column, severity and category are read."""

    output: str
    step: str
    expected: tuple[Record, ...]

    def read(self) -> tuple[Record, ...]:
        families = choose_families(self.step.removeprefix("Run "))
        found = extract_complaints(self.output.encode("utf-8", "surrogateescape"), families)
        return tuple(map(_view, found))


def find_golden() -> Path | None:
    """``$GIT_RETCON_CONFORMANCE``, else ``shared/conformance`` in a folder above; None without."""
    named = os.environ.get("GIT_RETCON_CONFORMANCE")
    folders = [Path(named)] if named else []
    folders += [parent / "shared" / "conformance" for parent in Path(__file__).resolve().parents]
    files = (folder / "detent" / "golden.json" for folder in folders)
    return next((file for file in files if file.is_file()), None)


def lines_and_sequences(golden: dict[str, list[dict[str, object]]]) -> Iterator[Case]:
    """The single lines, then the sequences."""
    sequences = golden["sequences"]
    goes_on = {str(each["lines"][0]) for each in sequences}  # type: ignore[index]
    for each in golden["single_line"]:
        line = str(each["line"])
        if each["expect"] is not None or not (line in goes_on or "with spaces/" in line):
            yield Case(line, str(each["step"]), _wanted([each["expect"]]))
    answered = [each["lines"] for each in sequences if each["expect"]]
    for each in sequences:
        is_asked = each["ops"][-1][0] == "finishMultiLine"  # type: ignore[index]
        if is_asked and (each["expect"] or each["lines"] not in answered):
            yield Case("\n".join(each["lines"]), "", _wanted(each["expect"]))  # type: ignore[arg-type]


def whole_outputs(golden: dict[str, list[dict[str, object]]]) -> Iterator[Case]:
    """The whole outputs."""
    for each in golden["extract"]:
        yield Case(str(each["output"]), "", _wanted(each["expect"]))


def noise(golden: dict[str, list[dict[str, object]]]) -> Iterator[str]:
    """The lines that are no error."""
    return (str(each["line"]) for each in golden["noise"] if each["noise"])


def _wanted(expected: object) -> tuple[Record, ...]:
    records = [each for each in expected or () if each]  # type: ignore[attr-defined]
    keys = ("file", "line", "column", "severity", "category")
    found = [[each.get(key) for key in keys] for each in records]
    return tuple((_plain(file), *rest) for file, *rest in found)


def _plain(file: str | None) -> str | None:
    return file.removeprefix("./") if file else None


def _view(found: Diagnostic) -> Record:
    path = found.path.decode("utf-8", "replace") if found.path else None
    return (path, found.line, found.column, found.severity.value, found.category.value)


def main() -> None:
    """Print each case that differs."""
    file = find_golden()
    if file is None:
        raise SystemExit("shared/conformance/detent is not here")
    golden = json.loads(file.read_text("utf-8"))
    for name, cases in (("lines", lines_and_sequences(golden)), ("outputs", whole_outputs(golden))):
        listed = list(cases)
        differing = [case for case in listed if case.read() != case.expected]
        print(f"{name}: {len(listed) - len(differing)} of {len(listed)}")
        for case in differing:
            print(f"  {case.output!r}\n    theirs {case.expected}\n    ours   {case.read()}")
    for line in noise(golden):
        if found := extract_complaints(line.encode()):
            print(f"noise: {line!r} {found}")


if __name__ == "__main__":
    main()
