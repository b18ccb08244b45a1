"""Surfaces."""

import pytest

from tests.allium.language.specimen import diagnose

OTHERS = (
    "entity User {}\nactor Admin { identified_by: User }\ncontract Codec { a: () -> B }\n"
    "rule Late {\nwhen: u: User.due <= now\nrequires: x\nensures: y\n}\n"
    "rule Asked {\nwhen: Ask()\nensures: y\n}\nsurface Other {}\n"
)


def surface(*lines: str) -> list[str]:
    """What is said of a surface, without places."""
    text = OTHERS + "surface S {\n" + "\n".join(lines) + "\n}"
    return [line.partition(" ")[2] for line in diagnose(text)]


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        (["facing a: Admin", "context b: User where c"], []),
        (["facing _: User"], []),
        (["facing a: Nobody"], ["error surface.undefinedActor: "
                                "no actor or entity 'Nobody' is declared here or imported"]),
        (["context a: Nothing where b"], ["error surface.undefinedContext: "
                                          "no entity 'Nothing' is declared here or imported"]),
        (["contracts:", "    demands Codec"], []),
        (["contracts:", "    fulfils Missing"],
         ["error surface.undefinedContract: no contract 'Missing' is declared here or imported"]),
        (["contracts:", "    fulfils Codec", "    demands Codec"],
         ["error surface.duplicateContract: contract 'Codec' is named twice in this surface"]),
        (["related: Other(a) when b"], []),
        (["related:", "    Other(a)", "    for x in y:", "        Missing(x)"],
         ["error surface.relatedUndefined: no surface 'Missing' is declared here"]),
        (["timeout: Late when a <= now"], []),
        (["timeout: Asked"],
         ["warning surface.timeoutUndefined: rule 'Asked' does not fire by time"]),
        (["timeout: Missing"], ["warning surface.timeoutUndefined: "
                                "rule 'Missing' is not declared here"]),
    ],
)  # fmt: skip
def test_what_a_surface_names(lines: list[str], expected: list[str]) -> None:
    assert surface(*lines) == expected
