"""A declaration is cut into items that give it back."""

from git_retcon.allium.store.declaration_block import Block

ORDER = b"""-- Source: a.py, Order
entity Order {
    -- In cents.
    total: Integer -- never null

    transitions status {
        open -> paid
    }

    invariant Positive { total > 0 }
    double(x): x * 2
}"""

GUIDANCE = b"    @guidance\n        -- One.\n\n        -- Two."


def test_items_are_known_by_what_names_them_and_keep_their_comments() -> None:
    block = Block.read(ORDER)
    assert block is not None
    assert [key[:2] for key in block.items] == [
        ("field", "total"),
        ("transitions", "status"),
        ("invariant", "Positive"),
        ("field", "double"),
    ]
    assert block.items["field", "total", 0] == b"    -- In cents.\n    total: Integer -- never null"
    assert block.join(block.items.values()) == ORDER


def test_guidance_and_clauses() -> None:
    rule = b"rule R {\n    when: A(b)\n    requires: b\n    requires: c\n" + GUIDANCE + b"\n}"
    block = Block.read(rule)
    assert block is not None
    assert list(block.items) == [
        ("clause", "when", 0), ("clause", "requires", 0), ("clause", "requires", 1),
        ("@guidance", "", 0),
    ]  # fmt: skip
    assert block.items["@guidance", "", 0] == GUIDANCE
    assert block.join(block.items.values()) == rule


def test_what_has_no_items_with_lines_of_their_own_is_none() -> None:
    for text in (None, b"", b"entity A {}", b"enum A { a | b }", b"entity A { a: B c: D }",
                 b"entity A {", b"entity A {\n}\nentity B {\n}"):  # fmt: skip
        assert Block.read(text) is None


def test_what_does_not_parse_is_not_joined() -> None:
    block = Block.read(b"entity A {\n    a: B\n}")
    assert block is not None
    assert block.join([b"    a: {"]) is None
    assert block.lay_out([b"    a: {"]) == b"entity A {\n    a: {\n}"
