"""Two versions of a declaration that come from one: what both say stays, and only what both changed
is disputed.
"""

import re
from collections.abc import Sequence
from itertools import permutations, product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from git_retcon.allium.language import is_error, parse
from git_retcon.allium.store.declaration_merge import MergedDeclaration, merge_declaration
from git_retcon.allium.store.declared_facts import FactName, read_facts
from git_retcon.allium.store.merge_choice import Conflict, Versions
from git_retcon.allium.store.merged_file import Markers
from git_retcon.allium.store.module_text import MARKER
from git_retcon.allium.store.three_way import merge_modules

MARKERS = Markers()


def merge(base: str | None, ours: str | None, theirs: str | None) -> MergedDeclaration:
    texts = (each.encode() if each is not None else None for each in (base, ours, theirs))
    return merge_declaration("kind", "Name", Versions(*texts), MARKERS.mark)


def order(*lines: str) -> str:
    return "entity Order {\n" + "".join(f"    {line}\n" if line else "\n" for line in lines) + "}"


RULE = "rule Pay {\n    when: PayOrder(order)\n%s}"
GRAPH = "status: %s\n\n    transitions status {\n%s        terminal: %s\n    }"


@pytest.mark.parametrize(
    ("base", "ours", "theirs", "expected"),
    [
        # Values of an enum, by itself and in a field.
        ("enum S { a | b }", "enum S { a | b | c }", "enum S { x | b }", "enum S { x | b | c }"),
        (order("s: a | b"), order("s: a | b | c"), order("s: a | b | d?"),
         order("s: a | b | c | d?")),
        # Citations above a declaration, which evolve writes on both sides.
        ("-- Source: a.py, X.u\nexternal entity U {}",
         "-- Source: a.py, X.u\n-- Source: b.py, Y.u\nexternal entity U {}",
         "-- Source: c.py, Z.u\nexternal entity U {}",
         "-- Source: b.py, Y.u\n-- Source: c.py, Z.u\nexternal entity U {}"),
        ("-- Paid.\n" + order("n: Integer"), "-- Paid.\n" + order("n: Integer", "m: String"),
         "-- Or not.\n" + order("n: Decimal"), "-- Or not.\n" + order("n: Decimal", "m: String")),
        # Edges, and the ends of a state machine.
        (order(GRAPH % ("a | b", "        a -> b\n", "b")),
         order(GRAPH % ("a | b | c", "        a -> b\n        b -> c\n", "c")),
         order(GRAPH % ("a | b | d", "        a -> b\n        b -> d\n", "d")),
         order(GRAPH % ("a | b | c | d",
                        "        a -> b\n        b -> c\n        b -> d\n", "c, d"))),
        # Clauses of which there are many.
        (RULE % "    requires: a\n", RULE % "    requires: a\n    requires: b\n",
         RULE % "    requires: a\n    requires: c\n",
         RULE % "    requires: a\n    requires: b\n    requires: c\n"),
        (RULE % "    requires: a\n    requires: b\n", RULE % "    requires: b\n",
         RULE % "    requires: a\n    requires: bb\n", RULE % "    requires: bb\n"),
        # Guidance stays the last.
        (RULE % "    ensures: a\n", RULE % "    ensures: a\n    @guidance\n        -- Why.\n",
         RULE % "    ensures: a\n    ensures: b\n",
         RULE % "    ensures: a\n    ensures: b\n    @guidance\n        -- Why.\n"),
        # Both made it, alike but for the places that they cite.
        (None, "-- Source: a.py, X.u\nexternal entity U {}",
         "-- Source: b.py, Y.u\nexternal entity U {}",
         "-- Source: a.py, X.u\n-- Source: b.py, Y.u\nexternal entity U {}"),
    ],
)  # fmt: skip
def test_what_each_side_changed_by_itself_is_no_conflict(
    base: str | None, ours: str, theirs: str, expected: str
) -> None:
    merged = merge(base, ours, theirs)
    assert not merged.conflicts
    assert (merged.text or b"").decode() == expected


