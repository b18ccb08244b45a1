"""States that a class has together with its base classes."""

from git_retcon.allium.extract.shared_states import add_states, list_complete, share_states
from git_retcon.allium.extract.source_facts import (
    STRING,
    Evidence,
    Field,
    Shape,
    SharedState,
)

OPENS = SharedState("_state", ("open",), False, True, ("closed",))
BEGINS = SharedState("_state", ("closed",), True, False)


def make_shape(*shared: SharedState) -> Shape:
    return Shape("entity", "Door", (Evidence(b"door.py", "Door"),), shared=shared)


def test_states_of_a_class_and_of_its_bases_are_one_list() -> None:
    shared = share_states(make_shape(OPENS), [make_shape(BEGINS)])
    assert [each.values for each in list_complete(shared)] == [("closed", "open")]
    assert not [*list_complete(share_states(make_shape(OPENS), []))]


def test_what_is_asked_for_and_never_set_is_one_of_what_is_called_a_state() -> None:
    asked = SharedState("_state", ("open", "closed"), True, True, ("lost",))
    assert [each.values for each in list_complete([asked])] == [("open", "closed", "lost")]
    assert not [*list_complete([asked._replace(symbol="_mood")])]


def test_three_words_of_what_is_called_a_state_need_no_comparison() -> None:
    words = SharedState("_state", ("open", "ajar", "closed"), True, False)
    assert [each.values for each in list_complete([words])] == [("open", "ajar", "closed")]
    for other in (
        words._replace(symbol="_mood"),
        words._replace(values=("open", "closed")),
        words._replace(values=("open", "half open", "closed")),
        words._replace(is_begun=False),
    ):
        assert not [*list_complete([other])]


def test_what_any_of_them_sets_otherwise_is_open() -> None:
    other = SharedState("_state", (), False, False)
    assert not [*list_complete(share_states(make_shape(OPENS), [make_shape(BEGINS, other)]))]
    assert not [
        *list_complete(share_states(make_shape(other), [make_shape(BEGINS), make_shape(OPENS)]))
    ]


def test_a_field_with_another_type_keeps_it() -> None:
    found = [*list_complete(share_states(make_shape(OPENS), [make_shape(BEGINS)]))]
    text = make_shape()._replace(fields=(Field("state", STRING, "_state"),))
    assert add_states(text, found).fields[0].type.values == ("closed", "open")
    assert add_states(make_shape(), found).fields[0].name == "state"
    number = text._replace(fields=(text.fields[0]._replace(type=STRING._replace(name="Integer")),))
    assert add_states(number, found).fields == number.fields
