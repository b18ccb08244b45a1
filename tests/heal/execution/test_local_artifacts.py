"""Artifacts on folders of this machine, from one job to another."""

import re
from pathlib import Path

import pytest

from git_retcon.heal.execution.job_session import JobSession
from git_retcon.heal.execution.local_artifacts import LocalArtifacts
from git_retcon.heal.execution.masks import Masks
from git_retcon.heal.execution.step_environment import JobFolders
from git_retcon.heal.results import StepVerdict
from tests.heal.checks import check, check_steps, new_project
from tests.repository import new_repository


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


def test_our_own_process_leaves_the_workspace_for_no_artifact(tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "precious").write_text("old")
    project = new_repository(tmp_path / "project", "-b", "main")
    project.path.joinpath("link").symlink_to(outside)
    downloads = ("../../../../outside", str(outside), "link", "link/sub", "~/away")
    sources = ("precious", "*", "**")
    uploads = [f"{place}/{one}" for place in (outside, "link", "~/away") for one in sources]
    uploads += [str(outside), f"{outside}/../*", "*/../../*"]
    steps = [_use_forgiven("download", "kept", path) for path in downloads]
    steps += [_use_forgiven("upload", "new", path) for path in uploads]
    begin = f"""\
on: push
jobs:
  job:
    runs-on: ubuntu-latest
    steps:
    - uses: actions/checkout@v4
    - run: echo new > precious; ln -s '{outside}' ~/away
    - {{uses: actions/upload-artifact@v4, with: {{name: kept, path: precious}}}}
"""
    project.commit("begin", {".github/workflows/ci.yml": begin + "".join(steps)})
    told = check(project).steps[3:]
    assert len(told) == len(steps)
    # On GitHub such a step may do what it is asked, so it has not failed.
    said = re.compile(r": skipped: .* is not in the workspace$")
    assert [one for one in told if not said.search(one)] == []
    assert {each.name: each.read_text() for each in outside.iterdir()} == {"precious": "old"}


def _use_forgiven(what: str, name: str, path: str) -> str:
    inputs = f"{{name: {name}, path: '{path}'}}"
    return f"    - {{uses: actions/{what}-artifact@v4, with: {inputs}, continue-on-error: true}}\n"


def test_the_folders_of_a_job_and_links_within_them_are_fine(tmp_path: Path) -> None:
    checked = check_steps(
        tmp_path / "project",
        """\
        - run: |
            mkdir -p real "$RUNNER_TEMP/made"; ln -s real link; echo a > real/a
            echo b > "$RUNNER_TEMP/made/b"; echo c > ~/c; t=$(mktemp); echo d > $t
            echo "t=$t" >> "$GITHUB_ENV"
        - uses: actions/upload-artifact@v4
          with: {name: a, path: "${{ github.workspace }}/link/a"}
        - {uses: actions/upload-artifact@v4, with: {name: b, path: "${{ runner.temp }}/made"}}
        - {uses: actions/upload-artifact@v4, with: {name: c, path: "~/c"}}
        - {uses: actions/upload-artifact@v4, with: {name: d, path: "${{ env.t }}"}}
        - {uses: actions/download-artifact@v4, with: {path: "${{ runner.temp }}/x/../all"}}
        - {uses: actions/download-artifact@v4, with: {name: a, path: link/back}}
        - {name: shows, run: 'cat "$RUNNER_TEMP"/all/?/* real/back/a'}
        """,
    )
    assert checked.log("shows") == "a\nb\nc\nd\na\n"
    assert checked.jobs == ["job: passed"]


@pytest.mark.parametrize(
    ("inputs", "fault"),
    [
        ("name: ../../out, path: a", "the name of an artifact has no '/' ('../../out')"),
        ("name: 'py:3', path: a", "the name of an artifact has no ':' ('py:3')"),
        ("name: a", "its 'path' is missing"),
        ("name: a, path: ''", "its 'path' is missing"),
    ],
)
def test_what_github_refuses_to_upload_fails(tmp_path: Path, inputs: str, fault: str) -> None:
    checked = check_steps(
        tmp_path / "project",
        f"""\
        - run: echo a > a
        - {{name: keeps, uses: actions/upload-artifact@v4, with: {{{inputs}}}}}
        """,
    )
    assert checked.jobs == [f"job: failed: keeps: {fault}"]
    assert not list(tmp_path.rglob("out"))