@pytest.mark.parametrize(
    ("base", "ours", "theirs", "title", "expected"),
    [
        (order("n: Integer", "", "m: String"), order("n: Integer", "", "m: Decimal", "k: String"),
         order("n: String", "", "m: Integer"), "kind Name: field m",
         order("n: String", "", "m: Decimal", "k: String").replace(
             "    m: Decimal\n",
             "<<<<<<< ours\n    m: Decimal\n=======\n    m: Integer\n>>>>>>> theirs\n")),
        (order("n: Integer", "m: String"), order("m: String"), order("n: String", "m: String"),
         "kind Name: field n",
         order("m: String").replace(
             "    m", "<<<<<<< ours\n=======\n    n: String\n>>>>>>> theirs\n    m")),
        (RULE % "    requires: a\n    ensures: x\n", RULE % "    requires: b\n    ensures: x\n",
         RULE % "    requires: c\n    ensures: y\n", "kind Name: requires",
         RULE % ("<<<<<<< ours\n    requires: b\n=======\n    requires: c\n>>>>>>> theirs\n"
                 "    ensures: y\n")),
        ("-- One.\nentity A {}", "-- Two.\nentity A {}", "-- Three.\nentity A {}", "kind Name",
         "<<<<<<< ours\n-- Two.\nentity A {}\n=======\n-- Three.\nentity A {}\n>>>>>>> theirs"),
        (order("s: a | b"), order("s: a"), order("s: b"), "kind Name: field s",
         "entity Order {\n<<<<<<< ours\n    s: a\n=======\n    s: b\n>>>>>>> theirs\n}"),
        # Each renamed one value: both new names are two answers to one question.
        (order("s: new | paid"), order("s: new | settled"), order("s: new | charged"),
         "kind Name: field s",
         "entity Order {\n<<<<<<< ours\n    s: new | settled\n=======\n    s: new | charged\n"
         ">>>>>>> theirs\n}"),
    ],
)  # fmt: skip
def test_markers_are_around_the_smallest_item_that_both_changed(
    base: str, ours: str, theirs: str, title: str, expected: str
) -> None:
    merged = merge(base, ours, theirs)
    assert [each.title for each in merged.conflicts] == [title]
    assert (merged.text or b"").decode() == expected


@pytest.mark.parametrize(
    ("base", "ours", "theirs"),
    [
        # Both made a rule of one name.
        (None, RULE % "    requires: a\n", RULE % "    requires: b\n"),
        (None, order("n: Integer"), order("m: String")),
        # A clause that both wrote is in the place of another, which both replaced.
        (RULE % "    requires: a\n    requires: b\n", RULE % "    requires: a\n    requires: c\n",
         RULE % "    requires: c\n    requires: a\n    requires: d\n"),
        # One took out the state to which the other leads an edge.
        (order(GRAPH % ("a | b | c", "        a -> b\n        b -> c\n        a -> c\n", "c")),
         order(GRAPH % ("a | c", "        a -> c\n", "c")),
         order(GRAPH % ("a | b | c | d", "        a -> b\n        b -> c\n        a -> c\n"
                        "        b -> d\n", "c, d"))),
        # Several clauses of a kind, known by their places alone; items without a name.
        ("rule R {\n    when: A()\n    let x = 1\n    ensures: B()\n}",
         "rule R {\n    when: A()\n    let x = 2\n    ensures: B()\n}",
         "rule R {\n    when: A()\n    let x = 3\n    ensures: B()\n}"),
        ("enum S { a | b }", "enum S { a | x }", "enum S { a | y }"),
    ],
)  # fmt: skip
def test_what_cannot_be_both_is_a_conflict_as_a_whole(
    base: str | None, ours: str, theirs: str
) -> None:
    for one, two in ((ours, theirs), (theirs, ours)):
        merged = merge(base, one, two)
        assert [each.title for each in merged.conflicts] == ["kind Name"]
        assert (
            merged.text or b""
        ).decode() == f"<<<<<<< ours\n{one}\n=======\n{two}\n>>>>>>> theirs"


def rule(clauses: Sequence[str]) -> str:
    return RULE % "".join(f"    requires: {each}\n" for each in clauses)


