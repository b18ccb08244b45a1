"""Types that are read in one file and spelled in another."""

from git_retcon.allium.extract.bound_types import (
    bind_type,
    find_place,
    list_names,
    name_self,
    strip_place,
)
from git_retcon.allium.extract.source_facts import Field, Type, refer

BASE, OTHER = b"shop/base.py", b"shop/order.py"


def test_a_bound_name_is_looked_for_in_its_own_file() -> None:
    bound = bind_type(refer("people.User"), BASE)
    assert find_place(OTHER, bound) == (BASE, "people.User")
    assert find_place(OTHER, refer("people.User")) == (OTHER, "people.User")
    assert strip_place(bound.source) == "people.User"


def test_what_is_bound_stays_bound_to_the_first_file() -> None:
    inner = bind_type(Type("List", (refer("User"),)), BASE).arguments[0]
    assert find_place(OTHER, bind_type(inner, OTHER)) == (BASE, "User")


def test_any_has_no_place() -> None:
    unknown = Type("Any", source="lib.Money")
    assert bind_type(unknown, BASE) == unknown


def test_a_relation_to_the_class_itself_is_to_the_one_that_inherits_it() -> None:
    parent = Field("parent", bind_type(refer("self"), BASE))
    assert name_self(parent, "Order").type.source == "Order"
    children = Field("children", Type("List", (refer("self"),)))
    assert name_self(children, "Order").type.arguments == (refer("Order", is_relation=True),)
    user = Field("user", refer("User"))
    assert name_self(user, "Order") == user


def test_names_are_listed_with_those_of_arguments() -> None:
    kind = Type("Map", (refer("a.Key"), bind_type(refer("b.Value"), BASE)))
    assert list(list_names(kind)) == ["Key", "Value"]
