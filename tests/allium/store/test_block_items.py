"""Items of declarations, compared by what they say."""

from git_retcon.allium.store.block_items import key_items, read_items
from git_retcon.allium.store.declaration_block import Block
from git_retcon.allium.store.module_text import MARKER, cut_module

RULE = b"""rule Pay {
    when: Paying(order)
    requires: order.total > 0 -- by law
    ensures: Paid(order)
}"""


def test_a_clause_is_what_it_says_and_not_what_is_written_at_it() -> None:
    block, other = Block.read(RULE), Block.read(RULE.replace(b" -- by law", b""))
    assert block is not None
    assert other is not None
    assert key_items("rule", block).keys() == key_items("rule", other).keys()
    changed = Block.read(RULE.replace(b"> 0", b"> 1"))
    assert changed is not None
    assert len(key_items("rule", block).keys() - key_items("rule", changed).keys()) == 1


def test_each_item_says_something() -> None:
    (rule,) = cut_module(MARKER + RULE).declarations
    assert len(read_items(rule)) == 3
