"""Where an attribute is given something, and what is set beside that."""

import ast

import pytest

from git_retcon.allium.extract.python.lifetimes.given_places import (
    find_made,
    list_blocks,
    list_given,
)

CODE = """
if self.peer:
    peer = Peer()
    self.peer = peer
else:
    self.peer = None
"""


def test_each_block_tells_what_it_gives() -> None:
    body = ast.parse(CODE).body
    found = [
        ast.unparse(find_made(block, given))
        for block in list_blocks(body)
        for each in block
        for given in list_given(each, "peer")
    ]
    assert found == ["Peer()", "None"]


@pytest.mark.parametrize(
    "between",
    [
        "peer = find()",
        "if peer.is_lost:\n    peer = None",
        "for peer in peers:\n    pass",
        "with find() as peer:\n    pass",
        "peer, self.name = find()",
        "try:\n    pass\nexcept OSError as peer:\n    pass",
    ],
)
def test_a_variable_that_may_hold_another_one_holds_nothing_made_before(between: str) -> None:
    body = ast.parse(f"peer = Peer()\n{between}\nself.peer = peer\npeer = Peer()").body
    (given,) = (each for node in body for each in list_given(node, "peer"))
    assert ast.unparse(find_made(body, given)) != "Peer()"
