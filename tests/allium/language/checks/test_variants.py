"""Sum types."""

import pytest

from tests.allium.language.specimen import codes, diagnose

NODE = "entity Node { kind: Branch | Leaf }\nvariant Branch : Node { parts: Any }\n"
LEAF = "variant Leaf : Node { data: Any }\n"


def test_a_right_sum_type() -> None:
    assert codes(NODE + LEAF) == []


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (NODE, "1:30 error sum.discriminatorUnknownVariant: "
         "'Node.kind' lists 'Leaf', but no such variant is declared"),
        (NODE + LEAF + "variant Twig : Node", "4:9 error sum.variantMissingInDiscriminator: "
         "no discriminator of 'Node' lists the variant 'Twig'"),
        ("entity Node {}\n" + LEAF, "2:9 warning sum.variantMissingInDiscriminator: "
         "no discriminator of 'Node' lists the variant 'Leaf'"),
        ("entity Node { kind: leaf | Branch }", "1:21 error sum.invalidDiscriminator: "
         "'Node.kind' mixes values and variants; a discriminator has only capitalised variant "
         "names"),
        ("entity Node { kind: Branch | Leaf }", "1:21 error sum.v1InlineEnum: "
         "'Node.kind' has capitalised values but 'Node' has no variants; declare "
         "'variant Branch : Node', or write the values in lower case"),
    ],
)  # fmt: skip
def test_discriminators_and_variants_agree(text: str, expected: str) -> None:
    assert diagnose(text) == [expected]


def rule(*clauses: str) -> list[str]:
    lines = "\n".join(clauses)
    return diagnose(NODE + LEAF + f"rule R {{\n{lines}\n}}")


def test_the_base_is_not_created_itself() -> None:
    assert rule("when: A()", "ensures: Node.created()") == [
        "6:10 error sum.baseInstantiation: 'Node' is created as one of its variants, not itself"
    ]
    assert rule("when: A()", "ensures: Leaf.created()") == []


def test_a_field_of_a_variant_needs_a_guard() -> None:
    said = (
        "7:14 error sum.unguardedVariantFieldAccess: 'data' belongs to the variant 'Leaf' alone; "
        "compare 'n.kind' with it first"
    )
    assert rule("when: n: Node.created", "requires: n.kind != null", "ensures: A(n.data)") == [said]
    assert rule("when: n: Node.created", "requires: n.kind = Branch", "ensures: A(n.data)") == [
        said
    ]
    assert rule("when: B(n: Node)", "requires: n.kind != null", "ensures: A(n.data)") == [said]


@pytest.mark.parametrize(
    "clauses",
    [
        ["when: n: Node.created", "requires: n.kind = Leaf", "ensures: A(n.data)"],
        ["when: n: Node.created", "requires: n.kind in {Leaf, Branch}", "ensures: A(n.data)"],
        ["when: n: Node.created", "ensures: if n.kind = Leaf: A(n.data) else: B()"],
        ["when: n: Node.created", "ensures: A(n.kind)"],
        ["when: n: Leaf.created", "ensures: A(n.data)"],
        ["when: B(n)", "ensures: A(n.data)"],
    ],
)
def test_a_field_of_a_variant_where_it_is_known(clauses: list[str]) -> None:
    assert rule(*clauses) == []


def test_a_field_that_the_base_has_too_needs_no_guard() -> None:
    text = "entity Node { kind: Leaf | Twig data: Any }\nvariant Leaf : Node { data: Any }\n"
    text += "variant Twig : Node\nrule R {\nwhen: n: Node.created\nensures: A(n.data)\n}"
    assert codes(text) == []
