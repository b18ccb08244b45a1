"""Names are found along imports, each file asked for a name a few times at most."""

from collections import Counter

from git_retcon.allium.extract.source_facts import FileFacts
from git_retcon.allium.extract.symbol_finder import DEEPEST, SymbolFinder
from tests.allium.extract.declared import Sources


class Counted(Sources):
    """A source tree that counts how often each file is read."""

    def __init__(self, files: dict[str, str]) -> None:
        super().__init__(files)
        self.reads: Counter[bytes] = Counter()

    def read(self, path: bytes) -> FileFacts | None:
        self.reads[path] += 1
        return super().read(path)


def make_package(modules: int) -> dict[str, str]:
    """A package whose modules import all of each other."""
    names = [f"m{number}" for number in range(modules)]
    stars = [f"from app.{name} import *\n" for name in names]
    return {
        "app/__init__.py": "".join(stars),
        **{f"app/{name}.py": "from app import *\n" + "".join(stars) for name in names},
    }


def test_a_name_that_is_nowhere_is_not_looked_for_along_every_way() -> None:
    tree = Counted(make_package(8))
    assert SymbolFinder(tree).find_symbol(b"app/m0.py", "Missing") is None
    # Once at each depth, not once along each of 8 ** 8 ways.
    assert max(tree.reads.values()) <= DEEPEST + 1


def test_a_name_behind_a_circle_of_imports_is_found() -> None:
    files = make_package(4)
    files["app/m3.py"] += "class Order:\n    id: int\n"
    finder = SymbolFinder(Counted(files))
    assert finder.find_symbol(b"app/m1.py", "Missing") is None
    found = finder.find_symbol(b"app/m0.py", "Order")
    assert found is not None
    assert found.path == b"app/m3.py"


def test_a_name_that_was_too_far_away_is_found_from_nearer() -> None:
    """Names are followed so far only; what is too far for one file may be near to another."""
    files = {f"app/m{n}.py": f"from app.m{n + 1} import Order\n" for n in range(DEEPEST + 2)}
    files[f"app/m{DEEPEST + 2}.py"] = "class Order:\n    id: int\n"
    finder = SymbolFinder(Counted(files))
    assert finder.find_symbol(b"app/m0.py", "Order") is None
    found = finder.find_symbol(b"app/m5.py", "Order")
    assert found is not None
    assert found.path == b"app/m10.py"


def test_what_a_base_class_has_inside_it_is_found_by_its_heirs() -> None:
    enum = "    class Status(Enum):\n        NEW = 1\n        DONE = 2\n"
    files = {
        "task.py": f"from enum import Enum\nclass Task:\n{enum}",
        "job.py": "from task import Task\nclass Job(Task):\n    def close(self):\n        pass\n",
        "run.py": "from job import Job\n",
    }
    finder = SymbolFinder(Counted(files))
    for path in (b"job.py", b"run.py"):
        found = finder.find_symbol(path, "Job.Status")
        assert found is not None
        assert found.path == b"task.py"
    assert finder.find_symbol(b"run.py", "Job.Missing") is None
