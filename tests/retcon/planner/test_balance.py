"""Changes around unchanged lines that make no sense apart are paired; others are free."""

from git_retcon.retcon.planner.balance import pair_unbalanced
from git_retcon.retcon.planner.facts import read_facts
from tests.repository import TestRepository
from tests.retcon.planner.building import branch, pairs, placed, planned

STEPS = "".join(f"step_{at}();\n" for at in range(9))


def unbalanced(repo: TestRepository, name: str, before: str, after: str) -> set[tuple[str, str]]:
    whole = branch(repo, {name: before}, {name: after})
    return pairs(whole, pair_unbalanced(read_facts(whole), whole.texts))


def test_a_bracket_opened_and_closed_around_old_lines_is_one_change(repo: TestRepository) -> None:
    whole = branch(repo, {"a.js": STEPS}, {"a.js": f"when(() => {{\n{STEPS}}});\n"})
    found = pair_unbalanced(read_facts(whole), whole.texts)
    assert pairs(whole, found) == {("when(() => {", "});")}
    made = planned(whole, ["Begin when", "Close it"])
    assert len(set(placed(whole, made).values())) == 1


def test_what_is_between_the_brackets_is_bound_too(repo: TestRepository) -> None:
    after = f"when(() => {{\n{STEPS}".replace("step_4();\n", "step_4();\nextra();\n") + "});\n"
    assert unbalanced(repo, "a.js", STEPS, after) == {
        ("when(() => {", "extra();"),
        ("extra();", "});"),
    }


def test_changes_that_are_balanced_by_themselves_are_free(repo: TestRepository) -> None:
    assert unbalanced(repo, "a.js", STEPS, f"begin(() => {{}});\n{STEPS}end();\n") == set()


def test_a_new_file_is_free(repo: TestRepository) -> None:
    whole = branch(repo, {"x": "1\n"}, {"x": "1\n", "a.js": f"when(() => {{\n{STEPS}}});\n"})
    assert list(pair_unbalanced(read_facts(whole), whole.texts)) == []


def test_a_misread_file_binds_nothing(repo: TestRepository) -> None:
    body = "".join(f"x{at} = 1\n" for at in range(9))
    assert unbalanced(repo, "a.py", body, f'y = """\n{body}z = 1\n') == set()


def test_lines_that_get_another_head_bind_both_heads(repo: TestRepository) -> None:
    before = "zero()\nif a:\n\n    one()\n    two()\n"
    after = "zero()\n\nwhile b:\n    one()\n    two()\n"
    assert unbalanced(repo, "a.py", before, after) == {("if a:", "while b:")}
