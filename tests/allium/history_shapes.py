"""Source repositories for tests of evolve, and what their spec branch says."""

from pathlib import Path

from tests.program import allium_here
from tests.repository import TestRepository

BRANCH = "allium/evolution"


def entity(name: str, *fields: str) -> str:
    """A Python file with one class."""
    lines = "".join(f"    {field}: int\n" for field in fields)
    return f"class {name}:\n{lines}"


def evolve(repo: TestRepository | Path, *options: str) -> str:
    """Run it offline; what it said."""
    path = repo.path if isinstance(repo, TestRepository) else repo
    done = allium_here(path, "evolve", "--offline", *options).ok()
    return done.err


def told(repo: TestRepository, tip: str = BRANCH) -> dict[str, list[str]]:
    """Each source subject with the subjects of its spec's parents."""
    listing = repo.git("log", "--topo-order", "--reverse", "--format=%H %P%x00%s", tip)
    subjects: dict[str, str] = {}
    found: dict[str, list[str]] = {}
    for line in listing.splitlines():
        ids, _, subject = line.partition("\0")
        commit, *parents = ids.split()
        subjects[commit] = subject.removeprefix("allium: ")
        found[subjects[commit]] = [subjects[parent] for parent in parents]
    return found


def shape(repo: TestRepository, tip: str = "HEAD") -> dict[str, list[str]]:
    """The same of the source itself."""
    return told(repo, tip)


def spec(repo: TestRepository, module: str, tip: str = BRANCH) -> str:
    """One module as the spec branch has it."""
    return repo.show(f"{tip}:spec/{module}.allium").decode()


def make_branchy(repo: TestRepository) -> None:
    """Nested branches, a merge inside one, a criss-cross, an octopus, a second root."""
    repo.commit("a", {"src/shop/order.py": entity("Order", "total")})
    repo.git("checkout", "-q", "-b", "topic")
    repo.commit("x", {"src/shop/cart.py": entity("Cart", "size")})
    repo.git("checkout", "-q", "-b", "nested")
    repo.commit("n", {"src/shop/line.py": entity("Line", "count")})
    repo.git("checkout", "-q", "topic")
    repo.commit("y", {"src/shop/cart.py": entity("Cart", "size", "price")})
    merge(repo, "k", "nested")
    repo.git("checkout", "-q", "main")
    repo.commit("b", {"src/shop/order.py": entity("Order", "total", "paid")})
    repo.git("branch", "side")
    merge(repo, "m", "topic")
    repo.git("checkout", "-q", "side")
    merge(repo, "back", "topic")
    repo.git("checkout", "-q", "--orphan", "other")
    repo.git("rm", "-rfq", ".")
    repo.commit("root", {"tools/gauge.py": entity("Gauge", "level")})
    repo.git("checkout", "-q", "main")
    merge(repo, "join", "side")
    merge(repo, "graft", "other", "--allow-unrelated-histories")
    for name in ("one", "two"):
        repo.git("checkout", "-q", "-b", name, "main")
        repo.commit(name, {f"src/{name}/{name}.py": entity(name.title(), "n")})
    repo.git("checkout", "-q", "main")
    repo.commit("c", {"README": "c\n"})
    merge(repo, "octopus", "one", "two")


def merge(repo: TestRepository, message: str, *names: str) -> None:
    """A merge commit with this message."""
    repo.git("merge", "-q", "--no-ff", "-m", message, *names)
