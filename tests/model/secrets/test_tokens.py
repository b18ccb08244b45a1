"""Each form of a token is found, where no word goes on into it."""

import random
import re

import pytest

from git_retcon.model.secrets import tokens
from git_retcon.model.secrets.readings import Reading
from git_retcon.model.secrets.token_forms import FORMS, Form
from git_retcon.model.secrets.tokens import find_tokens, select_runs
from tests.bench.pattern_samples import make_sample
from tests.model.secrets.samples import TOKENS


def find_longest(text: str) -> str:
    """The longest token that is found in the runs of a text."""
    runs = select_runs(Reading(text.encode()))
    found = [runs.find_in_text(span) for span in find_tokens(runs.data)]
    return max((text[start:end] for start, end in found), key=len, default="")


@pytest.mark.parametrize("token", TOKENS.values(), ids=TOKENS.keys())
def test_a_token_is_found(token: str) -> None:
    assert find_longest(f"of {token} it") == token


def describe(form: Form) -> str:
    return f"{form.service}, {form.prefix.decode()}"


@pytest.mark.parametrize("form", FORMS, ids=map(describe, FORMS))
def test_every_form_finds_what_fits_it(form: Form) -> None:
    chance = random.Random(3)
    pattern = (form.whole or form.rest).decode()
    for before in (
        "(?![A-Za-z0-9])",
        "(?![A-Za-z0-9_-])",
        "(?![A-Za-z0-9-])",
        "(?![A-Za-z0-9_.-])",
    ):
        pattern = pattern.replace(before, "")
    pattern = pattern.replace("(?![A-Z0-9])", "").replace("(?<![A-Za-z0-9_-])", "")
    pattern = pattern.replace("(?=[0-9]{0,39}[A-Za-z])", "").replace("}+", "}")
    samples = [make_sample(pattern, chance) for _ in range(20)]
    texts = samples if form.whole else [form.prefix.decode() + sample for sample in samples]
    found = [text for text in texts if find_longest(f"'{text}'")]
    # By chance, one in some looks less random than a key does, or ends as another begins.
    assert len(found) >= (10 if form.random else 15)


@pytest.mark.parametrize("before", ["", "'", "=", "\\n", "%0A", "/", "(", ":"])
def test_what_is_before_a_token_is_no_word(before: str) -> None:
    assert find_longest(f"x {before}{TOKENS['github']}") == TOKENS["github"]


def test_amid_a_word_it_is_none() -> None:
    assert find_longest("task-antelope-a1b2c3d4e5f6g7h8i9j0") == ""
    assert find_longest("aghp_" + "a1B2" * 9) == ""


@pytest.mark.parametrize(
    "text",
    [
        "sk-learn-is-written-scikit-learn-really",
        "API-ABCDEFGHIJKLMNOPQRSTUVWXYZ",
        "live_" + "a" * 40,
    ],
)
def test_words_that_begin_like_one_are_not_random(text: str) -> None:
    assert find_longest(text) == ""


def test_of_an_address_only_what_is_secret() -> None:
    assert (
        find_longest("https://hooks.slack.com/services/T0/B0/abcDEF123456789012")
        == "T0/B0/abcDEF123456789012"
    )
    hook = "12345678901234567890/" + "a1B2c3D4_-" * 7
    assert find_longest(f"https://discord.com/api/webhooks/{hook}") == hook.partition("/")[2]


@pytest.mark.parametrize(
    "form", [form for form in FORMS if form.whole], ids=lambda form: form.service
)
def test_no_form_without_a_beginning_is_shorter_than_what_is_searched_for_it(form: Form) -> None:
    shortest, _ = re._parser.parse(form.whole).getwidth()  # type: ignore[attr-defined]
    assert shortest >= tokens._SHORTEST_WHOLE
