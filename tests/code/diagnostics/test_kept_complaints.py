"""Of too many complaints the gravest are kept, in the order of the output, and the rest counted."""

from collections.abc import Iterable

import pytest

from git_retcon.code.diagnostics import kept_complaints
from git_retcon.code.diagnostics.complaints import extract_stream
from git_retcon.code.diagnostics.diagnostic import Category, Diagnostic, Severity
from git_retcon.code.diagnostics.kept_complaints import KeptComplaints

ERROR = {"severity": Severity.ERROR, "category": Category.COMPILE}
LINT = {"severity": Severity.WARNING, "category": Category.LINT}
REMARK = {"severity": Severity.WARNING, "category": Category.COMPILE}
KINDS = {"e": ERROR, "l": LINT, "r": REMARK}


@pytest.fixture
def room_for_three(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kept_complaints, "MOST_KEPT", 3)


def keep(names: Iterable[str]) -> tuple[str, int]:
    """The names of what is kept, and the number of what is cut; "e1" is an error, and so on."""
    found = KeptComplaints()
    for name in names:
        found.add(Diagnostic(b"a.c", int(name[1:]), name, **KINDS[name[0]]))  # type: ignore[arg-type]
    return " ".join(one.message for one in found.list_kept()), found.cut


@pytest.mark.usefixtures("room_for_three")
@pytest.mark.parametrize(
    ("said", "kept", "cut"),
    [
        ("e1 r2 r3", "e1 r2 r3", 0),
        ("r1 r2 r3 r4 r5", "r1 r2 r3", 2),
        ("r1 r2 r3 r4 e5", "r1 r2 e5", 0),
        ("r1 l2 r3 l4 e5", "l2 l4 e5", 0),
        ("l1 l2 l3 r4 l5", "l1 l2 l3", 1),
        ("r1 e2 l3 e4 e5 e6 r7 e8", "e2 e4 e5", 2),
        ("e1 e1 e2 e2 e3 e1 e4", "e1 e2 e3", 1),
    ],
)
def test_the_gravest_are_kept(said: str, kept: str, cut: int) -> None:
    assert keep(said.split()) == (kept, cut)


@pytest.mark.usefixtures("room_for_three")
def test_what_cannot_be_kept_is_counted_and_not_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("git_retcon.code.diagnostics.complaints._BLOCK", 64 * 1024)
    lines = [b"main.go:%d:1: undefined: x%d" % (n, n) for n in range(1, 20_001)]
    unread = [b"nothing is missing"] * 5_000  # no complaint, as reading it would show
    said = extract_stream(line + b"\n" for line in lines + unread)
    assert [one.line for one in said.kept] == [1, 2, 3]
    assert said.cut == 20_000 - 3 + 5_000
