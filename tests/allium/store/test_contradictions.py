"""Questions about what people wrote and the source says otherwise."""

import pytest

from git_retcon.allium.store.contradictions import (
    Contradiction,
    add_questions,
    drop_questions,
    find_section,
)
from git_retcon.allium.store.merge_choice import Conflict
from git_retcon.allium.store.module_text import cut_module, join_module
from git_retcon.allium.store.three_way import ask_about, make_question


@pytest.mark.parametrize("kind", Contradiction)
@pytest.mark.parametrize("section", ["entity Order", "rule Pay: requires: n: x > 1", "config: a"])
def test_a_question_says_what_it_is_about(kind: Contradiction, section: str) -> None:
    assert find_section(make_question(kind.ask(section, "src/a b.py"))) == section


def test_each_is_asked_once_also_in_other_words_or_of_another_file() -> None:
    there = [make_question(Contradiction.UNSAID.ask("entity Order: field total", "a.py"))]
    there += [make_question(Contradiction.SAID_OTHERWISE.ask("rule Pay: requires", "a.py"))]
    new = [
        Contradiction.SAID_OTHERWISE.ask("entity Order: field total", "b.py"),
        Contradiction.UNSAID.ask("rule Pay: requires: n > 1", "a.py"),
        Contradiction.UNSAID.ask("rule Pay: ensures: n > 1", "a.py"),
        Contradiction.UNDECLARED.ask("entity Order", "a.py"),
        Contradiction.UNDECLARED.ask("entity Order", "b.py"),
        "Who pays?",
    ]
    assert [each.name for each in add_questions(there, new)] == [new[2], new[3], new[5]]


def test_what_a_merge_asked_is_not_asked_in_other_words() -> None:
    conflict = Conflict("entity", "Order", b"a", b"b", b"c", item="field total")
    (asked,) = ask_about([conflict], ("the branch", "what is merged into it"))
    assert find_section(asked) == "entity Order: field total"
    question = Contradiction.SAID_OTHERWISE.ask("entity Order: field total", "src/a.py")
    assert not [*add_questions([asked], [question])]


def test_a_question_whose_cause_is_gone_goes_without_the_comments_at_it() -> None:
    asked = make_question(Contradiction.UNDECLARED.ask("value Order", "src/a.py")).text
    other = make_question(Contradiction.UNDECLARED.ask("value Cart", "src/a.py")).text
    own = b'open question "Who pays?"\n\n-- End of the module.\n\n'
    text = cut_module(b"-- allium: 3\n\n" + own + asked + b"\n\n" + other + b"\n")
    kept = drop_questions(text.declarations, (Contradiction.UNDECLARED,), {"value Order"})
    written = join_module(text.head, [each.text for each in kept])
    assert written == b"-- allium: 3\n\n" + own + other + b"\n"
