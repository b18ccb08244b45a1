"""The repository's own fixers, as they are installed here, in whole heals."""

import os
import pwd
import shutil
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest

from tests.heal.healing.test_heal_flow import project
from tests.program import heal_here

RUFF = {"pyproject.toml": "[tool.ruff.lint]\nselect = ['F', 'I']\n"}
RUST = {"Cargo.toml": "[package]\nname = 'a'\nversion = '0.1.0'\nedition = '2021'\n"}
PRETTIER = {".prettierrc": "{}\n"}
CLANG = {".clang-format": "BasedOnStyle: LLVM\n"}
CASES = [
    ("ruff", "ruff check . && ruff format --check .", "a.py", RUFF,
     "import sys\nimport os\nx = [ 1,2 ]\nprint(sys.path, x)\n",
     "import sys\n\nx = [1, 2]\nprint(sys.path, x)\n"),
    ("gofmt", "test -z \"$(gofmt -l .)\" || (gofmt -l . && exit 1)", "a.go", {},
     "package a\nvar  x = []int{ 1,2 }\n", "package a\n\nvar x = []int{1, 2}\n"),
    ("cargo", "cargo fmt --check", "src/lib.rs", RUST,
     "pub fn a( ) { }\n", "pub fn a() {}\n"),
    ("clang-format", "clang-format --dry-run --Werror a.c", "a.c", CLANG,
     "int  a( void ){return 1;}\n", "int a(void) { return 1; }\n"),
    ("prettier", "npx --no-install prettier --check a.js", "a.js", PRETTIER,
     "const a = [ 1,2 ]\n", "const a = [1, 2];\n"),
    ("shfmt", "shfmt -d a.sh", "a.sh", {}, "if true;then echo  a;fi\n",
     "if true; then echo a; fi\n"),
]  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize(("tool", "step", "path", "files", "broken", "fixed"), CASES)
def test_a_fixer_heals_what_its_tool_refuses(
    tmp_path: Path,
    tool: str,
    step: str,
    path: str,
    files: Mapping[str, str],
    broken: str,
    fixed: str,
) -> None:
    programs = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    if shutil.which(tool, path=programs) is None:
        pytest.skip(f"{tool} is not installed")
    folder = tmp_path / "bin"
    folder.mkdir()
    # A folder with this tool alone: no virtual environment of ours may be in the way of the job's.
    (folder / tool).symlink_to(shutil.which(tool, path=programs) or "")
    repository = project(tmp_path, step, files={**files, path: broken})
    # rustup finds its tools in the home of the person, which is not that of a test.
    rustup = str(Path(pwd.getpwuid(os.getuid()).pw_dir, ".rustup"))
    env = {"PATH": f"{folder}{os.pathsep}{os.environ['PATH']}", "RUSTUP_HOME": rustup}
    done = heal_here(repository.path, "--trust", "--offline", "--yes", env=env)
    assert (repository.path / path).read_text() == fixed, done.out + done.err
    assert done.status == 0
