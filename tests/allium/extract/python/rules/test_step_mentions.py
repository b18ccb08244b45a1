"""Where a file names a step of a class."""

import pytest

from git_retcon.allium.extract.python.rules.step_mentions import count_mentions

OWN = b"""
class Job:
    def run(self):
        self._reset()

    def _reset(self):
        self.state = READY
"""


@pytest.mark.parametrize(
    ("others", "count"),
    [
        (b"", 1),
        (b"class Heir(Job):\n    def _reset(self):\n        super()._reset()\n", 1),
        (b"class Heir(Job):\n    def _reset(self):\n        super(Heir, self)._reset()\n", 1),
        (b"class Heir(Job):\n    def again(self):\n        super()._reset()\n", 2),
        (b"class Heir(Job):\n    def _reset(self):\n        self._reset()\n", 2),
        (b"job._reset()\njob._reset_all()\n", 2),
        (b"assert not hasattr(super(Job, self), '_reset')\njob._reset()\n", 2),
        (b"getattr(job, '_reset')()\n", 2),
        (b"# now _reset runs\n    # _reset(1)\nThread(name='job._reset')\n", 1),
        (b"    #_reset()\n", 2),
        (b'def start(self):\n    """It says _reset\n    later."""\n', 1),
        (b"log('now in _reset: %s', 1)\nlog(\"don't _reset it\")\nx = 1  # then _reset\n", 1),
        (b"assert ready, ('Job._reset() '\n              'is too early')\n", 1),
        # It may be run.
        (b"log(f'it did {job._reset()} now')\nconsole.log(`it did ${this._reset()}`)\n", 3),
        (b"x = 'a b'; job._reset(); y = 'c d'\n", 2),
    ],
)
def test_what_says_nothing_of_when_a_step_runs_does_not_count(others: bytes, count: int) -> None:
    assert count_mentions(OWN + others, "_reset") == count


def test_a_comment_alone_does_not_count() -> None:
    alone = OWN.replace(b"self._reset()", b"# as _reset()")
    assert count_mentions(alone, "_reset") == 0
    assert count_mentions(b"# as _reset does\n" + alone, "_reset") == 0
    assert count_mentions(alone + b"_reset(1)  # now\n", "_reset") == 1


@pytest.mark.parametrize(
    ("others", "count"),
    [
        (b"class Other:\n    def stop(self):\n        self._reset()\n\n    def _reset(self):\n", 1),
        (b"class Server(Base):\n    def _reset(self):\n        super()._reset()\n        x = 1\n"
         b"\n    def stop(self):\n        super()._reset()\n", 1),
        # Not its own: whose step that is, is not known.
        (b"class Server:\n    def stop(self):\n        job._reset()\n\n    def _reset(self):\n", 2),
        (b"class Server:\n    def stop(self):\n        self._reset()\n", 2),
        (b"class Base:\n    def _reset(self):\n        pass\n\nclass Server(Base):\n"
         b"    def stop(self):\n        self._reset()\n", 1),
        (b"class Other:\n    def stop(self):\n        self._reset()\n\n    def _reset(self):\n"
         b"        pass\n\nclass Heir(Job, Other):\n    pass\n", 2),
        # Kinds of jobs share the step.
        (b"class Heir(Job):\n    pass\n\nclass Last(Heir):\n    def stop(self):\n"
         b"        super()._reset()\n\n    def _reset(self):\n        pass\n", 2),
    ],
)  # fmt: skip
def test_what_another_class_says_of_its_own_step_does_not_count(others: bytes, count: int) -> None:
    assert count_mentions(OWN + others, "_reset", "Job") == count
    nested = b"class Outer:\n" + b"".join(b"    %s\n" % each for each in OWN.split(b"\n"))
    assert count_mentions(nested + others.replace(b"Heir(Job)", b"Heir(Outer.Job)"), "_reset",
                          "Outer.Job") == count  # fmt: skip
