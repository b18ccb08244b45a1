"""Transition graphs and fields that depend on a state."""

import pytest

from tests.allium.language.specimen import diagnose


def entity(*lines: str) -> list[str]:
    return diagnose("entity E {\n" + "\n".join(lines) + "\n}\nenum Level { low | high }")


def test_right_graphs() -> None:
    assert entity("s: a | b", "transitions s { a -> b terminal: b }") == []
    assert entity("s: a | b", "transitions s { a -> b b -> a }") == []
    assert entity("s: Level", "transitions s { low -> high terminal: high }") == []
    assert entity("s: Boolean", "transitions s { false -> true terminal: true }") == []
    assert diagnose(
        "entity B { k: V | W s: a | b }\nvariant V : B\n"
        "{ transitions s { a -> b terminal: b } }\nvariant W : B"
    ) == []  # fmt: skip


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        (["s: a | b", "transitions s { a -> c c -> b terminal: b }"],
         ["3:22 error transitions.unknownState: 'E.s' has no state 'c'"]),
        (["s: a | b | c", "transitions s { a -> b terminal: b }"],
         ["3:13 error transitions.missingState: "
          "state 'c' of 'E.s' is in no transition and not terminal"]),
        (["s: a | b", "transitions s { a -> b }"],
         ["3:22 error transitions.noExit: "
          "nothing leads on from state 'b' of 'E.s'; list it as terminal"]),
        (["s: a | b", "transitions s { a -> b a -> b terminal: b }"],
         ["3:24 warning transitions.duplicateEdge: "
          "the transition a -> b of 'E.s' is listed twice"]),
        (["s: String", "transitions s { a -> b terminal: b }"],
         ["3:13 error transitions.unknownField: "
          "'E.s' has transitions but is no field with states"]),
        (["transitions s { a -> b terminal: b }"],
         ["2:13 error transitions.unknownField: "
          "'E.s' has transitions but is no field with states"]),
    ],
)  # fmt: skip
def test_wrong_graphs(lines: list[str], expected: list[str]) -> None:
    assert entity(*lines) == expected


def test_the_states_of_another_file_are_not_known() -> None:
    text = 'use "x/y/1" as o\nentity E {\n s: o/Level\n transitions s { a -> b terminal: b }\n}'
    assert diagnose(text) == []
    assert diagnose('use "x/y/1" as o\nvariant V : o/B\n{ transitions s { a -> b } }') == []


GRAPH = "transitions s { a -> b terminal: b }"


def test_a_field_depends_on_states_of_a_field_with_transitions() -> None:
    assert entity("s: a | b", GRAPH, "f: String when s = a | b") == []
    assert entity("s: a | b", GRAPH, "f: String when s = c | b") == [
        "4:20 error presence.unknownState: 'E.s' has no state 'c'"
    ]
    assert entity("s: a | b", "f: String when s = a") == [
        "3:16 error presence.noTransitions: 'E.s' has no transitions, so no field can depend on it"
    ]
