"""A flag that is set with a state keeps operations that ask it from leading on from that state."""

from tests.allium.extract.declared import declare_python

JOB = """
from django.db import models
class Job(models.Model):
    status = models.CharField(choices=[("new", "New"), ("done", "Done"), ("lost", "Lost")])
    over = models.BooleanField(default=False)
    def finish(self):
        if self.over:
            return
        self.status = "done"
        self.over = True
    def lose(self):
        if self.over:
            return
        self.status = "lost"
        self.over = True
"""


def test_no_operation_leads_on_from_where_its_flag_is_off() -> None:
    told = declare_python(JOB)
    assert """
    transitions status {
        new -> done
        new -> lost
        terminal: done, lost
    }
""" in told  # fmt: skip
    assert """
rule JobFinish {
    when: FinishJob(job)
    requires: not job.over
    ensures: job.status = done
    ensures: job.over = true
}""" in told  # fmt: skip


def test_a_flag_that_goes_both_ways_says_nothing() -> None:
    other = """
    def reopen(self):
        self.status = "done"
        self.over = False
"""
    assert "done -> lost" in declare_python(JOB + other)


def test_a_flag_that_a_condition_around_all_sets_comes_with_the_states_in_it() -> None:
    wrapped = """
    def finish(self):
        if not self.over:
            self.status = "done"
            self.over = True
            self.status = "lost"
"""
    told = declare_python(f"{JOB.partition('    def finish')[0]}{wrapped[1:]}")
    edges = [line.strip() for line in told.split("\n") if "->" in line]
    assert edges == ["new -> done", "done -> lost"]


def test_a_state_that_is_set_without_its_flag_elsewhere_does_not_come_with_it() -> None:
    for other in ('self.status = "done"', "self.status = status", "self.over = False"):
        source = f"{JOB}    def repeat(self, status):\n        {other}\n"
        assert "done -> lost" in declare_python(source), other
        shut = (
            f"{JOB}    def repeat(self, found):\n        if found:\n            self.over = False\n"
        )
        assert "done -> lost" in declare_python(f'{shut}        self.status = "done"\n')
    kept = f'{JOB}    def renew(self):\n        self.status = "new"\n        self.over = False\n'
    assert "done -> lost" not in declare_python(kept)


def test_a_flag_that_is_set_again_under_a_condition_does_not_come_with_the_state() -> None:
    told = declare_python("""
class Trace:
    PENDING, RUNNING, STOPPED = 0, 1, 2

    def __init__(self, settings):
        self._state = Trace.PENDING
        self.enabled = False
        if settings.enabled:
            self.enabled = True

    def begin(self):
        if self._state != Trace.PENDING:
            raise RuntimeError("begun")
        self._state = Trace.RUNNING

    def end(self):
        if not self.enabled:
            return
        self._state = Trace.STOPPED
        self.enabled = False
""")
    assert "pending -> stopped" in told
    assert "running -> stopped" in told
