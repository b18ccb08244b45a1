"""``git allium check`` as it is typed: what it prints, counts and tells programs."""

import json
from pathlib import Path

import pytest

from tests.allium.specs import BROKEN, HEAD, SOUND, UNKNOWN_TYPE, USES_CORE
from tests.program import allium_here
from tests.repository import TestRepository

UNKNOWN_TEXT = """\
spec/order.allium:5:15: error: type 'Customer' is not declared here and not imported \
[allium.type.undefinedReference]
      customer: Customer
                ^
"""


def test_an_error_is_printed_as_compilers_do_with_its_line(repo: TestRepository) -> None:
    repo.write({"spec/order.allium": UNKNOWN_TYPE, "spec/sound.allium": SOUND})
    done = allium_here(repo.path, "check")
    assert (done.status, done.out, done.err) == (1, UNKNOWN_TEXT, "1 error in 2 files\n")


def test_a_program_gets_each_diagnostic_and_the_counts(repo: TestRepository) -> None:
    repo.write({"spec/order.allium": UNKNOWN_TYPE, "spec/uses.allium": USES_CORE})
    done = allium_here(repo.path, "check", "--json")
    told = json.loads(done.out)
    assert (done.status, done.err) == (1, "")
    assert told["diagnostics"][0] == {
        "file": "spec/order.allium",
        "line": 5,
        "column": 15,
        "severity": "error",
        "message": "type 'Customer' is not declared here and not imported",
    }
    assert [each["severity"] for each in told["diagnostics"]] == ["error", "warning"]
    assert [told[name] for name in ("files", "errors", "warnings", "infos")] == [2, 1, 1, 0]
    assert (told["status"], told["reason"]) == ("failed", "invalid")
    assert told["error"] == "1 error in 1 file"


def test_warnings_alone_are_no_failure(tmp_path: Path) -> None:
    (tmp_path / "uses.allium").write_text(USES_CORE)
    done = allium_here(tmp_path, "check", "uses.allium")
    assert (done.status, done.err) == (0, "1 warning in 1 file\n")
    assert done.out.startswith('uses.allium:4:5: warning: no file is at the path "./core.allium"')


def test_files_by_name_are_independent_and_a_folder_is_one_set(tmp_path: Path) -> None:
    (tmp_path / "spec").mkdir()
    (tmp_path / "spec/core.allium").write_text(SOUND)
    (tmp_path / "spec/uses.allium").write_text(USES_CORE)
    alone = allium_here(tmp_path, "check", "spec/core.allium", "spec/uses.allium")
    assert alone.err == "1 warning in 2 files\n"
    together = allium_here(tmp_path, "check", "spec")
    assert (together.out, together.err) == ("", "no errors in 2 files\n")


def test_the_working_tree_is_one_set_from_any_folder(repo: TestRepository) -> None:
    repo.write({"spec/core.allium": SOUND, "spec/uses.allium": USES_CORE, "other/x.txt": ""})
    done = allium_here(repo.path / "other", "check").ok()
    assert (done.out, done.err) == ("", "no errors in 2 files\n")


def test_a_commit_is_checked_as_it_was(repo: TestRepository) -> None:
    repo.commit("broken", {"spec/order.allium": UNKNOWN_TYPE})
    repo.commit("corrected", {"spec/order.allium": SOUND})
    assert allium_here(repo.path, "check", "--rev", "HEAD").ok().err == "no errors in 1 file\n"
    assert allium_here(repo.path, "check", "--rev", "HEAD~1").out == UNKNOWN_TEXT
    by_tree = allium_here(repo.path, "check", "--rev", repo.tree("HEAD~1"))
    assert (by_tree.status, by_tree.out) == (1, UNKNOWN_TEXT)


def test_a_revision_that_is_none_is_fatal(repo: TestRepository) -> None:
    repo.commit("first", {"a.allium": SOUND})
    for name in ("nowhere", "--all", ""):
        done = allium_here(repo.path, "check", f"--rev={name}")
        assert (done.status, done.out) == (128, "")
        assert done.err.startswith(f"fatal: no such revision: '{name}'\n")


def test_a_revision_and_paths_contradict_each_other(repo: TestRepository) -> None:
    done = allium_here(repo.path, "check", "--rev", "HEAD", "a.allium")
    assert (done.status, done.err.splitlines()[0]) == (
        129,
        "error: --rev and paths contradict each other",
    )


