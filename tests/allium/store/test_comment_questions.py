"""After a merge, each comment that people are asked about is there once, and each question."""

import pytest

from git_retcon.allium.store.comment_questions import drop_repeated
from git_retcon.allium.store.spec_store import SpecStore

HEAD = "-- allium: 3\n-- Mirrors {}.\n"
QUESTION = """
{comments}
open question "value Line: {path} does not declare it any more. Is the comment above still needed?"
"""
DECLARED = """
-- Source: src/post/line.py, Line
{comments}
value Line {{
    size: Integer
}}
"""
OTHER = "\nvalue Other {\n    size: Integer\n}\n"


def ask(path: str, *comments: str) -> str:
    return QUESTION.format(path=path, comments="\n".join(comments))


def declare(*comments: str) -> str:
    return DECLARED.format(comments="\n".join(comments))


def make_store(modules: dict[str, str]) -> SpecStore:
    store = SpecStore()
    for name, text in modules.items():
        store = store.set_module_spec(
            f"{name}.allium".encode(), (HEAD.format(name) + text).encode()
        )
    return store


def drop(modules: dict[str, str]) -> dict[str, str]:
    """What is left of each module behind its head."""
    left = drop_repeated(make_store(modules)).all_modules()
    names = {path.decode().removeprefix("spec/").removesuffix(".allium"): path for path in left}
    return {
        name: left[path].decode().removeprefix(HEAD.format(name)) for name, path in names.items()
    }


@pytest.mark.parametrize(
    "there",
    [declare("-- why so"), ask("src/post/line.py", "-- why so"), declare("-- one", "-- why so")],
)
def test_a_question_goes_whose_comment_is_elsewhere(there: str) -> None:
    left = drop({"shop": ask("src/shop/line.py", "-- why so") + OTHER, "post": there})
    assert sum(text.count("-- why so") for text in left.values()) == 1
    assert "Other" in left["shop"]


def test_of_two_questions_the_one_with_more_comments_stays() -> None:
    more, less = ask("src/line.py", "-- one", "-- two"), ask("src/line.py", "-- one")
    assert drop({"shop": OTHER + less + more}) == {"shop": OTHER + more}


def test_of_two_questions_that_differ_in_the_file_one_stays() -> None:
    one, other = ask("src/a.py", "-- why"), ask("src/b.py", "-- why")
    assert drop({"shop": OTHER + one + other}) == {"shop": OTHER + one}


def test_a_module_without_anything_else_goes() -> None:
    left = drop({"shop": ask("src/shop/line.py", "-- why"), "post": declare("-- why")})
    assert list(left) == ["post"]


@pytest.mark.parametrize(
    "there",
    [declare("-- another"), OTHER, OTHER.replace("value", "-- why so\nvalue"), "\n-- why so\n"],
)
def test_a_comment_that_is_nowhere_else_stays(there: str) -> None:
    modules = {"shop": OTHER + ask("src/shop/line.py", "-- why so"), "post": there}
    assert drop(modules)["shop"] == modules["shop"]


def test_a_question_that_two_modules_ask_stays_where_its_declaration_is() -> None:
    asked = '\nopen question "value Line: a.py says it otherwise. Which one is right?"\n'
    left = drop({"post": OTHER + asked, "shop": declare() + asked})
    assert left == {"post": OTHER, "shop": declare() + asked}
    left = drop({"post": OTHER + asked, "shop": asked})
    assert left == {"post": OTHER + asked}


def test_a_question_of_people_stays_in_both() -> None:
    asked = '\nopen question "What of lines?"\n'
    modules = {"post": OTHER + asked, "shop": OTHER + asked}
    assert drop(modules) == modules
