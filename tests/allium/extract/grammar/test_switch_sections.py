"""Each case of a switch runs what is behind it, until something leaves it."""

import ast
import textwrap

import pytest

from git_retcon.allium.extract.grammar.statements import Case, Statements, chain_cases
from git_retcon.allium.extract.grammar.switch_sections import end_cases
from git_retcon.allium.extract.typescript.reader import is_available
from tests.allium.extract.declared import declare


def parse(source: str) -> Statements:
    return ast.parse(textwrap.dedent(source)).body if source else []


def show(*cases: tuple[str, str]) -> str:
    """What is left of cases, each a label and its statements; "" is what no label has."""
    read: list[Case] = [
        ([ast.Name(label)] if label else None, parse(source)) for label, source in cases
    ]
    ended = end_cases(read)
    if ended is None:
        return ""
    chain = chain_cases(ast.Name("state"), ended)
    return "\n".join(ast.unparse(ast.fix_missing_locations(each)) for each in chain)


REFUSE = ("", "raise error")
TAIL = "\nelse:\n    raise error"


def test_labels_alone_share_what_follows_and_a_break_goes() -> None:
    found = show(("new", ""), ("late", "self.state = 1; break"), REFUSE)
    assert found == "if state in [new, late]:\n    self.state = 1" + TAIL


def test_what_no_label_has_is_last_wherever_it_is_written() -> None:
    late = ("late", "self.state = 1; break")
    assert show(REFUSE, late) == show(late, REFUSE)
    assert show(("old", ""), REFUSE, late).endswith(TAIL)


def test_a_case_that_acts_and_goes_on_does_what_the_next_one_does() -> None:
    found = show(("new", "self.count = 1"), ("late", "self.state = 1; break"), REFUSE)
    assert found == (
        "if state in [new]:\n    self.count = 1\n    self.state = 1\n"
        "elif state in [late]:\n    self.state = 1" + TAIL
    )


@pytest.mark.parametrize("left", ["return", "break", "raise error", "continue"])
def test_a_case_of_which_both_branches_leave_does_not_go_on(left: str) -> None:
    inner = f"if ready:\n    self.state = 1\n    break\nelse:\n    {left}"
    found = show(("new", inner), REFUSE)
    assert found.endswith(TAIL)
    assert found.count("raise error") == (2 if left == "raise error" else 1)


def test_what_is_behind_a_break_in_a_branch_runs_in_the_other_one_alone() -> None:
    inner = "if ready:\n    self.state = 1\n    break\nself.state = 2\nbreak"
    assert show(("new", inner), REFUSE) == (
        "if state in [new]:\n    if ready:\n        self.state = 1\n    else:\n"
        "        self.state = 2" + TAIL
    )
    deeper = f"if known:\n{textwrap.indent(inner[:-6], '    ')}\nself.count = 3\nbreak"
    assert show(("new", deeper), REFUSE).count("self.count = 3") == 2


def test_a_loop_in_a_case_has_its_own_break() -> None:
    inner = "while waiting:\n    break\nself.state = 1\nbreak"
    found = show(("new", inner), REFUSE)
    assert "while waiting:\n        break\n    self.state = 1" in found


@pytest.mark.parametrize(
    "inner",
    ["with lock:\n    break\nself.state = 1\nbreak",
     "if a:\n    break\n" * 50 + "break",
     "if a:\n    if b:\n        break\n    c()\n" * 2 + "break"],
)  # fmt: skip
def test_what_leaves_a_case_from_too_deep_inside_is_not_known(inner: str) -> None:
    assert show(("new", inner), REFUSE) == ""


LIFT = """
export class Lift {
  private state: 'up' | 'down' | 'stuck' | 'lost' = 'up';
  lower() { if (this.state !== 'up') { return; } this.state = 'down'; }
  jam() { if (this.state !== 'down') { return; } this.state = 'stuck'; }
  run(calls: string[]) {
    LOOP
  }
}
"""
TURN = "switch (this.state) { case 'stuck': LEAVE default: throw new Error(); }"


@pytest.mark.skipif(not is_available(), reason="the extra 'typescript' is missing")
def test_what_goes_on_with_the_loop_does_nothing_behind_the_switch() -> None:
    loop = "for (const each of calls) { SWITCH this.state = 'lost'; }"
    ways = {"continue;": False, "break;": True}
    for leave, is_lost in ways.items():
        inner = loop.replace("SWITCH", TURN.replace("LEAVE", leave))
        found = declare({"lift.ts": LIFT.replace("LOOP", inner)})
        assert ("stuck -> lost" in found) is is_lost


@pytest.mark.skipif(not is_available(), reason="the extra 'typescript' is missing")
def test_a_break_that_names_the_loop_leaves_it() -> None:
    loop = f"all: for (;;) {{ {TURN.replace('LEAVE', 'break all;')} }} this.state = 'lost';"
    assert "stuck -> lost" in declare({"lift.ts": LIFT.replace("LOOP", loop)})


@pytest.mark.skipif(not is_available(), reason="the extra 'typescript' is missing")
@pytest.mark.parametrize(
    "switch",
    [
        f"check: {TURN.replace('LEAVE', 'break check;')}",
        f"check: {TURN.replace('LEAVE', '{ calls.pop(); break check; }')}",
        "switch (true) { case this.state === 'stuck': break; default: throw new Error(); }",
        "switch (true) { case this.state !== 'stuck': throw new Error(); }",
    ],
)
def test_what_a_switch_lets_go_on_is_demanded(switch: str) -> None:
    found = declare({"lift.ts": LIFT.replace("LOOP", f"{switch} this.state = 'lost';")})
    assert "requires: lift.state = stuck\n    ensures: lift.state = lost" in found
    assert "stuck -> lost" in found
    assert "up -> lost" not in found


@pytest.mark.skipif(not is_available(), reason="the extra 'typescript' is missing")
def test_a_condition_around_another_leaves_as_one() -> None:
    inner = "if (this.isNear()) { if (!this.call()) { break; } }"
    later = "this.state = 'lost'; if (!this.isFree()) { this.tell(); break; } this.free();"
    found = declare(
        {"lift.ts": LIFT.replace("LOOP", f"switch (true) {{ case 1: {inner} {later} }}")}
    )
    assert "ensures: lift.state = lost" in found or "stuck -> lost" in found
    both = inner.replace("break; } }", "break; } this.wait(); }")
    other = LIFT.replace("LOOP", f"switch (true) {{ case 1: {both} {later} }}")
    assert "stuck -> lost" not in declare({"lift.ts": other})