def test_nothing_to_check_is_said_and_is_no_failure(repo: TestRepository) -> None:
    assert allium_here(repo.path, "check").ok().err == "there is no *.allium file\n"
    assert allium_here(repo.path, "check", "-q").ok().err == ""


def test_quiet_leaves_the_diagnostics(tmp_path: Path) -> None:
    (tmp_path / "a.allium").write_text(BROKEN)
    done = allium_here(tmp_path, "check", "-q", "a.allium")
    assert (done.status, done.err) == (1, "")
    assert done.out.startswith("a.allium:5:5: error: expected a field")


def test_colour_is_as_git_is_configured(repo: TestRepository) -> None:
    repo.write({"a.allium": BROKEN})
    assert "\x1b[31merror:\x1b[m" in allium_here(repo.path, "check", "--color").out
    repo.git("config", "color.ui", "always")
    assert "\x1b[31merror:\x1b[m" in allium_here(repo.path, "check").out
    assert "\x1b" not in allium_here(repo.path, "check", "--color=never").out


@pytest.mark.parametrize(
    ("data", "place"),
    [
        (b"-- allium: 3\r\n\r\nentity A {\r\n    b: Missing\r\n}\r\n", "a.allium:4:8: error"),
        (HEAD.encode() + b"entity A { \xff }\n", "a.allium:4:12: error"),
        (b"\0" * 50, "a.allium:1:1: "),
    ],
)
def test_odd_bytes_are_diagnosed_and_never_reach_the_terminal(
    tmp_path: Path, data: bytes, place: str
) -> None:
    (tmp_path / "a.allium").write_bytes(data)
    done = allium_here(tmp_path, "check", "a.allium")
    assert done.status == 1
    assert place in done.out
    assert not {"\r", "\0"} & set(done.out)


def test_a_hostile_file_name_is_shown_in_one_line(repo: TestRepository) -> None:
    repo.write({b"a\n::error::\x1b[31m.allium": BROKEN})
    done = allium_here(repo.path, "check")
    assert done.out.startswith("a\\n::error::\\x1b[31m.allium:5:5: error: ")


def test_what_cannot_be_read_in_a_set_is_named_and_skipped(
    repo: TestRepository, tmp_path: Path
) -> None:
    (tmp_path / "outside").write_text(BROKEN)
    repo.write({"sound.allium": SOUND})
    (repo.path / "link.allium").symlink_to(tmp_path / "outside")
    done = allium_here(repo.path, "check").ok()
    assert done.err == (
        "warning: 'link.allium' is skipped: it is a symbolic link\nno errors in 1 file\n"
    )
    repo.commit("link")
    told = json.loads(allium_here(repo.path, "check", "--rev", "HEAD", "--json").ok().out)
    assert told["skipped"] == [{"path": "link.allium", "why": "it is a symbolic link"}]


def test_github_gets_its_own_commands(repo: TestRepository) -> None:
    repo.write({"spec/order.allium": UNKNOWN_TYPE, "spec/uses.allium": USES_CORE})
    done = allium_here(repo.path, "check", "--format", "github")
    assert (done.status, done.err) == (1, "1 error and 1 warning in 2 files\n")
    assert done.out.splitlines() == [
        "::error file=spec/order.allium,line=5,col=15,title=allium.type.undefinedReference"
        "::type 'Customer' is not declared here and not imported",
        "::warning file=spec/uses.allium,line=4,col=5,title=allium.use.unresolvedPath"
        '::no file is at the path "./core.allium"',
    ]


def test_a_sarif_log_is_printed_also_where_nothing_is_wrong(repo: TestRepository) -> None:
    repo.write({"a.allium": UNKNOWN_TYPE})
    wrong = allium_here(repo.path, "check", "--format=sarif")
    assert wrong.status == 1
    (result,) = json.loads(wrong.out)["runs"][0]["results"]
    assert result["ruleId"] == "allium.type.undefinedReference"
    repo.write({"a.allium": SOUND})
    sound = allium_here(repo.path, "check", "--format=sarif").ok()
    assert json.loads(sound.out)["runs"][0]["results"] == []


def test_two_formats_contradict_each_other(tmp_path: Path) -> None:
    done = allium_here(tmp_path, "check", "--format=sarif", "--json")
    assert (done.status, done.err.splitlines()[0]) == (
        129,
        "error: --json and --format contradict each other",
    )
