"""How many secrets of gitleaks' rules are masked, and how much that is none.

    python -m tests.bench.secrets GITLEAKS PROJECT... [--left] [--masked]

``GITLEAKS`` is a checkout of gitleaks/gitleaks: the positives of its rules are the secrets.
A ``PROJECT`` is a checkout of anything else: each masked part of its files is to be looked at by a
person (``--masked`` lists them): it is a secret, or a false alarm.
"""

import argparse
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from git_retcon.model.redaction import Redactor
from tests.bench.gitleaks_rules import Positive, read_positives

# What is left of a secret may be the words around it: a host, a path, the name of a key.
_TELLING = re.compile(r"[A-Za-z0-9+=]{8,}")
_WORD = re.compile(r"[A-Za-z]?[a-z]+|[A-Z]+")


def is_masked(positive: Positive, redactor: Redactor) -> bool:
    """Whether nothing of the secret is left that says something."""
    data = positive.text.encode()
    start, end = (len(positive.text[:at].encode()) for at in positive.secret)
    left, at = [], start
    spans = [span for span in redactor.find_spans(data) if span[0] < end and start < span[1]]
    for first, last in spans:
        left.append(data[at : max(at, first)])
        at = max(at, last)
    left.append(data[min(at, end) : end])
    rest = " ".join(part.decode(errors="replace") for part in left)
    left = [run for run in _TELLING.findall(rest) if not _WORD.fullmatch(run)]
    return bool(spans) and not left


class Alarm(NamedTuple):
    path: Path
    line: int
    masked: bytes
    around: bytes


def list_masked(project: Path, redactor: Redactor) -> Iterator[Alarm]:
    """Every masked part of a project's text files."""
    for path in list_texts(project):
        data = path.read_bytes()
        for start, end in redactor.find_spans(data):
            line_start = data.rfind(b"\n", 0, start) + 1
            number = data.count(b"\n", 0, start) + 1
            around = data[max(line_start, start - 60) : end + 30].split(b"\n")[0]
            yield Alarm(path.relative_to(project), number, data[start:end], around)


def list_texts(project: Path) -> Iterator[Path]:
    for path in sorted(project.rglob("*")):
        if ".git" not in path.parts and path.is_file() and not path.is_symlink():
            with path.open("rb") as file:
                if b"\0" not in file.read(8000):  # as git tells a text from a binary file
                    yield path


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0] if __doc__ else "")
    parser.add_argument("gitleaks", type=Path)
    parser.add_argument("project", type=Path, nargs="*")
    parser.add_argument("--left", action="store_true", help="print what is not masked")
    parser.add_argument("--masked", action="store_true", help="print what is masked in projects")
    options = parser.parse_args(arguments)
    redactor = Redactor()
    _print_positives(options.gitleaks, redactor, options.left)
    for project in options.project:
        _print_alarms(project, redactor, options.masked)


def _print_positives(gitleaks: Path, redactor: Redactor, left: bool) -> None:
    positives, without = read_positives(gitleaks)
    missed = [positive for positive in positives if not is_masked(positive, redactor)]
    rules = {positive.rule for positive in positives}
    failing = Counter(positive.rule for positive in missed)
    masked = len(positives) - len(missed)
    print(f"{masked} of {len(positives)} positives masked ({masked / len(positives):.1%})")
    print(f"{len(rules) - len(failing)} of {len(rules)} rules: every positive masked")
    print(f"rules without a positive here: {', '.join(without) or 'none'}")
    for rule, count in failing.most_common():
        print(f"{count:6} left of {rule}")
    for positive in missed if left else ():
        print(f"{positive.rule}: {positive.text[slice(*positive.secret)]!r} in {positive.text!r}")


def _print_alarms(project: Path, redactor: Redactor, masked: bool) -> None:
    lines = sum(path.read_bytes().count(b"\n") for path in list_texts(project))
    alarms = list(list_masked(project, redactor))
    print(f"{project.name}: {lines} lines, {len(alarms)} parts of lines masked")
    for alarm in alarms if masked else ():
        print(f"  {alarm.path}:{alarm.line}: {alarm.masked[:80]!r} in {alarm.around[:160]!r}")


if __name__ == "__main__":
    main()
