"""Words as a POSIX shell splits them, wherever no shell would do more."""

import contextlib
import shlex

from hypothesis import given
from hypothesis import strategies as st

from git_retcon.heal.engines.claude.command_words import BadCommand, split_words


@given(st.lists(st.text(st.characters(min_codepoint=33, max_codepoint=126)), min_size=1))
def test_quoted_words_come_back_as_they_were(words: list[str]) -> None:
    words = ["cat", *words]
    assert split_words(shlex.join(words)) == words


@given(st.text(alphabet="ab'\"\\ $*|;~#\t", max_size=12))
def test_what_is_taken_is_split_as_a_shell_splits_it(text: str) -> None:
    with contextlib.suppress(BadCommand):
        assert split_words(f"cat {text}") == shlex.split(f"cat {text}")
