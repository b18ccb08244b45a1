"""Enums of packages that the repository does not have."""

from tests.allium.extract.declared import declare

JOB = """
from engine.jobs import JobStatus

class Job:
    def __init__(self):
        self.status = JobStatus.QUEUED

    def start(self):
        if self.status != JobStatus.QUEUED:
            raise ValueError
        self.status = JobStatus.RUNNING

    def finish(self, error):
        if self.status == JobStatus.RUNNING:
            self.status = JobStatus.FAILED if error else JobStatus.DONE
"""
EDGES = ["queued -> running", "running -> failed", "running -> done"]


def list_edges(files: dict[str, str]) -> list[str]:
    return [line.strip() for line in declare(files).split("\n") if " -> " in line]


def test_the_members_that_a_file_names_are_its_states() -> None:
    assert list_edges({"job.py": JOB}) == EDGES
    assert "    status: queued | running | failed | done\n" in declare({"job.py": JOB})


def test_what_the_repository_has_is_read_there() -> None:
    enum = "from enum import Enum\nclass JobStatus(Enum):\n    NEW = 1\n    OLD = 2\n"
    assert list_edges({"job.py": JOB, "engine/jobs.py": enum}) == []


def test_the_members_of_what_code_makes_are_those_that_a_file_names() -> None:
    assert list_edges({"job.py": JOB, "engine/jobs.py": "JobStatus = make_enum()\n"}) == EDGES
    made = JOB.replace("from engine.jobs import JobStatus", "St = MyEnum.from_str('St', NAMES)")
    assert list_edges({"job.py": made.replace("JobStatus", "St")}) == EDGES
    assert list_edges({"job.py": made.replace("JobStatus", "St").replace("MyEnum", "My")}) == []
    held = JOB.replace("JobStatus", "JOB.STATES").replace("import JOB.STATES", "import JOB")
    assert (
        list_edges({"job.py": held, "engine/jobs.py": "class JOB:\n    STATES = make()\n"}) == EDGES
    )


def test_a_class_of_constants_may_be_of_the_file() -> None:
    jobs = "class Jobs:\n    QUEUED = 1\n    RUNNING = 2\n    FAILED = 3\n    DONE = 4\n"
    job = JOB.replace("from engine.jobs import JobStatus\n", jobs).replace("JobStatus", "Jobs")
    assert list_edges({"job.py": job}) == EDGES
    assert list_edges({"job.py": job.replace("FAILED = 3", "FAILED = 4")}) == []


def test_a_class_of_the_file_says_itself_what_its_states_are() -> None:
    same = JOB.replace(
        "from engine.jobs import JobStatus", "class JobStatus:\n    QUEUED = RUNNING = DONE = 0"
    )
    assert list_edges({"job.py": same}) == []


def test_what_is_not_named_for_states_may_be_a_class_of_constants() -> None:
    job = JOB.replace("JobStatus", "Jobs")
    assert list_edges({"job.py": job}) == EDGES
    # Those that the state never gets are others.
    more = job + "        self.kind = Jobs.SMALL\n"
    assert "    status: queued | running | failed | done\n" in declare({"job.py": more})
    constants = (
        "class Jobs:\n    QUEUED = 1\n    RUNNING = 2\n\n    def tell(self):\n        pass\n"
    )
    assert list_edges({"job.py": job, "engine/jobs.py": constants}) == EDGES


def test_what_a_file_makes_objects_of_is_no_class_of_constants() -> None:
    job = JOB.replace("JobStatus", "Jobs") + "        self.jobs = Jobs()\n"
    assert list_edges({"job.py": job}) == []


def test_constants_that_say_that_they_are_states_need_no_name_of_their_class() -> None:
    job = JOB.replace("import JobStatus", "import Jobs").replace("JobStatus.", "Jobs.STATE_")
    assert list_edges({"job.py": job + "        self.jobs = Jobs()\n"}) == EDGES


def test_members_may_be_written_small_where_one_is_given_or_asked() -> None:
    job = JOB
    for name in ("QUEUED", "RUNNING", "FAILED", "DONE"):
        job = job.replace(name, name.lower())
    job = job.replace("JobStatus.failed if error else JobStatus.done", "JobStatus.done")
    job += "\n    def tell(self):\n        return JobStatus.describe(self)\n"
    assert list_edges({"job.py": job}) == ["queued -> running", "running -> done"]
    assert "queued | running | done\n" in declare({"job.py": job})
