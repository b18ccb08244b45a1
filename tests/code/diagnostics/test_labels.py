"""What scripts of packages print is read behind the labels that their runner puts before it."""

import pytest

from git_retcon.code.diagnostics.build_failures import read_failures
from git_retcon.code.diagnostics.complaints import extract_complaints
from git_retcon.code.diagnostics.labels import strip_labels
from tests.code.diagnostics.sample import described, sample

_WRONG = "src/a.ts:1:14 error type-check tsc/TS2322: Type 'string' is not assignable to type"


@pytest.mark.parametrize(
    ("name", "folder"),
    [
        ("pnpm_recursive", b"packages/a"),
        ("npm_workspaces", b"/home/ada/shop/packages/a"),
        ("concurrently", b"/home/ada/shop/packages/a"),
        ("npm_run_all", b"/home/ada/shop/packages/a"),
        ("turbo", b"/home/ada/shop/packages/a"),
        ("lerna_stream", b"/home/ada/shop/packages/a"),
    ],
)
def test_the_error_of_one_package_is_read_in_its_folder(name: str, folder: bytes) -> None:
    found = extract_complaints(sample(name))
    assert [(described(each), each.base) for each in found] == [(_WRONG, folder)]
    assert b"src/a.ts" in [each.path for each in read_failures(sample(name))]


def test_a_label_that_nobody_announced_is_part_of_the_line() -> None:
    lines = ["[0] a.ts(1,1): error TS1: x", "a: b.ts(1,1): error TS1: x", "$ make", "c make: d"]
    assert strip_labels(lines).lines == lines
    # Without a line of that label, this is no runner of several scripts.
    assert strip_labels(["~/shop ada$ make", "make: done"]).lines[1] == "make: done"


def test_an_announced_label_is_stripped_to_the_last_space() -> None:
    lines = ["[0] > a@1.0.0 lint", "[0] ", "[0]", "[0]   1:2  error", "[1] other", "plain"]
    assert strip_labels(lines).lines == [
        "> a@1.0.0 lint", "", "", "  1:2  error", "[1] other", "plain",
    ]  # fmt: skip