def test_no_name_leads_out_of_the_folder(tmp_path: Path) -> None:
    checked = check_steps(
        tmp_path / "project",
        """\
        - run: echo a > a
        - {uses: actions/upload-artifact@v4, with: {name: .., path: a}}
        - {uses: actions/download-artifact@v4, with: {name: .., path: b}}
        - {name: shows, run: cat b/a}
        """,
    )
    assert checked.log("shows") == "a\n"


@pytest.mark.parametrize("action", ["upload-artifact@v3", "download-artifact@v2.1", "cache@v2"])
def test_versions_that_github_refuses_let_no_job_pass(tmp_path: Path, action: str) -> None:
    uses = f"actions/{action}"
    checked = check_steps(
        tmp_path / "project",
        f"- run: echo a > a\n- {{uses: {uses}, with: {{name: a, path: a, key: a}}}}\n",
    )
    reason = f"GitHub refuses this version ({uses})"
    assert checked.jobs == [f"job: incomplete: 1 step skipped: {reason}"]


def test_the_pages_of_a_project_are_in_a_folder_of_their_own(tmp_path: Path) -> None:
    checked = check_steps(
        tmp_path / "project",
        """\
        - run: mkdir _site; echo a > _site/a
        - {name: keeps, uses: actions/upload-pages-artifact@v3}
        """,
    )
    assert "keeps: satisfied: kept as 'github-pages': 1 file" in checked.steps


TWO_JOBS = """\
    on: [push, pull_request]
    jobs:
      one:
        runs-on: ubuntu-latest
        steps:
        - run: echo 1 > f
        - {name: keeps, uses: actions/upload-artifact@v4, with: {name: dist, path: f}}
      two:
        needs: one
        runs-on: ubuntu-latest
        steps:
        - run: echo 2 > f
        - {name: keeps, uses: actions/upload-artifact@v4, with: {name: dist, path: f}}
    """
TAKEN = "keeps: an artifact 'dist' is there already (without 'overwrite: true')"


def test_a_second_artifact_of_a_name_in_a_run_fails_as_on_github(tmp_path: Path) -> None:
    checked = check(new_project(tmp_path / "project", TWO_JOBS))
    assert checked.jobs == ["one: passed", f"two: failed: {TAKEN}"]


def test_a_second_artifact_of_a_name_in_a_job_fails_as_on_github(tmp_path: Path) -> None:
    upload = "- {name: keeps, uses: actions/upload-artifact@v4, with: {name: dist, path: f}}\n"
    checked = check_steps(tmp_path / "project", f"- run: echo 1 > f\n{upload}{upload}")
    assert checked.jobs == [f"job: failed: {TAKEN}"]


def test_a_step_that_runs_once_more_makes_its_artifact_once_more(tmp_path: Path) -> None:
    folders = JobFolders(tmp_path / "job", tmp_path / "short")
    session = JobSession(folders, tmp_path, {}, Masks((), lambda content: content), 0.0)
    (tmp_path / "f").touch()
    artifacts = LocalArtifacts(tmp_path / "uploads", "job")
    inputs = {"name": "dist", "path": "f"}
    seen = [artifacts.obey("actions/upload-artifact", inputs, session).verdict for _ in range(2)]
    artifacts.allow_again()
    seen.append(artifacts.obey("actions/upload-artifact", inputs, session).verdict)
    assert seen == [StepVerdict.SATISFIED, StepVerdict.FAILED, StepVerdict.SATISFIED]


def test_overwrite_replaces_the_artifact_of_another_job(tmp_path: Path) -> None:
    head, _, tail = TWO_JOBS.rpartition("path: f}}")
    takes = """path: f, overwrite: true}}
        - {uses: actions/download-artifact@v4, with: {name: dist, path: d}}
        - {name: shows, run: cat d/f}"""
    checked = check(new_project(tmp_path / "project", head + takes + tail))
    assert checked.log("shows") == "2\n"
    assert checked.jobs == ["one: passed", "two: passed"]


@pytest.mark.slow
def test_nobody_finds_what_was_replaced(tmp_path: Path) -> None:
    takes = """path: f, overwrite: true}}
      reads:
        needs: two
        runs-on: ubuntu-latest
        strategy: {matrix: {word: [a, b, c, d, e, f]}}
        steps:
        - {uses: actions/download-artifact@v4, with: {name: dist}}
        - run: echo ${{ matrix.word }} && grep 2 f"""
    head, _, tail = TWO_JOBS.rpartition("path: f}}")
    checked = check(new_project(tmp_path / "project", head + takes + tail))
    assert {job.partition(": ")[2] for job in checked.jobs} == {"passed"}