# All of them, since few have two sides that meet in a clause that only one of them moved.
@pytest.mark.slow
@pytest.mark.parametrize("size", [1, 2, 3])
def test_no_clause_that_a_side_wrote_is_lost_and_none_comes_back(size: int) -> None:
    sides = [rule(each) for n in (1, 2, 3) for each in permutations("pqrs", n)]
    for ours, theirs in product(map(rule, permutations("pqrs", size)), sides):
        check_clauses(rule("pq"), ours, theirs)


def check_clauses(base: str, ours: str, theirs: str) -> None:
    merged = merge(base, ours, theirs)
    was, mine, other = (set(text.splitlines()) for text in (base, ours, theirs))
    lines = (merged.text or b"").decode().splitlines()
    # In the text or between the markers.
    assert sorted((mine | other) - was - set(lines)) == []
    assert sorted((was & mine & other) - set(lines)) == []
    if not merged.conflicts:
        assert sorted(lines) == sorted(((mine | other) - was) | (was & mine & other))


types = st.sampled_from(["Integer", "String", "Decimal?"])
states = st.lists(st.sampled_from("abcd"), unique=True, min_size=2)
edges = st.lists(st.tuples(*[st.sampled_from("abcd")] * 2), unique=True, min_size=1, max_size=4)


@st.composite
def declarations(draw: st.DrawFn) -> bytes:
    """Entities and rules of a small world, so that sides meet."""
    parts = []
    for name in draw(st.lists(st.sampled_from(["One", "Two"]), unique=True)):
        fields = draw(st.dictionaries(st.sampled_from("uvw"), types))
        lines = [f"{field}: {kind}" for field, kind in fields.items()]
        lines += [f"status: {' | '.join(draw(states))}"]
        graph = "".join(f"        {one} -> {two}\n" for one, two in draw(edges))
        lines += [f"\n    transitions status {{\n{graph}    }}"]
        parts.append(f"-- Source: {name}.py, {name}\n" + order(*lines).replace("Order", name))
    clauses = draw(st.lists(st.sampled_from("pqr"), unique=True))
    parts.append(RULE % "".join(f"    requires: {each}\n" for each in clauses))
    return MARKER + "\n\n".join(["-- A world.", *parts]).encode() + b"\n"


def merge_facts(*versions: bytes) -> tuple[dict[FactName, str], set[FactName]]:
    """What a merge must say, fact by fact, and the facts that the sides dispute."""
    base, ours, theirs = map(read_facts, versions)
    merged: dict[FactName, str] = {}
    disputed: set[FactName] = set()
    for name in {*ours, *theirs}:
        one, two, three = base.get(name), ours.get(name), theirs.get(name)
        said = two if two == three or one == three else three
        if said is not None:
            merged[name] = said
        if one != two != three != one:
            disputed.add(name)
    return merged, disputed


@pytest.mark.slow
@given(declarations(), declarations(), declarations())
def test_a_merge_says_what_both_sides_say_fact_by_fact(
    base: bytes, ours: bytes, theirs: bytes
) -> None:
    merged = merge_modules(base, ours, theirs)
    mirrored = merge_modules(base, theirs, ours)
    assert merge_modules(base, base, theirs).content == theirs
    assert merge_modules(base, ours, base).content == ours
    assert not any(map(is_error, parse(merged.content).diagnostics))
    assert {each.title for each in merged.conflicts} == {each.title for each in mirrored.conflicts}
    facts = read_facts(merged.content)
    expected, disputed = merge_facts(base, ours, theirs)
    if not merged.conflicts:
        assert facts == expected == read_facts(mirrored.content)
        assert not disputed
    # Nothing is lost beside what is disputed.
    found = {name: said for name, said in facts.items() if not is_about(merged.conflicts, name)}
    kept = {name: said for name, said in expected.items() if not is_about(merged.conflicts, name)}
    assert found == kept


def is_about(conflicts: Sequence[Conflict], fact: FactName) -> bool:
    """Whether a fact may be part of what is disputed."""
    words = re.findall(r"\w+", fact[2])
    return any(
        (each.kind, each.name) == fact[:2]
        and (not each.item or each.item.rpartition(" ")[2] in words)
        for each in conflicts
    )
