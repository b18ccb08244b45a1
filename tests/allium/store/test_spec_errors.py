"""Errors of two versions of a specification can be compared, wherever in the file they are."""

from git_retcon.allium.store.spec_errors import SpecError, list_errors

HEAD = b"-- allium: 3\n\n"
TWICE = b"config {\n    a: Integer = 1\n    a: Integer = 2\n}\n"


def test_an_error_is_the_same_where_other_declarations_moved_it() -> None:
    above = b"value Above {\n    n: Integer\n}\n\n"
    message = "config parameter 'a' is declared twice"
    expected = {SpecError(("config", "", 0), "allium.config.duplicateKey", message)}
    assert list_errors(HEAD + TWICE) == list_errors(HEAD + above + TWICE) == expected


def test_a_type_that_hides_another_counts_though_the_language_accepts_it() -> None:
    (error,) = list_errors(HEAD + b"entity A {\n}\n\nvalue A {\n}\n")
    assert error.key == ("value", "A", 0)
    assert list_errors(HEAD + b"entity A {\n}\n") == frozenset()
