"""The head of a new file is its first lines that mean nothing by themselves."""

import pytest

from git_retcon.retcon.planner.facts import read_facts
from git_retcon.retcon.planner.file_heads import find_file_heads
from tests.repository import TestRepository
from tests.retcon.planner.building import branch

BODY = "def go():\n    return 1\n\n\ndef stop():\n    return 2\n"


def heads(repo: TestRepository, before: dict[str, str], after: dict[str, str]) -> dict[bytes, int]:
    """The text of each head → how many atoms follow it."""
    whole = branch(repo, before, after)
    facts = read_facts(whole)
    return {
        b"".join(facts[head].atom.added): len(others)
        for head, others in find_file_heads(facts, whole.texts)
    }


def test_each_new_file_has_its_own(repo: TestRepository) -> None:
    after = {"a.py": f'"""A."""\n\n\n{BODY}', "b.py": f"# B\n\n\n{BODY}", "old": "1\n"}
    found = heads(repo, {"old": "1\n"}, after)
    assert {text.split()[0] for text in found} == {b'"""A."""', b"#"}
    assert set(found.values()) == {2}


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("a.py", BODY),  # begins with a definition
        ("a.py", f"import os\n\n\n{BODY}"),  # an import comes with its use
        ("a.py", "".join(f"# line {at}\n" for at in range(7)) + f"\n\n{BODY}"),  # is content
        ("a.py", '"""Alone."""\n'),  # nothing needs it
    ],
)
def test_content_is_no_head(repo: TestRepository, name: str, text: str) -> None:
    assert heads(repo, {"old": "1\n"}, {"old": "1\n", name: text}) == {}


def test_an_old_file_has_none(repo: TestRepository) -> None:
    assert heads(repo, {"a.py": "x = 1\n"}, {"a.py": f'"""A."""\n\n\nx = 1\n\n\n{BODY}'}) == {}


def test_an_include_guard_is_a_head_though_it_defines_a_name(repo: TestRepository) -> None:
    guarded = "#ifndef A_H\n#define A_H\n\nint go(void);\n\nint stop(void);\n\n#endif\n"
    assert b"#ifndef A_H\n#define A_H\n" in {
        text.rstrip(b"\n") + b"\n"
        for text in heads(repo, {"old": "1\n"}, {"old": "1\n", "a.h": guarded})
    }
