"""How words of code and of prose meet."""

import pytest

from git_retcon.retcon.hints.words import STOP_WORDS, WORD, stem, stems


@pytest.mark.parametrize(
    ("code", "prose"),
    [
        ("parseTokens", "parse token"),
        ("HTTPServer", "http server"),
        ("validate_session", "validating sessions"),
        ("caching", "cache"),
        ("retries", "retry"),
    ],
)
def test_code_and_prose_share_stems(code: str, prose: str) -> None:
    assert set(stems(code)) == {stem for word in prose.split() for stem in stems(word)}


def test_stop_words_numbers_and_single_letters_have_no_stem() -> None:
    assert stems("the_new_x_12_parser") == ("pars",)
    assert "the" in STOP_WORDS


@pytest.mark.parametrize(
    ("word", "cut"),
    [("sing", "sing"), ("string", "str"), ("adding", "add"), ("made", "mad"), ("city", "cit")],
)
def test_an_ending_is_cut_where_three_letters_are_left(word: str, cut: str) -> None:
    assert stem(word) == cut


def test_words_are_names_and_numbers() -> None:
    assert WORD.findall("a1 = 0x1f + b_c") == ["a1", "0", "x1f", "b_c"]
