"""Hints that name a file in vain say so: one that is nowhere, and one that is built already."""

import json

import pytest

from tests.program import retcon_here
from tests.repository import TestRepository

SPEC = """\
source = "feature"
remote = "main"
cleaned = "clean"

[[commit]]
message = "Change the client"
hints = "{first}"

[[commit]]
message = "Change the rest"
hints = "{second}"
"""


@pytest.fixture
def messy(repo: TestRepository) -> TestRepository:
    old = {"src/_client.py": "x = 1\n", "guide.md": "a\n", "shop.py": "a = 1\n"}
    repo.commit("base", {**old, "still.py": "y = 1\n"})
    repo.git("checkout", "-qb", "feature")
    repo.commit("all", {path: f"{text}more = 1\n" for path, text in old.items()})
    return repo


def warn(repo: TestRepository, first: str, second: str, *words: str) -> list[str]:
    (repo.path / "s.toml").write_text(SPEC.format(first=first, second=second))
    told = retcon_here(repo.path, *words, "s.toml").ok().err.splitlines()
    return [line for line in told if line.startswith("warning: s.toml:")]


@pytest.mark.parametrize("words", [("-n",), ()])
def test_a_misspelt_file_is_named_with_its_line(messy: TestRepository, words: tuple[str]) -> None:
    assert warn(messy, "In src/_cleint.py.", "shop.py and Guide.md", *words) == [
        "warning: s.toml:7: hints: there is no file '_cleint.py'; did you mean '_client.py'?"
    ]


def test_hints_that_name_no_file_but_one_that_is_nowhere_are_named(messy: TestRepository) -> None:
    assert warn(messy, "All in other/gnarf.py.", "The rest.", "-n") == [
        "warning: s.toml:7: hints: there is no file 'gnarf.py'"
    ]


@pytest.mark.parametrize(
    "hint",
    [
        "_client.py, which still.py needs",
        "shop.py as Node.py wants it",
        "Shop.close(), e.g. os.path.join, in v1.2",
        "",
    ],
)
def test_what_is_there_or_no_file_is_not_named(messy: TestRepository, hint: str) -> None:
    assert warn(messy, hint, hint, "-n") == []


def test_hints_for_what_an_earlier_commit_has_say_where_it_is(messy: TestRepository) -> None:
    assert warn(messy, "_client.py, guide.md", "shop.py") == []
    spec = messy.path / "s.toml"
    spec.write_text(spec.read_text().replace('"shop.py"', '"shop.py, guide.md"'))
    said = (
        "warning: s.toml:15: hints: the hunks of 'guide.md' stay in commit 1; "
        "'git retcon edit' moves them, and builds again from there\n"
    )
    planned = retcon_here(messy.path, "-n", "--json", "s.toml").ok()
    assert said in planned.err
    assert len(json.loads(planned.out)["commits"]) == 1
    assert said in retcon_here(messy.path, "s.toml").ok().err
    # Said when it changes, and not again.
    assert said not in retcon_here(messy.path, "s.toml").ok().err