@pytest.mark.slow
def test_what_the_job_made_in_the_run_before_is_not_there(tmp_path: Path) -> None:
    steps = "[{uses: actions/download-artifact@v4, with: {name: dist}}, {run: echo > f}, %s]"
    upload = "{uses: actions/upload-artifact@v4, with: {name: dist, path: f}}"
    workflow = f"on: push\njobs:\n  job: {{runs-on: ubuntu-latest, steps: {steps % upload}}}\n"
    project = new_project(tmp_path / "project", workflow)
    first = check(project)
    assert "the artifact 'dist' was not made here" in first.jobs[0]
    assert check(project, "--force").jobs == first.jobs


@pytest.mark.slow
def test_what_is_merged_twice_is_there_once(tmp_path: Path) -> None:
    merge = "{uses: actions/upload-artifact/merge@v4, with: {separate-directories: true}}"
    checked = check_steps(
        tmp_path / "project",
        f"""\
        - run: echo > f
        - {{uses: actions/upload-artifact@v4, with: {{name: one, path: f}}}}
        - {merge}
        - {merge}
        - {{uses: actions/download-artifact@v4, with: {{name: merged-artifacts, path: d}}}}
        - run: test "$(ls d)" = one
        """,
    )
    assert checked.jobs == ["job: passed"]


def test_a_job_that_runs_again_or_for_another_event_makes_its_artifact_again(
    tmp_path: Path,
) -> None:
    workflow = TWO_JOBS.replace("name: dist", "name: '${{ github.job }}'")
    project = new_project(tmp_path / "project", workflow)
    for options in ([], ["--force"], ["--event", "pull_request"]):
        assert check(project, *options).jobs == ["one: passed", "two: passed"]


def test_a_called_workflow_and_its_caller_share_artifacts(tmp_path: Path) -> None:
    called = """\
        on: workflow_call
        jobs:
          makes:
            runs-on: ubuntu-latest
            steps:
            - run: echo 1 > f
            - {uses: actions/upload-artifact@v4, with: {name: dist, path: f}}
        """
    caller = """\
        on: push
        jobs:
          calls:
            uses: ./.github/workflows/called.yml
          takes:
            needs: calls
            runs-on: ubuntu-latest
            steps:
            - {uses: actions/download-artifact@v4, with: {name: dist}}
            - {name: shows, run: cat f}
        """
    files = {".github/workflows/called.yml": called}
    checked = check(new_project(tmp_path / "project", caller, files))
    assert checked.log("shows") == "1\n"


def test_what_a_later_job_made_in_the_run_before_is_not_there(tmp_path: Path) -> None:
    project = new_project(
        tmp_path / "project",
        """\
        on: push
        jobs:
          reads:
            runs-on: ubuntu-latest
            steps:
            - {uses: actions/download-artifact@v4, with: {name: made, path: out}}
            - run: test -e out/a
          uploads:
            runs-on: ubuntu-latest
            steps:
            - run: echo a > a
            - {uses: actions/upload-artifact@v4, with: {name: made, path: a}}
        """,
        {},
    )
    first = check(project)
    assert first.jobs[1] == "uploads: passed"
    assert check(project, "--force").jobs == first.jobs


def test_a_later_job_of_the_run_before_takes_no_name(tmp_path: Path) -> None:
    flag = tmp_path / "flag"
    text = "on: push\njobs:\n"
    for job, wanted in (("a", "success"), ("b", "failure")):
        text += f"""\
  {job}:
    runs-on: ubuntu-latest
    steps:
    - {{id: flag, run: test -e {flag}, continue-on-error: true}}
    - run: echo a > a
    - uses: actions/upload-artifact@v4
      if: steps.flag.outcome == '{wanted}'
      with: {{name: made, path: a}}
"""
    project = new_project(tmp_path / "project", text, {})
    assert [one for one in check(project).steps if "upload" in one][1].endswith("1 file")
    flag.touch()
    assert next(one for one in check(project, "--force").steps if "upload" in one).endswith(
        "1 file"
    )
