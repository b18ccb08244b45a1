"""Sources with other text in some places."""

import pytest

from git_retcon.allium.extract.grammar.syntax_nodes import parse_source
from git_retcon.allium.extract.typescript.reader import is_available
from git_retcon.allium.extract.typescript.rewritten_sources import find_end, write_edits

pytestmark = pytest.mark.skipif(not is_available(), reason="the extra 'typescript' is missing")


def test_of_two_edits_in_one_place_the_one_around_the_other_counts() -> None:
    root = parse_source("tree_sitter_typescript", b"ab(cd);", "language_typescript")
    assert root is not None
    assert find_end(root) == 7
    assert write_edits(root, {(0, 6): b"x", (3, 5): b"y"}) == b"x;"
    assert write_edits(root, {(3, 5): b"y", (0, 2): "\u00e4".encode()}) == "\u00e4(y);".encode()
