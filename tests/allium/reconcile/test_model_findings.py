"""What of a model's findings can be believed, and their order and batches."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from git_retcon.allium.engine import Finding, FindingType
from git_retcon.allium.reconcile.model_findings import (
    Evidence,
    announce,
    batch_findings,
    is_supported,
    read_findings,
    show_finding,
)
from git_retcon.model.token_count import count_tokens

EVIDENCE = Evidence(seen={"a.py", "b.py"}, gone={"old.py"}, skipped={"big.bin"})
ADDITION, REMOVAL, MODIFICATION = FindingType


def believed(kind: str, *paths: str, section: str = "entity A") -> bool:
    listed = {"type": kind, "specSection": section, "description": "d", "sourcePaths": list(paths)}
    found, refused = read_findings([listed], EVIDENCE)
    assert len(found) + refused == 1
    return bool(found)


def test_a_finding_rests_on_files_that_were_read() -> None:
    assert believed("addition", "a.py", "b.py:10-20")
    assert not believed("addition", "a.py", "made/up.py")
    assert not believed("addition")
    assert not believed("modification", "old.py")
    assert not believed("addition", "a.py", section=" ")


def test_a_removal_may_name_what_is_gone_and_never_what_was_skipped() -> None:
    assert believed("removal", "old.py")
    assert not believed("removal", "big.bin")
    assert not believed("removal", "a.py", "big.bin")
    assert not believed("removal", "elsewhere.py"), "another part of the source may have it"


def test_nothing_is_believed_of_a_file_that_was_read_in_part() -> None:
    """One version of it was read, or one part, and the other was skipped."""
    evidence = Evidence({"a.py"}, set(), {"a.py"})
    answer = {"type": "removal", "specSection": "entity A", "description": "gone",
              "sourcePaths": ["a.py"]}  # fmt: skip
    found, refused = read_findings([answer], evidence)
    assert (list(found), refused) == ([], 1)


findings = st.builds(
    Finding,
    type=st.sampled_from(FindingType),
    section=st.sampled_from(["entity A", "rule B", "config: field c"]),
    description=st.text(max_size=200),
    paths=st.just(("a.py",)),
)


@pytest.mark.slow
@given(st.lists(findings, max_size=20), st.integers(1, 200))
def test_batches_hold_everything_with_removals_last(listed: list[Finding], most: int) -> None:
    batches = list(batch_findings(listed, most))
    flat = [each for batch in batches for each in batch]
    assert sorted(map(repr, flat)) == sorted(map(repr, listed))
    kinds = [each.type is REMOVAL for each in flat]
    assert kinds == sorted(kinds)
    assert all(batches)


def test_a_batch_may_be_as_large_as_the_limit() -> None:
    listed = [Finding(ADDITION, f"entity {name}", "", ()) for name in "ABC"]
    tokens = [count_tokens(show_finding(each).encode()) for each in listed]
    assert [len(batch) for batch in batch_findings(listed, sum(tokens[:2]))] == [2, 1]
    assert [len(batch) for batch in batch_findings(listed, sum(tokens[:2]) - 1)] == [1, 1, 1]


def test_what_is_to_come_is_announced_by_number_and_section() -> None:
    coming = [Finding(ADDITION, "entity A", "", ()), Finding(REMOVAL, "rule B", "", ())]
    assert announce([coming]) == (
        "Upcoming batches contain 1 additions and 1 removals affecting sections: [entity A, rule B]"
    )
    assert announce([]) == "There are no further batches."


def test_only_a_removal_or_a_modification_supports_a_loss() -> None:
    gone = Finding(REMOVAL, "entity Order: field total", "It went.", ())
    assert is_supported(("entity", "Order", "field total"), [gone])
    assert not is_supported(("entity", "Orders", ""), [gone]), "a word, not a part of one"
    added = Finding(ADDITION, "entity Order", "", ())
    assert not is_supported(("entity", "Order", ""), [added])
    other = Finding(MODIFICATION, "rule Pay", "Order is not changed here", ())
    assert is_supported(("rule", "Pay", "requires: a"), [other])
