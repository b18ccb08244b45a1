"""What a repair says: subjects that name what comes, and advice that names commits."""

import pytest

from git_retcon.code.diagnostics.diagnostic import Diagnostic
from git_retcon.retcon.repair.inventory import Inventory
from git_retcon.retcon.repair.wording import (
    advise,
    blame_source,
    list_words,
    report_excluded,
    report_no_repair,
    warn_of_claims,
    write_subject,
)
from git_retcon.run.failure import Failure
from tests.retcon.repair.trials import Bench, Make

FAILURE = Failure("build", "make", 1, b"a.c:1:5: error: unknown type name 'token'\n")


def test_words_are_listed_as_people_do() -> None:
    assert list_words([]) == ""
    assert list_words(["a"]) == "a"
    assert list_words(["a", "b"]) == "a and b"
    assert list_words(["a", "b", "c"]) == "a, b and c"
    assert list_words(["a", "b", "c", "d"]) == "a, b and 2 more"


def python(bench: Make) -> Bench:
    return bench(
        {"a.py": "x = 1\n\n\ndef gone():\n    return 1\n\n\ny = gone()\n"},
        {
            "a.py": "import json\n\nx = 1\n\n\ndef load():\n    return 1\n\n\ny = 2\n",
            "new.py": "A = 1\n\nB = 2\n",
        },
        "true",
    )


@pytest.mark.parametrize(
    ("texts", "asked", "subject"),
    [
        (["def load"], [], "add load from a.py"),
        (["import json"], [], "add json import from a.py"),
        (["import json", "def load"], [], "add load and json import from a.py"),
        (["import json", "def load"], ["json"], "add json import and load from a.py"),
        (["A = 1", "B = 2"], [], "add new.py"),
        (["A = 1", "B = 2", "def load"], [], "add new.py and load from a.py"),
        (["A = 1"], [], "add A from new.py"),
        (["y = 2"], [], "add changes from a.py"),
        (["y = 2"], ["gone"], "drop gone from a.py"),
    ],
)
def test_a_subject_names_what_comes(
    bench: Make, texts: list[str], asked: list[str], subject: str
) -> None:
    made = python(bench)
    complaints = [Diagnostic(None, None, "", tuple(asked))]
    inventory = Inventory(made.situation())
    assert write_subject(inventory, made.holding(*texts), complaints) == subject


def test_a_source_that_fails_is_to_be_fixed_there(bench: Make) -> None:
    said = blame_source(python(bench).situation(), FAILURE)
    assert said.startswith("the source's own tree fails this build too (")
    assert said.endswith("fix it on source, or what `make` needs outside the repository")


def test_a_claim_is_warned_of_with_the_way_out(bench: Make) -> None:
    situation = python(bench).situation()
    assert warn_of_claims(situation, {b"a.py": 1}) == (
        "commit 1 takes from a.py, claimed by commit 2's files: nothing else fixes it",
        "build commit 2 before commit 1, or leave a.py out of the files of commit 2",
    )
    warning, remedy = warn_of_claims(situation, {b"a.py": 2, b"b.py": 1})
    assert "from a.py and b.py, claimed by commit 2's files and commit 3's files" in warning
    assert "build commits 2 and 3 before commit 1" in remedy


def test_what_is_excluded_is_named_with_the_commit_it_is_planned_for(bench: Make) -> None:
    made = python(bench)
    load = made.holding("def load")
    inventory = Inventory(made.situation(planned=dict.fromkeys(load, 2)))
    said = report_excluded(inventory, FAILURE, load)
    assert "needs load from a.py (planned for commit 3), which commit 1 excludes" in said
    assert said.endswith("take a.py out of its exclude, or build commit 3 before commit 1")
    unplanned = report_excluded(Inventory(made.situation()), FAILURE, made.holding("y = 2"))
    assert "needs a change of a.py, which" in unplanned or "needs y from a.py, which" in unplanned
    assert unplanned.endswith("take a.py out of its exclude")


CHAIN = "x = 1\n\ndef one():\n    return two()\n\ndef two():\n    return 2\n"
CIRCLE = CHAIN.replace("return 2", "return one()")


@pytest.mark.parametrize(
    ("text", "plan", "advice"),
    [
        (
            CIRCLE,
            {"def one": 0, "def two": 1},
            "need each other: merge commits 1 and 2",
        ),
        (
            CHAIN,
            {"def one": 0, "def two": 2},
            "one (commit 1) needs two (commit 3): swap commits 1 and 3, or merge them",
        ),
        (CHAIN, {"def one": 1, "def two": 1}, "merge commits 1 and 2, or move what is shared"),
        (CHAIN, {}, ""),
    ],
)
def test_entangled_commits_are_named(
    bench: Make, text: str, plan: dict[str, int], advice: str
) -> None:
    made = bench({"a.py": "x = 1\n"}, {"a.py": text}, "true")
    planned = {atom: commit for part, commit in plan.items() for atom in made.holding(part)}
    inventory = Inventory(made.situation(planned=planned))
    seeds = made.holding("def one")
    assert advise(inventory, seeds).endswith(advice)
    said = report_no_repair(inventory, FAILURE, seeds)
    assert said.endswith(advice or "say in the hints what belongs together")
    assert "no small set of what is left helps" in said
