"""Where an attribute is given something, and what is set beside that."""

import ast

from git_retcon.allium.extract.python.given_places import find_made, list_blocks, list_given

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
