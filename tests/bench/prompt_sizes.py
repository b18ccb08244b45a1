"""How many tokens a step of ``git allium evolve`` with a model has, as a codebase grows.

    .venv/bin/python -m tests.bench.prompt_sizes [MODULES…]

Each repository has so many modules, described offline; then one commit changes a field in one of
them, which uses another. What a service on the loopback gets for that step is counted: the whole
request, and the master in it.
"""

import argparse
import tempfile
from pathlib import Path
from typing import Any

from git_retcon.allium.store.spec_tree import SpecTrees
from git_retcon.git.graph import tree_of
from git_retcon.git.repository import open_repository
from git_retcon.model.token_count import count_tokens
from tests.allium.history_shapes import BRANCH, evolve
from tests.model.loopback import LoopbackApi, answers, last_text
from tests.program import allium_here
from tests.repository import TestRepository, new_repository

_MODULES = (10, 100, 500, 1_000, 2_000)
_NOTHING: dict[str, Any] = {"spec": None, "moduleUpdates": [], "removed": [], "changelog": ""}
_CLASS = """from src.m{before}.a import E{before}


class E{number}:
    id: int
    total: {type}
    other: E{before}
"""


def make_codebase(path: Path, modules: int) -> TestRepository:
    """A folder for each module, in one commit."""
    repo = new_repository(path)
    texts = {
        f"src/m{number}/a.py": _CLASS.format(number=number, before=max(0, number - 1), type="int")
        for number in range(modules)
    }
    repo.commit("all", texts)
    evolve(repo)
    return repo


def measure_step(modules: int) -> None:
    """Print one row."""
    with tempfile.TemporaryDirectory() as folder:
        repo = make_codebase(Path(folder) / "repo", modules)
        repo.commit("one", {"src/m5/a.py": _CLASS.format(number=5, before=4, type="str")})
        repository = open_repository(repo.path)
        store = SpecTrees(repository).read(tree_of(repository, repo.rev(BRANCH))).store
        api = LoopbackApi()
        try:
            api.script(answers(_NOTHING))
            allium_here(repo.path, "evolve", "--yes", env=api.env).ok()
            prompt = last_text(api.requests[-1].body)
        finally:
            api.close()
    master = prompt.partition("<master>")[2].partition("</master>")[0]
    cells = (store.total_tokens(), count_tokens(store.master_spec()),
             count_tokens(master.encode()), count_tokens(prompt.encode()))  # fmt: skip
    print(f"| {modules:,} | " + " | ".join(f"{cell:,}" for cell in cells) + " |", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("modules", type=int, nargs="*", metavar="MODULES")
    print("| Modules | Specification | its master | Master as shown | Whole prompt |")
    print("| --: | --: | --: | --: | --: |")
    for modules in parser.parse_args().modules or _MODULES:
        measure_step(modules)


if __name__ == "__main__":
    main()
