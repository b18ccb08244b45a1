"""Operations that set a state which they are given, where a table allows it."""

import pytest

from git_retcon.allium.extract.typescript.reader import is_available
from tests.allium.extract.declared import declare

pytestmark = pytest.mark.skipif(not is_available(), reason="the extra 'typescript' is missing")

PARCEL = """
export enum Status { New, Sent, Lost, Done }
const NEXT: { [status in Status]: Status[] } = {
  [Status.New]: [Status.New, Status.Sent],
  [Status.Sent]: [Status.Lost, Status.Done],
  [Status.Lost]: [Status.Sent],
  [Status.Done]: [],
};
export class Parcel {
  status: Status = Status.New;
  move(status: Status): void {
    if (!NEXT[this.status].includes(status)) {
      throw new Error('not allowed');
    }
    this.status = status;
  }
}
"""
NAMED = """
    const allowed = NEXT[this.status];
    if (allowed && allowed.includes(status)) {
      this.status = status;
      return;
    }
    throw new Error('not allowed');
  }
}
"""
ASKED = "!NEXT[this.status].includes(status)"
MOVES = ["new -> sent", "sent -> lost", "sent -> done", "lost -> sent"]


def list_edges(source: str) -> list[str]:
    found = declare({"parcel.ts": source})
    return [line.strip() for line in found.split("\n") if "->" in line]


def test_they_lead_from_each_state_to_those_that_its_entry_lists() -> None:
    assert list_edges(PARCEL) == MOVES
    assert "ensures: parcel.status = status" in declare({"parcel.ts": PARCEL})


def test_an_entry_may_have_a_name_and_the_rest_may_fail() -> None:
    text = PARCEL[: PARCEL.index("    if (")] + NAMED
    assert list_edges(text) == MOVES
    assert "ensures: parcel.status = status" in declare({"parcel.ts": text})


@pytest.mark.parametrize("other", [f"!status || {ASKED}", f"{ASKED} || this.isBusy()"])
def test_they_may_be_refused_for_other_reasons_too(other: str) -> None:
    assert list_edges(PARCEL.replace(ASKED, other)) == MOVES


@pytest.mark.parametrize(
    ("words", "others"),
    [
        (ASKED, ASKED[1:]),
        (ASKED, f"this.isStrict && {ASKED}"),
        ("[Status.Done]: []", "[Status.Done]: listNext()"),
        ("throw new Error('not allowed')", "console.log('not allowed')"),
        ("    this.status = status", "    status = ask(status); this.status = status"),
        ("    this.status = status", "    this.status = this.choose(status)"),
        ("move(status", "private move(status"),
    ],
)
def test_what_the_table_does_not_decide_says_nothing(words: str, others: str) -> None:
    assert list_edges(PARCEL.replace(words, others)) == []
