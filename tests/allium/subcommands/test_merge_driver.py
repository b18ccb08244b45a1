"""``git merge`` and ``git diff`` of specifications, with the drivers installed."""

import os
import subprocess
from pathlib import Path

import pytest

from tests.program import CHECKOUT, allium_here
from tests.repository import TestRepository

HEAD = "-- allium: 3\n-- A shop.\n\n"
ORDER = "entity Order {\n    total: Integer\n}\n"
CART = "entity Cart {\n    size: Integer\n}\n"


@pytest.fixture
def shop(repo: TestRepository, monkeypatch: pytest.MonkeyPatch) -> TestRepository:
    monkeypatch.setenv("PATH", f"{CHECKOUT / 'bin'}{os.pathsep}{os.environ['PATH']}")
    repo.commit("a", {"shop.allium": HEAD + ORDER + "\n" + CART})
    done = allium_here(repo.path, "install-drivers").ok()
    assert done.out.strip().endswith(".git/info/attributes")
    return repo


def branch_off(repo: TestRepository, ours: str, theirs: str) -> None:
    repo.git("checkout", "-q", "-b", "side")
    repo.commit("theirs", {"shop.allium": theirs})
    repo.git("checkout", "-q", "main")
    repo.commit("ours", {"shop.allium": ours})


def test_what_a_merge_of_lines_calls_a_conflict_is_merged_by_field(shop: TestRepository) -> None:
    paid, sent = (ORDER.replace("\n}", f"\n    {each}: Boolean\n}}") for each in ("paid", "sent"))
    # One side moved it as well.
    branch_off(shop, HEAD + paid + "\n" + CART, HEAD + CART + "\n" + sent)
    shop.git("merge", "-q", "--no-edit", "side")
    both = paid.replace("\n}", "\n    sent: Boolean\n}")
    assert (shop.path / "shop.allium").read_text() == HEAD + both + "\n" + CART


def test_what_both_changed_is_marked_and_the_rest_is_merged(shop: TestRepository) -> None:
    branch_off(
        shop,
        HEAD + ORDER.replace("Integer", "Decimal") + "\n" + CART,
        HEAD + ORDER.replace("Integer", "String") + "\n" + CART.replace("size", "count"),
    )
    command = ["git", "-C", str(shop.path), "merge", "--no-edit", "side"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, "conflict: entity Order: field total\n" in done.stderr) == (1, True)
    assert (shop.path / "shop.allium").read_text() == HEAD + (
        "entity Order {\n<<<<<<< ours\n    total: Decimal\n=======\n    total: String\n"
        ">>>>>>> theirs\n}\n\n"
    ) + CART.replace("size", "count")
    assert shop.git("ls-files", "--unmerged").count("shop.allium") == 3


def test_what_does_not_parse_is_merged_by_lines(shop: TestRepository) -> None:
    whole = HEAD + ORDER + "\n" + CART
    branch_off(shop, whole + "entity {{\n", whole.replace(HEAD, HEAD + "-- new\n"))
    shop.git("merge", "-q", "--no-edit", "side")
    assert (
        shop.path / "shop.allium"
    ).read_text() == HEAD + "-- new\n" + ORDER + "\n" + CART + "entity {{\n"


@pytest.mark.parametrize("program", ["", "exit 1", "exit 128", "kill -9 $$"])
def test_without_the_program_or_where_it_dies_git_marks_the_lines(
    shop: TestRepository, monkeypatch: pytest.MonkeyPatch, program: str
) -> None:
    ours, theirs = (HEAD + ORDER.replace("Integer", each) for each in ("Decimal", "String"))
    branch_off(shop, ours, theirs)
    bin_folder = shop.path.parent / "bin"
    bin_folder.mkdir()
    if program:
        (bin_folder / "git-allium").write_text(f"#!/bin/sh\n{program}\n")
        (bin_folder / "git-allium").chmod(0o755)
    driver = shop.git("config", "merge.allium.driver").replace(str(CHECKOUT / "bin"), "/none")
    shop.git("config", "merge.allium.driver", driver)
    places = os.environ["PATH"].split(os.pathsep)
    others = [each for each in places if not (Path(each) / "git-allium").exists()]
    monkeypatch.setenv("PATH", os.pathsep.join([str(bin_folder), *others]))
    command = ["git", "-C", str(shop.path), "merge", "--no-edit", "side"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert "CONFLICT (content)" in done.stdout
    said = "git-allium is not here; merged by lines: shop.allium\n"
    assert (said in done.stderr) is (not program)
    assert (shop.path / "shop.allium").read_text() == HEAD + (
        "entity Order {\n<<<<<<< ours\n    total: Decimal\n=======\n    total: String\n"
        ">>>>>>> theirs\n}\n"
    )


def test_a_result_that_cannot_be_written_leaves_the_file_whole(shop: TestRepository) -> None:
    long = HEAD + "entity Long {\n" + "".join(f"    f{n}: Integer\n" for n in range(99)) + "}\n"
    shop.write({"base": HEAD + ORDER, "ours": long + "\n" + ORDER, "theirs": HEAD + CART})
    # A limit for the size of files refuses as a full disk does.
    command = "ulimit -f 1; git allium merge-file -q ours base theirs"
    run = ["bash", "-c", command]
    done = subprocess.run(run, cwd=shop.path, capture_output=True, text=True, check=False)
    assert "cannot write 'ours'" in done.stderr
    assert (shop.path / "ours").read_text() == long + "\n" + ORDER


def test_a_diff_names_the_declaration_that_a_hunk_is_in(shop: TestRepository) -> None:
    fields = "".join(f"    f{n}: Integer\n" for n in range(9))
    shop.commit("b", {"shop.allium": HEAD + "entity Long {\n" + fields + "}\n"})
    shop.write({"shop.allium": HEAD + "entity Long {\n" + fields.replace("f8", "g8") + "}\n"})
    assert "@@ entity Long {" in shop.git("diff")
    assert "[-f8-]{+g8+}: Integer" in shop.git("diff", "--word-diff")


def test_the_drivers_go_without_a_trace_and_leave_what_people_wrote(shop: TestRepository) -> None:
    attributes = shop.path / ".git/info/attributes"
    attributes.write_text("*.bin binary\n" + attributes.read_text())
    for _ in range(2):  # a second time adds nothing
        allium_here(shop.path, "install-drivers", "-q").ok()
    assert attributes.read_text().count("*.allium") == 1
    for _ in range(2):
        allium_here(shop.path, "install-drivers", "--uninstall", "-q").ok()
    assert attributes.read_text() == "*.bin binary\n"
    assert "allium" not in shop.git("config", "--local", "--list")
