"""Tokens are bytes over four, rounded up."""

import pytest

from git_retcon.model.token_count import count_tokens


@pytest.mark.parametrize(("content", "tokens"), [(b"", 0), (b"a", 1), (b"abcd", 1), (b"abcde", 2)])
def test_four_bytes_are_a_token_and_so_is_the_rest(content: bytes, tokens: int) -> None:
    assert count_tokens(content) == tokens
