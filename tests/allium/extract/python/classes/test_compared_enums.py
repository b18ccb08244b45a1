"""Enums of columns that store a plain text or a number."""

import pytest

from tests.allium.extract.test_service_rules import declare_files

STATES = """
    from enum import Enum

    class State(Enum):
        QUEUED = 1
        RUNNING = 2

    class Colour(Enum):
        RED = 1
    """
JOBS = """
    from sqlalchemy import Column, Integer, String, select
    from .states import Colour, State

    class Job(Base):
        __tablename__ = "jobs"
        id = Column(Integer, primary_key=True)
        state = Column({kind}, nullable=False)

    def find_next():
        return select(Job).where({asked})

    def run(job: Job):
        if job.state != State.QUEUED:
            raise ValueError
        job.state = State.RUNNING
    """


def declare_jobs(asked: str, kind: str = "String") -> str:
    jobs = JOBS.format(asked=asked, kind=kind)
    return declare_files({"work/states.py": STATES, "work/jobs.py": jobs})


@pytest.mark.parametrize("kind", ["String", "Integer"])
@pytest.mark.parametrize(
    "asked",
    ["Job.state == State.QUEUED", "Job.state.in_([State.QUEUED.value, State.RUNNING.value])"],
)
def test_a_column_has_the_enum_that_its_file_asks_it_for(asked: str, kind: str) -> None:
    found = declare_jobs(asked, kind)
    assert "    state: State\n" in found
    assert "    requires: job.state = queued\n    ensures: job.state = running\n" in found


@pytest.mark.parametrize(
    "asked",
    [
        "Job.id == 3",
        "Job.state == wanted",
        'Job.state == State.QUEUED, Job.state == "lost"',
        "Job.state == State.QUEUED, Job.state == Colour.RED",
        "Job.state == Other.QUEUED",
        "Task.state == State.QUEUED",
    ],
)
def test_any_other_stays_a_text(asked: str) -> None:
    found = declare_jobs(asked)
    assert "    state: String\n" in found
    assert "ensures: job.state = running" not in found


def test_a_class_may_say_it_of_itself() -> None:
    jobs = JOBS.format(asked="Job.id == 3", kind="Integer").replace(
        "    def find_next",
        """
        @property
        def is_running(self):
            return self.state == State.RUNNING.value

    def find_next""",
    )
    assert "    state: State\n" in declare_files({"work/states.py": STATES, "work/jobs.py": jobs})
