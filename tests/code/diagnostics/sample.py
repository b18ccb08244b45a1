"""What tools print (``samples``), as a line each.

All are real but ``go``, ``gradle`` and the last line of ``standard``.
"""

from pathlib import Path

from git_retcon.code.diagnostics.build_failures import read_failures
from git_retcon.code.diagnostics.complaints import extract_complaints
from git_retcon.code.diagnostics.diagnostic import Diagnostic

_SAMPLES = Path(__file__).parent / "samples"


def sample(name: str) -> bytes:
    """The output of one run, or several, of a family's tools."""
    return (_SAMPLES / f"{name}.txt").read_bytes()


def told(name: str) -> list[str]:
    """What is read from a sample, as ``kind path:line names <files> of owner``."""
    return [rendered(diagnostic) for diagnostic in read_failures(sample(name))]


def rendered(diagnostic: Diagnostic) -> str:
    """One diagnostic as one line; what is absent is left out."""
    words = [diagnostic.kind.value]
    if diagnostic.path is not None:
        line = f":{diagnostic.line}" if diagnostic.line else ""
        words.append(diagnostic.path.decode().rpartition("/")[2] + line)
    if diagnostic.missing:
        words.append(",".join(diagnostic.missing))
    words += [f"<{wanted.decode()}>" for wanted in diagnostic.wants_file]
    if diagnostic.owner:
        words.append(f"of {diagnostic.owner}")
    return " ".join(words)


def places(name: str) -> list[str]:
    """All that ``git heal`` reads from a sample: ``path:line:column what tool/rule: message``."""
    return [described(diagnostic) for diagnostic in extract_complaints(sample(name))]


def described(diagnostic: Diagnostic) -> str:
    """One record as one line; what is absent is left out, and what is long is cut."""
    path = (diagnostic.path or b"-").decode("utf-8", "replace")
    place = ":".join(
        [path, *(str(number) for number in (diagnostic.line, diagnostic.column) if number)]
    )
    rule = f"/{diagnostic.rule}" if diagnostic.rule else ""
    what = f"{diagnostic.severity.value} {diagnostic.category.value}"
    return f"{place} {what} {diagnostic.tool}{rule}: {diagnostic.message[:40]}"[:86].rstrip()
