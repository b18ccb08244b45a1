"""Artifacts on folders of this machine, from one job to another."""

from pathlib import Path

from tests.heal.checks import check, new_project


def test_files_go_from_one_job_to_another(tmp_path: Path) -> None:
    workflow = """\
        on: push
        jobs:
          makes:
            runs-on: ubuntu-latest
            steps:
            - run: mkdir -p out/sub; echo a > out/a; echo b > out/sub/b; echo h > out/.hidden
            - {uses: actions/upload-artifact@v4, with: {name: whole, path: out}}
            - {uses: actions/upload-artifact@v4, with: {name: one, path: "out/**/b"}}
            - name: missing
              uses: actions/upload-artifact@v4
              with: {name: none, path: nothing, if-no-files-found: error}
              continue-on-error: true
          takes:
            needs: makes
            runs-on: ubuntu-latest
            steps:
            - {uses: actions/download-artifact@v4, with: {name: whole, path: here}}
            - {uses: actions/download-artifact@v4, with: {path: all, pattern: "o*"}}
            - {name: lists, run: "find here all -type f | sort"}
            - {name: gone, uses: actions/download-artifact@v4, with: {name: none}}
        """
    checked = check(new_project(tmp_path / "project", workflow))
    assert checked.log("lists") == "all/one/b\nhere/a\nhere/sub/b\n"
    assert "missing: forgiven: no files were found for 'none'" in checked.steps
    gone = "the artifact 'none' was not made here"
    assert checked.jobs == ["makes: passed", f"takes: incomplete: 1 step skipped: {gone}"]


def test_no_name_leads_out_of_the_folder(tmp_path: Path) -> None:
    workflow = """\
        on: push
        jobs:
          job:
            runs-on: ubuntu-latest
            steps:
            - run: echo a > a
            - {uses: actions/upload-artifact@v4, with: {name: ../../../out, path: a}}
            - {uses: actions/download-artifact@v4, with: {name: ../../../out, path: b}}
            - {name: shows, run: cat b/a}
        """
    checked = check(new_project(tmp_path / "project", workflow))
    assert checked.log("shows") == "a\n"
    assert not list(tmp_path.rglob("out"))
