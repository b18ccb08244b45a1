"""What a step installs from the tree is built again with the fix, before later steps test it."""

import json
import socket
from pathlib import Path

import pytest

from git_retcon.heal.healing.network_steps import find_copied_folders
from git_retcon.heal.results import StepResult, StepVerdict
from tests.heal.checks import new_project
from tests.heal.engines.claude.conftest import api as api
from tests.model.loopback import LoopbackApi, answers, calls
from tests.program import heal_here
from tests.sandboxes import needs_strong_sandbox

PATHS = {b"pyproject.toml", b"src/a.py", b"sub/pkg/setup.py", b"docs/a.md"}
# A build system of a few lines, which no index has: it packs one module.
BACKEND = """\
import os, zipfile
FILES = {
    "METADATA": "Metadata-Version: 2.1\\nName: shop\\nVersion: 1.0\\n",
    "WHEEL": "Wheel-Version: 1.0\\nRoot-Is-Purelib: true\\nTag: py3-none-any\\n",
    "RECORD": "",
}
def build_wheel(directory, settings=None, metadata=None):
    name = "shop-1.0-py3-none-any.whl"
    with zipfile.ZipFile(os.path.join(directory, name), "w") as wheel:
        wheel.write("src/shop.py", "shop.py")
        for file, text in FILES.items():
            wheel.writestr("shop-1.0.dist-info/" + file, text)
    return name
"""
PYPROJECT = '[build-system]\nrequires = []\nbuild-backend = "backend"\nbackend-path = ["."]\n'
FILES = {
    "backend.py": BACKEND,
    "pyproject.toml": PYPROJECT,
    "src/shop.py": "def total(values):\n    return max(values)\n",
    "tests/test_shop.py": "from shop import total\n\nassert total([1, 2]) == 3, total([1, 2])\n",
}
WORKFLOW = """\
on: push
jobs:
  ci:
    runs-on: ubuntu-latest
    steps:
    - uses: actions/checkout@v4
    - uses: actions/setup-python@v5
    - run: pip install .
    - run: cd tests && python test_shop.py
"""


@pytest.mark.parametrize(
    ("command", "folder", "found"),
    [
        ("pip install .", "", (".",)),
        ("python -m pip install --upgrade pip\npip install '.[dev]' pytest", "", (".",)),
        ("pip install .", "sub/pkg", ("sub/pkg",)),
        ("pip3 install ./sub/pkg", "", ("sub/pkg",)),
        ("pip install -e .", "", ()),
        ("pip install -r docs", "", ()),
        ("pip install . && make", "", ()),
        ("pip install docs pytest", "", ()),
    ],
)
def test_the_folders_that_a_step_installs_a_copy_of(
    command: str, folder: str, found: tuple[str, ...]
) -> None:
    step = StepResult(1, "x", 1, StepVerdict.PASSED, command=command, folder=folder)
    assert find_copied_folders(step, PATHS) == found


@needs_strong_sandbox
@pytest.mark.slow
def test_where_the_copy_cannot_be_built_without_network_no_model_is_asked(
    tmp_path: Path, api: LoopbackApi, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    with socket.create_server(("127.0.0.1", 0)) as server:
        asks = f'    socket.create_connection(("127.0.0.1", {server.getsockname()[1]}), 5)\n'
        asking = f"import socket\n{BACKEND}".replace("    name =", f"{asks}    name =")
        files = {**FILES, "backend.py": asking}
        repository = new_project(tmp_path / "project", WORKFLOW, files)
        ran = heal_here(repository.path, "--trust", "--json", "--yes")
    (left,) = json.loads(ran.out)["left"]
    assert left["reason"].startswith(
        "the step tests a copy of the tree that is installed before, and that cannot be built again"
    )
    assert api.requests == []


@needs_strong_sandbox
@pytest.mark.slow
def test_a_fix_reaches_what_is_installed_from_the_tree(
    tmp_path: Path, api: LoopbackApi, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    repository = new_project(tmp_path / "project", WORKFLOW, FILES)
    fix = {"path": "src/shop.py", "old_string": "max(values)", "new_string": "sum(values)"}
    api.script(calls("edit_file", fix), answers({"verdict": "fixed", "summary": "a sum"}))
    ran = heal_here(repository.path, "--trust", "--json", "--yes")
    said = json.loads(ran.out)
    assert [one["path"] for one in said["healed"]] == ["tests/test_shop.py"], ran.out + ran.err
    assert "sum(values)" in (repository.path / "src/shop.py").read_text()
