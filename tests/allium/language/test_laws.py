"""What holds for any bytes."""

import sys

from hypothesis import example, given

from git_retcon.allium.language import Severity, check, format_spec, list_entries, parse
from git_retcon.allium.language.formatter import read_meaning
from git_retcon.allium.language.traversal import walk_tree
from tests.allium.language.strategies import SAMPLE, specifications


@given(specifications())
@example(SAMPLE.encode())
@example(b"entity A { x: {\n" * 300)
@example(b"(" * 3000)
def test_nothing_crashes(data: bytes) -> None:
    document = parse(data)
    assert list_entries(document) is not None
    for found in check([document]):
        assert found.line >= 1
        assert found.column >= 1
        assert found.message.isprintable()


@given(specifications())
@example(SAMPLE.encode())
def test_formatting_twice_is_formatting_once(data: bytes) -> None:
    once = format_spec(data)
    assert format_spec(once) == once


@given(specifications())
@example(SAMPLE.encode())
def test_formatting_keeps_the_tree_and_the_comments(data: bytes) -> None:
    assert read_meaning(format_spec(data)) == read_meaning(data)


@given(specifications())
@example(SAMPLE.encode())
def test_a_node_lies_within_its_file_and_has_no_end_before_its_start(data: bytes) -> None:
    for node in walk_tree(parse(data).module):
        assert 0 <= node[0] <= node[1] <= len(data)


@given(specifications())
def test_reading_needs_no_more_than_the_usual_recursion(data: bytes) -> None:
    limit = sys.getrecursionlimit()
    try:
        sys.setrecursionlimit(min(limit, 900))
        check([parse(data)])
        format_spec(data)
    finally:
        sys.setrecursionlimit(limit)


def test_the_sample_is_right_but_for_what_it_leaves_out() -> None:
    said = check([parse(SAMPLE.encode())])
    found = {each.code for each in said if each.severity is not Severity.INFO}
    assert found == {
        "allium.use.unresolvedPath",
        "allium.type.undefinedReference",
        "allium.rule.undefinedTypeReference",
        "allium.presence.notSet",
    }
