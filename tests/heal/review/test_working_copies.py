"""Files that look other here than git has them are fixed as they are, and nothing else of them."""

import json
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from git_retcon.heal.review.working_copies import keep_line_ends
from tests.heal.checks import new_project
from tests.heal.healing.test_heal_flow import CLEAN, LINT, RUN_LINT, heal
from tests.heal.project import CI
from tests.program import heal_here
from tests.repository import TestRepository

BROKEN = f"import os\n\n\n{CLEAN}"
FIXED = f"\n\n{CLEAN}"
ATTRIBUTES = "* text=auto\nid.py ident\nwide.py working-tree-encoding=latin1 eol=crlf\n"


def with_crlf(text: str) -> bytes:
    return text.replace("\n", "\r\n").encode()


def new_copies(path: Path, **files: bytes) -> TestRepository:
    """A repository of broken Python files that look like this in the working tree."""
    names = " ".join(f"{name}.py" for name in files)
    steps = f"[{{uses: actions/checkout@v4}}, {{run: sh checks/lint.sh {names}}}]"
    workflow = f"on: push\njobs: {{ci: {{runs-on: ubuntu-latest, steps: {steps}}}}}\n"
    repository = new_project(path, workflow, {"checks/lint.py": LINT, "checks/lint.sh": RUN_LINT})
    (repository.path / ".gitattributes").write_text(ATTRIBUTES)
    for name, content in files.items():
        (repository.path / f"{name}.py").write_bytes(content)
    repository.git("add", "-A")
    repository.git("commit", "-qm", "files")
    assert repository.git("status", "--porcelain") == ""
    return repository


def read_all(repository: TestRepository) -> dict[str, bytes]:
    return {path.stem: path.read_bytes() for path in repository.path.glob("*.py")}


@pytest.mark.slow
def test_files_with_other_line_ends_are_fixed_as_they_are_and_given_back(tmp_path: Path) -> None:
    mixed = with_crlf(BROKEN).replace(b"values):\r\n", b"values):\n")
    ident = b"# $Id: mine $\r\n" + with_crlf(BROKEN)
    before = {
        "good": BROKEN.encode(), "win": with_crlf(BROKEN), "mixed": mixed, "id": ident,
        "wide": BROKEN.encode(),
    }  # fmt: skip
    repository = new_copies(tmp_path / "project", **before)
    said = heal(repository, "--yes")
    assert {one["decision"] for one in said["applied"]} == {"applied"}
    fixed = {name: content.replace(b"import os\n", b"") for name, content in before.items()}
    fixed = {name: content.replace(b"import os\r\n", b"") for name, content in fixed.items()}
    assert read_all(repository) == fixed
    assert repository.git("diff", "--stat").endswith("5 files changed, 5 deletions(-)")
    heal_here(repository.path, "undo").ok()
    assert read_all(repository) == before
    assert repository.git("status", "--porcelain") == ""


def test_a_kept_fix_is_applied_to_a_file_with_other_line_ends(tmp_path: Path) -> None:
    repository = new_copies(tmp_path / "project", win=BROKEN.encode())
    # Neither the commit nor a checkout has these lines or ends.
    (repository.path / "win.py").write_bytes(with_crlf(f"{BROKEN}# mine\n"))
    assert heal(repository, "--no-apply")["heals"] == [1]
    said = heal_here(repository.path, "apply", "1").ok().err
    assert said == "heal 1: applied: win.py\n"
    assert read_all(repository) == {"win": with_crlf(f"{FIXED}# mine\n")}


@pytest.mark.slow
@pytest.mark.parametrize("change", [b"# mine\r\n", b"# mine\n"])
def test_a_file_with_other_line_ends_that_changed_is_not_overwritten(
    tmp_path: Path, change: bytes
) -> None:
    repository = new_copies(tmp_path / "project", win=with_crlf(BROKEN))
    heal(repository, "--no-apply")
    mine = with_crlf(BROKEN) + change
    (repository.path / "win.py").write_bytes(mine)
    refused = heal_here(repository.path, "apply", "1")
    assert refused.status == 1
    assert "1 fix not applied: 'win.py' has changed since it was checked" in refused.err
    assert read_all(repository) == {"win": mine}


@pytest.mark.slow
def test_a_file_that_changes_meanwhile_holds_back_its_own_fix_alone(tmp_path: Path) -> None:
    repository = new_copies(tmp_path / "project", win=with_crlf(BROKEN), good=BROKEN.encode())
    work = repository.path / "win.py"
    # The step is as if somebody worked on one file while it is healed.
    step = f"printf '# mine\\n' >> '{work}'; sh checks/lint.sh win.py good.py"
    workflow = f"{CI}    - run: {json.dumps(step)}\n"
    (workflow_file,) = (repository.path / ".github/workflows").iterdir()
    workflow_file.write_text(workflow)
    said = heal(repository, "--yes", status=1)
    found = {one["decision"]: (one["files"], one["reason"]) for one in said["applied"]}
    why = "'win.py' has changed since it was checked"
    assert found == {"applied": (["good.py"], None), "kept": (["win.py"], why)}
    assert (repository.path / "good.py").read_text() == FIXED
    assert work.read_bytes().startswith(with_crlf(BROKEN) + b"# mine\n")


LINES = st.lists(st.sampled_from(["a", "b", "c", "d"]), min_size=1, max_size=6)


@settings(max_examples=50)
@given(LINES, LINES, st.data())
def test_every_line_that_stays_keeps_its_end(
    old: list[str], new: list[str], data: st.DataObject
) -> None:
    ends = data.draw(st.lists(st.sampled_from([b"\n", b"\r\n"]), min_size=6, max_size=6))
    here = b"".join(line.encode() + end for line, end in zip(old, ends, strict=False))
    before, after = ("".join(f"{one}\n" for one in lines).encode() for lines in (old, new))
    made = keep_line_ends(here, before, after)
    assert made is not None
    assert made.replace(b"\r\n", b"\n") == after
    assert keep_line_ends(here, before, before) == here
    crlf = [with_crlf(text.decode()) for text in (before, after)]
    assert keep_line_ends(crlf[0], before, after) == crlf[1]


@pytest.mark.parametrize(
    ("here", "old", "new", "made"),
    [
        (b"a\r\nb", b"a\nb", b"a\nb\n", b"a\r\nb\r\n"),
        (b"\r\n", b"\n", b"a\n\n", b"a\r\n\r\n"),
        (b"mine\r\nb\r\n", b"$Id$\nb\n", b"$Id$\nc\n", b"mine\r\nc\r\n"),
        # The fix is of a line that has another text here.
        (b"mine\nb\n", b"$Id$\nb\n", b"b\n", None),
        (b"a\nb\nmine\n", b"a\nb\n", b"a\n", None),
        ("a\n".encode("utf-16-le"), "a\r\n".encode("utf-16-le"), b"", None),
    ],
)
def test_a_line_with_another_text_is_not_overwritten(
    here: bytes, old: bytes, new: bytes, made: bytes | None
) -> None:
    assert keep_line_ends(here, old, new) == made
