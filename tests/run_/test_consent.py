"""A command leaves the sandbox only where it cannot work inside, and somebody agreed to that."""

from dataclasses import dataclass, field, replace

import pytest

from git_retcon.errors import Reason, Refused
from git_retcon.run.consent import Consent, Trial
from git_retcon.run.sandbox.level import UNCONFINED, Level, Policy, Sandbox
from git_retcon.run.shell_command import Outcome

CONFINED = Sandbox(Level.BUBBLEWRAP, "sandboxed by bubblewrap", "bubblewrap 0.8.0")
NO_SANDBOX = Sandbox(Level.NONE, "no sandbox: switched off", "none (off)")
GAPS = "changes to '.git', sockets of other programs"
WEAK = Sandbox(Level.LANDLOCK, f"sandboxed; it cannot stop {GAPS}", "landlock 7", gaps=GAPS)
ABSENT = Sandbox(Level.NONE, "no sandbox: bubblewrap is not installed", "none", gaps="anything")
FAILS = "'make' ends with status 1 in the sandbox, before a model wrote anything"
QUESTION = f"{FAILS}; if it passes outside, run it without the sandbox?"


@dataclass
class Person:
    """Answers every question alike, and remembers what was asked and said."""

    answer: bool
    questions: list[str] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)

    def ask(self, question: str) -> bool:
        self.questions.append(question)
        return self.answer

    def consent(self, policy: Policy = Policy.AUTO) -> Consent:
        return Consent(policy, self.ask, self.warnings.append)


@dataclass
class Make:
    """``make`` on the user's own files, by where it passes; ``runs`` says where it ran."""

    inside: bool
    outside: bool
    runs: list[str] = field(default_factory=list)

    def trial(self) -> Trial:
        return Trial(self.run_inside, self.passes_outside)

    def run_inside(self) -> Outcome:
        self.runs.append("inside")
        return Outcome("make", 0 if self.inside else 1, b"", 0.1, False)

    def passes_outside(self) -> bool:
        self.runs.append("outside")
        return self.outside


def test_what_passes_inside_stays_there_and_never_runs_outside() -> None:
    person, make = Person(answer=True), Make(inside=True, outside=True)
    assert person.consent().choose_sandbox(CONFINED, make.trial()) is CONFINED
    assert (make.runs, person.questions, person.warnings) == (["inside"], [], [])


def test_nothing_runs_outside_before_somebody_agreed() -> None:
    make = Make(inside=False, outside=True)
    asked: list[list[str]] = []

    def ask(question: str) -> bool:
        asked.append(list(make.runs))
        return True

    Consent(Policy.AUTO, ask, lambda line: None).choose_sandbox(CONFINED, make.trial())
    assert asked == [["inside"]]
    assert make.runs == ["inside", "outside"]


def test_what_fails_on_both_sides_stays_inside() -> None:
    person, make = Person(answer=True), Make(inside=False, outside=False)
    assert person.consent().choose_sandbox(CONFINED, make.trial()) is CONFINED
    assert (make.runs, person.questions) == (["inside", "outside"], [QUESTION])
    assert person.warnings == []


def test_a_person_may_let_out_what_cannot_be_sandboxed() -> None:
    person, make = Person(answer=True), Make(inside=False, outside=True)
    assert person.consent().choose_sandbox(CONFINED, make.trial()) is UNCONFINED
    assert person.questions == [QUESTION]
    assert person.warnings == [
        "'make' cannot be sandboxed: it passes outside and ends with status 1 inside; "
        "it runs without"
    ]


def test_a_no_is_a_refusal_that_says_the_way_out() -> None:
    person, make = Person(answer=False), Make(inside=False, outside=True)
    with pytest.raises(Refused, match="nobody agreed to run it outside") as raised:
        person.consent().choose_sandbox(CONFINED, make.trial())
    assert "--sandbox=off" in str(raised.value.hint)
    assert (raised.value.reason, raised.value.again) == (Reason.NEEDS_ANSWER, ["--yes"])
    assert (person.warnings, make.runs) == ([], ["inside"])


@pytest.mark.parametrize("may_be_broken", [True, False])
def test_where_a_sandbox_is_required_nothing_runs_outside_and_nobody_is_asked(
    may_be_broken: bool,
) -> None:
    person, make = Person(answer=True), Make(inside=False, outside=True)
    trial = replace(make.trial(), may_be_broken=may_be_broken)
    consent = person.consent(Policy.REQUIRE)
    if may_be_broken:
        assert consent.choose_sandbox(CONFINED, trial) is CONFINED
        assert person.warnings == [f"{FAILS}; whether it passes outside was not tried"]
    else:
        with pytest.raises(Refused, match="nobody agreed to run it outside") as raised:
            consent.choose_sandbox(CONFINED, trial)
        assert (raised.value.reason, raised.value.again) == (Reason.NO_SANDBOX, None)
    assert (make.runs, person.questions) == (["inside"], [])


def test_what_may_be_broken_stays_inside_where_nobody_is_there_to_ask() -> None:
    person, make = Person(answer=False), Make(inside=False, outside=True)
    trial = replace(make.trial(), may_be_broken=True)
    assert person.consent().choose_sandbox(CONFINED, trial) is CONFINED
    assert make.runs == ["inside"]
    assert person.warnings == [f"{FAILS}; whether it passes outside was not tried"]


@pytest.mark.parametrize("sandbox", [WEAK, ABSENT])
def test_a_sandbox_that_cannot_stop_everything_is_asked_about_first(sandbox: Sandbox) -> None:
    person, make = Person(answer=False), Make(inside=True, outside=True)
    with pytest.raises(Refused, match="with too little protection") as raised:
        person.consent().choose_sandbox(sandbox, make.trial())
    assert person.questions == [f"{sandbox.description}; run what a model wrote all the same?"]
    assert "install the package 'bubblewrap'" in str(raised.value.hint)
    assert (raised.value.reason, raised.value.again) == (Reason.NEEDS_ANSWER, ["--yes"])
    assert make.runs == []


def test_a_weak_sandbox_that_a_person_admits_is_asked_about_once() -> None:
    person = Person(answer=True)
    consent = person.consent()
    for command in (Make(inside=True, outside=True), Make(inside=True, outside=True)):
        assert consent.choose_sandbox(WEAK, command.trial()) is WEAK
        assert command.runs == ["inside"]
    assert len(person.questions) == 1


def test_without_a_sandbox_nothing_is_tried() -> None:
    make = Make(inside=False, outside=True)
    assert Person(answer=False).consent().choose_sandbox(NO_SANDBOX, make.trial()) is NO_SANDBOX
    assert make.runs == []


def test_what_was_agreed_to_is_remembered_and_said() -> None:
    person = Person(answer=False)
    assert person.consent().recall("make") is UNCONFINED
    assert person.questions == []
    assert person.warnings == ["'make' runs without a sandbox, as was agreed to"]


def test_what_was_agreed_to_does_not_weaken_a_sandbox_that_is_required() -> None:
    person = Person(answer=True)
    with pytest.raises(Refused, match="'make' cannot be sandboxed, and a sandbox is required"):
        person.consent(Policy.REQUIRE).recall("make")
    assert person.warnings == []


def test_the_record_says_that_it_was_allowed() -> None:
    assert (UNCONFINED.level, UNCONFINED.record) == (Level.NONE, "none (allowed)")
