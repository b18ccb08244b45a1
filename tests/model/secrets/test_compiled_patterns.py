"""Each pattern is compiled once."""

from git_retcon.model.secrets.compiled_patterns import compile_pattern


def test_the_same_text_is_the_same_pattern() -> None:
    assert compile_pattern(rb"a+") is compile_pattern(rb"a+")
    assert compile_pattern(rb"a+").fullmatch(b"aaa") is not None
