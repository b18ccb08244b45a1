"""Plurals of the names of entities."""

import pytest

from git_retcon.allium.language.plurals import list_plurals, list_singulars, make_plural


@pytest.mark.parametrize(
    ("singular", "plural"),
    [("Order", "Orders"), ("Category", "Categories"), ("Box", "Boxes"), ("Day", "Days"),
     ("Address", "Addresses"), ("Branch", "Branches"), ("Order2", "Order2s")],
)  # fmt: skip
def test_a_plural_leads_back_to_its_singular(singular: str, plural: str) -> None:
    assert make_plural(singular) == plural
    assert singular in list_singulars(plural)
    assert plural in list_plurals(singular)


@pytest.mark.parametrize(("singular", "plural"), [("Person", "People"), ("Basis", "Bases")])
def test_irregular_plurals_are_known(singular: str, plural: str) -> None:
    assert singular.lower() in list_singulars(plural.lower())
    assert plural.lower() in list_plurals(singular.lower())
