"""Actions of others in whose place steps of ours do the same."""

import hashlib
import io
import json
import os
import re
import shutil
import textwrap
import urllib.request
from pathlib import Path
from typing import Any

import pytest

from git_retcon.heal.workflows import equivalents
from git_retcon.heal.workflows.equivalents import find_equivalent
from git_retcon.heal.workflows.setups import sets_up_tools
from git_retcon.heal.workflows.step_plans import skipped_reasons
from tests.heal.checks import check, check_steps, new_project
from tests.heal.workflows.test_workflow_plan import plan

NAMES = sorted(one.stem for one in Path(equivalents.__file__).with_suffix("").iterdir())


def _install(folder: Path, *names: str) -> str:
    """Programs that print how they are called; a PATH on which they are first."""
    folder.mkdir()
    for name in names:
        program = folder / name
        program.write_text(
            f'#!/bin/sh\ncase $1 in *-version) echo 1.2.3 ;; *) echo {name} "$@" ;; esac\n'
        )
        program.chmod(0o755)
    return f"{folder}:{os.environ['PATH']}"


@pytest.mark.parametrize("name", NAMES)
def test_each_asks_for_its_tools_and_uses_no_other_stranger(name: str) -> None:
    action = find_equivalent(name.replace("+", "/"))
    assert action is not None
    for step in action.steps:
        used = step.uses.text if step.uses else "git-heal/"
        assert used.startswith(("git-heal/", "actions/upload-artifact@")) or sets_up_tools(used)
    # An input that a step reads is one that the file names, and no script has it as its text.
    known = {one.name for one in action.inputs}
    text = (Path(equivalents.__file__).with_suffix("") / f"{name}.yml").read_text()
    assert set(re.findall(r"inputs\.([\w-]+)", text)) <= known
    assert not [step.run.text for step in action.steps if step.run and "${{" in step.run.text]


@pytest.mark.parametrize("name", ["../equivalents/crate-ci+typos", "a/../b", "nobody/knows-it", ""])
def test_a_name_leads_to_no_other_file(name: str) -> None:
    assert find_equivalent(name) is None


def test_the_tool_is_called_as_the_action_calls_it(tmp_path: Path) -> None:
    workflow = """\
        on: push
        jobs:
          job:
            runs-on: ubuntu-latest
            steps:
            - uses: actions/checkout@v4
            - uses: golangci/golangci-lint-action@v9
              with: {args: --verbose './a b', working-directory: sub}
            - {uses: golangci/golangci-lint-action@v3, with: {version: v1.2, args: --timeout=5m}}
            - {uses: zizmorcore/zizmor-action@v1, with: {persona: pedantic, min-severity: low}}
            - uses: zizmorcore/zizmor-action@v1
              with: {advanced-security: false, online-audits: false}
            - uses: Codespell-Project/actions-codespell@v2
              with: {check_filenames: true, skip: 'a,b', path: src}
            - {uses: astral-sh/ruff-action@v3, with: {src: lib tests}}
            - {uses: crate-ci/typos@master, with: {config: typos.toml, isolated: true}}
            - {uses: j178/prek-action@v2}
            - {uses: dominikh/staticcheck-action@v1, with: {install-go: false, build-tags: x}}
            - uses: karancode/yamllint-github-action@v3
              with: {yamllint_strict: true, yamllint_format: parsable}
            - {uses: securego/gosec@master, with: {args: -exclude-dir examples ./...}}
            - {uses: actions-rs/cargo@v1, with: {command: test, args: --features a* ; b}}
            - {uses: obi1kenobi/cargo-semver-checks-action@v2, with: {package: a}}
            - uses: BSFishy/meson-build@v1
              with: {action: test, directory: out, setup-options: -Da=b}
        """
    tools = ("codespell", "golangci-lint", "gosec", "meson", "ninja", "prek", "ruff", "staticcheck")
    path = _install(
        tmp_path / "bin", *tools, "typos", "yamllint", "zizmor", "cargo", "cargo-semver-checks"
    )
    project = new_project(tmp_path / "project", workflow, {"sub/x": "", ".golangci.yml": ""})
    checked = check(project, PATH=path)
    job = checked.job("job")
    # `v1.2` is 1.2.3; the others ask for no version.
    assert checked.jobs == ["job: passed"]
    logs = [Path(one["log"]) for step in job["steps"] for one in step["steps"] if one["log"]]
    assert [log.read_text().rstrip() for log in logs if log.exists() and log.read_text()] == [
        "golangci-lint config verify",
        "golangci-lint run --verbose ./a b",
        "golangci-lint run --timeout=5m",
        "zizmor --offline --persona=pedantic --format=sarif --min-severity=low -- .",
        "zizmor --offline --persona=regular -- .",
        "codespell --check-filenames --skip a,b src",
        "ruff check lib tests",
        "typos . --isolated --config typos.toml",
        "prek run --show-diff-on-failure --color=always --all-files",
        "staticcheck -tags x -checks inherit -f text -go module ./...",
        "yamllint --strict --format parsable .",
        "gosec -exclude-dir examples ./...",
        "cargo test --features a* ; b",
        "cargo semver-checks check-release --package a",
        "meson setup out -Da=b",
        "meson test -C out",
    ]


def _list_lines(steps: list[dict[str, Any]]) -> list[str]:
    """What steps in place of actions printed, with ``$PWD`` for the worktree."""
    lines: list[str] = []
    for step in steps:
        log = Path(step["log"] or "/nothing")
        lines += log.read_text().splitlines() if log.exists() else []
        lines += _list_lines(step["steps"])
    return [re.sub(r"/\S*/tree\b", "$PWD", line) for line in lines]


def test_packages_are_installed_as_the_action_installs_them(tmp_path: Path) -> None:
    workflow = """\
        on: push
        jobs:
          job:
            runs-on: ubuntu-latest
            steps:
            - uses: actions/checkout@v4
            - {uses: ramsey/composer-install@v3, with: {composer-options: --no-scripts -v}}
            - uses: ramsey/composer-install@v2
              with: {dependency-versions: lowest, working-directory: locked}
            - {uses: ramsey/composer-install@v3, with: {working-directory: locked}}
            - {uses: ruby/setup-ruby@v1, with: {ruby-version: 1.2, bundler-cache: true}}
            - uses: ruby/setup-ruby-pkgs@v1
              with: {bundler-cache: true, working-directory: locked, rubygems: 1.2.3, brew: a}
            - {uses: pnpm/action-setup@v4, with: {run_install: true}}
            - {uses: dprint/check@v2, with: {config-path: d p.json, args: --verbose}}
            - {uses: psf/black@stable, with: {src: a b}}
            - {uses: actions-rs/clippy-check@v1, with: {args: --all, token: t}}
            - {uses: rustsec/audit-check@v2, with: {token: t, ignore: 'A-1,A-2'}}
        """
    path = _install(
        tmp_path / "bin", "composer", "ruby", "bundle", "gem", "pnpm", "dprint", "black", "cargo",
        "cargo-audit",
    )  # fmt: skip
    files = ("Gemfile", "locked/Gemfile", "locked/Gemfile.lock", "locked/composer.lock")
    project = new_project(tmp_path / "project", workflow, dict.fromkeys(files, ""))
    checked = check(project, PATH=path)
    assert checked.jobs == ["job: passed"]
    always = "--no-interaction --no-progress --ansi"
    assert _list_lines(checked.job("job")["steps"]) == [
        f"composer update {always} --no-scripts -v",
        f"composer update {always} --prefer-lowest --prefer-stable --working-dir locked",
        f"composer install {always} --working-dir locked",
        "bundle config set --local path $PWD/vendor/bundle",
        "bundle lock",
        "bundle install --jobs 4",
        "bundle config set --local path $PWD/locked/vendor/bundle",
        "bundle config set --local deployment true",
        "bundle install --jobs 4",
        "pnpm recursive install",
        "dprint check --config d p.json --verbose",
        "black --check --diff a b",
        "cargo clippy --all",
        "cargo audit --ignore A-1 --ignore A-2",
    ]


@pytest.mark.parametrize(
    ("published", "properties", "reason"),
    [
        (hashlib.sha256(b"jar").hexdigest(), "url=https\\://x/gradle-8.5-bin.zip\n", ""),
        ("0" * 64, "url=https\\://x/gradle-8.5-all.zip\n", "not the one of its version"),
        ("", "url=https\\://x/gradle-8.5-rc-1-bin.zip\n", "cannot be fetched"),
        ("0" * 64, "", "no version of Gradle"),
    ],
)
def test_a_wrapper_of_gradle_is_compared_with_the_published_one(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    published: str,
    properties: str,
    reason: str,
) -> None:
    said = _compare_wrappers(
        tmp_path,
        monkeypatch,
        published,
        {"gradle-wrapper.jar": "jar", "gradle-wrapper.properties": properties},
    )
    assert reason in said
    assert bool(said) is bool(reason)


def test_too_few_wrappers_of_gradle_fail(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert "no wrapper" in _compare_wrappers(tmp_path, monkeypatch, "", {})
    with pytest.raises(SystemExit, match="expected at least 2 wrappers, found 0"):
        _compare_wrappers(tmp_path, monkeypatch, "", {}, least="2")


def _compare_wrappers(
    folder: Path,
    monkeypatch: pytest.MonkeyPatch,
    published: str,
    files: dict[str, str],
    least: str = "",
) -> str:
    """Why the step in place of the action judges nothing; empty where all is well."""
    action = find_equivalent("gradle/actions/wrapper-validation")
    assert action is not None
    script = action.steps[1].run
    assert script is not None

    def answer(address: str, timeout: float) -> io.BytesIO:
        assert address.startswith("https://services.gradle.org/distributions/gradle-8.5-")
        if not published:
            raise OSError
        return io.BytesIO(published.encode())

    monkeypatch.setattr(urllib.request, "urlopen", answer)
    monkeypatch.chdir(folder)
    monkeypatch.setenv("GITHUB_OUTPUT", str(folder / "output"))
    monkeypatch.setenv("LEAST", least)
    for name, text in files.items():
        (folder / name).write_text(text)
    try:
        exec(script.text, {"__name__": "__main__"})
    except SystemExit as ended:
        if ended.code:
            raise
    output = folder / "output"
    return output.read_text() if output.exists() else ""


@pytest.mark.slow
def test_what_must_send_coverage_needs_some_and_what_may_fail_to_does_not(tmp_path: Path) -> None:
    strict = "codecov/codecov-action@v5"
    none = "publishes or deploys (coverage, of which there is none here)"
    checked = check_steps(
        tmp_path / "project",
        f"""\
        - uses: actions/checkout@v4
        - uses: {strict}
        - {{uses: {strict}, with: {{fail_ci_if_error: true, files: 'a.xml, b/*.xml'}}}}
        - {{uses: {strict}, with: {{fail_ci_if_error: true}}}}
        - run: mkdir node_modules; echo x > node_modules/lcov.info; touch lcov.info
        - {{uses: coverallsapp/github-action@v2}}
        - run: mkdir b; echo x > b/coverage.xml
        - {{uses: {strict}, with: {{fail_ci_if_error: true, files: 'a.xml, b/*.xml'}}}}
        - {{uses: {strict}, with: {{fail_ci_if_error: true}}}}
        - {{uses: coverallsapp/github-action@v2, with: {{path-to-lcov: lcov.info}}}}
        - {{uses: coverallsapp/github-action@v2, with: {{parallel-finished: true}}}}
        """,
    )
    verdicts = [step["verdict"] for step in checked.job("job")["steps"]]
    assert verdicts == [
        "satisfied", "satisfied", "skipped", "skipped", "passed", "skipped", "passed", "passed",
        "passed", "skipped", "passed",
    ]  # fmt: skip
    assert checked.jobs == [f"job: incomplete: 4 steps skipped: {none}"]


def test_what_a_job_would_have_fixed_for_it_fails_and_nothing_else(tmp_path: Path) -> None:
    steps = """\
        - uses: actions/checkout@v4
        - {id: one, uses: autofix-ci/action@v1}
        - run: echo ${{ steps.one.outputs.autofix_started }} > .gitignore; echo x > new
        - uses: autofix-ci/action@v1
        """
    begin = "on: push\nname: NAME\njobs:\n  job:\n    runs-on: ubuntu-latest\n    steps:\n"
    workflow = begin + textwrap.indent(textwrap.dedent(steps), "    ")
    named = new_project(
        tmp_path / "named", workflow.replace("NAME", "autofix.ci"), {".gitignore": "old\n"}
    )
    checked = check(named)
    verdicts = [step["verdict"] for step in checked.job("job")["steps"]]
    assert verdicts == ["satisfied", "passed", "passed", "failed"]
    log = checked.log("Look for what autofix.ci would fix")
    assert log == ""
    other = check(new_project(tmp_path / "other", workflow.replace("NAME", "other")))
    assert [step["verdict"] for step in other.job("job")["steps"]][1] == "failed"


def test_buf_checks_its_input_in_place_of_its_actions(tmp_path: Path) -> None:
    workflow = """\
        on: push
        jobs:
          job:
            runs-on: ubuntu-latest
            steps:
            - uses: actions/checkout@v4
            - {uses: bufbuild/buf-setup-action@v1}
            - {uses: bufbuild/buf-lint-action@v1, with: {input: proto}}
            - uses: bufbuild/buf-breaking-action@v1
              with: {input: proto --path *, against: 'https://x/y.git#branch=main'}
        """
    path = _install(tmp_path / "bin", "buf")
    checked = check(new_project(tmp_path / "project", workflow), PATH=path)
    assert checked.jobs == ["job: passed"]
    assert checked.log("buf lint") == "buf lint proto\n"
    assert checked.log("buf breaking") == (
        "buf breaking proto --path * --against https://x/y.git#branch=main\n"
    )


def test_the_messages_of_the_commits_of_a_pull_request_are_read(tmp_path: Path) -> None:
    workflow = """\
        on: pull_request
        jobs:
          job:
            runs-on: ubuntu-latest
            steps: [{uses: actions/checkout@v4}, {uses: crate-ci/committed@master}]
        """
    project = new_project(tmp_path / "project", workflow, {"a": ""})
    base = project.git("rev-parse", "HEAD")
    project.git("switch", "-qc", "topic")
    head = project.commit("more", {"a": "more"})
    # What is not committed has no message yet.
    project.write({"a": "uncommitted"})
    checked = check(project, PATH=_install(tmp_path / "bin", "committed"))
    assert checked.jobs == ["job: passed"]
    said = checked.log("committed")
    assert said == f"committed --color=always -vv --no-merge-commit {base}..{head}\n"


def test_no_run_here_is_a_duplicate(tmp_path: Path) -> None:
    workflow = """\
        on: push
        jobs:
          first:
            runs-on: ubuntu-latest
            outputs:
              skips: ${{ steps.one.outputs.should_skip }}
              files: ${{ steps.one.outputs.changed_files }}
            steps: [{id: one, uses: fkirc/skip-duplicate-actions@v5, with: {paths: '["x"]'}}]
          runs:
            needs: first
            if: needs.first.outputs.skips != 'true'
            runs-on: ubuntu-latest
            steps: [{run: echo}]
          asks:
            needs: first
            runs-on: ubuntu-latest
            steps: [{run: 'echo ${{ needs.first.outputs.files }}'}, {run: echo}]
        """
    checked = check(new_project(tmp_path / "project", workflow))
    assert checked.jobs[:2] == ["first: passed", "runs: passed"]
    assert "incomplete" in checked.jobs[2]


def test_a_job_whose_ruby_is_not_here_does_not_run(tmp_path: Path) -> None:
    steps = """\
        - uses: actions/checkout@v4
        - {uses: ruby/setup-ruby@v1, with: {bundler-cache: true}}
        - {run: bundle exec rake}
        """
    begin = "on: push\njobs:\n  job:\n    runs-on: ubuntu-latest\n    steps:\n"
    project = new_project(
        tmp_path / "project", begin + textwrap.indent(textwrap.dedent(steps), "    ")
    )
    bare = _install(tmp_path / "bin", "bundle").partition(":")[0]
    for name in ("git", "bash", "sh", "python3"):
        (Path(bare) / name).symlink_to(str(shutil.which(name)))
    assert check(project, PATH=bare).jobs == ["job: not run: ruby is not here"]


# Without these, an equivalent does nothing.
_NEEDED = {
    "actions-rs+cargo": {"command": "test"},
    "awalsh128+cache-apt-pkgs-action": {"packages": "bash"},
    "baptiste0928+cargo-install": {"crate": "typos"},
    "bsfishy+meson-build": {"action": "build"},
    "bufbuild+buf-action": {"setup_only": "true"},
    "codecov+codecov-action": {"fail_ci_if_error": "true"},
    "dominikh+staticcheck-action": {"install-go": "false"},
    "pnpm+action-setup": {"run_install": "true"},
    "re-actors+alls-green": {"jobs": "{}"},
    "restackio+update-json-file-action": {"file": "a.json", "fields": "{}"},
    "ruby+setup-ruby": {"bundler-cache": "true"},
    "ruby+setup-ruby-pkgs": {"bundler-cache": "true"},
    "zizmorcore+zizmor-action": {"online-audits": "false"},
}
# These run no program that could fail.
_PASSING = (
    "awalsh128+cache-apt-pkgs-action", "baptiste0928+cargo-install", "bufbuild+buf-action",
    "codecov+codecov-action", "fkirc+skip-duplicate-actions", "pre-commit-ci+lite-action",
    "restackio+update-json-file-action",
)  # fmt: skip
_PROGRAMS = (
    "black", "buf", "bundle", "cargo", "cargo-audit", "cargo-deny", "cargo-semver-checks",
    "cffconvert", "codespell", "composer", "dprint", "gem", "golangci-lint", "gosec",
    "govulncheck", "meson", "ninja", "pnpm", "prek", "ruby", "ruff", "staticcheck", "typos", "uv",
    "yamllint", "zizmor",
)  # fmt: skip


def _install_failing(folder: Path) -> str:
    """The same, where the programs fail."""
    path = _install(folder, *_PROGRAMS)
    for program in folder.iterdir():
        program.write_text(program.read_text() + "case $1 in *-version) ;; *) exit 3 ;; esac\n")
    go = folder / "go"
    go.write_text("#!/bin/sh\necho go version go1.22.1 linux/amd64\n")
    go.chmod(0o755)
    return path


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_no_input_is_a_command(tmp_path: Path, name: str) -> None:
    action = find_equivalent(name.replace("+", "/"))
    assert action is not None
    made = tmp_path / "made"
    texts = (f"x; touch {made}", f"x || true\n touch {made}", "*", f"$(touch {made})", "|| true")
    given = [{**_NEEDED.get(name, {}), one.name: text} for one in action.inputs for text in texts]
    steps = [
        {"uses": f"{name.replace('+', '/')}@v1", "with": inputs, "continue-on-error": True}
        for inputs in given
    ]
    # A job that would skip all of its steps is not begun.
    job = {
        "runs-on": "ubuntu-latest",
        "steps": [{"uses": "actions/checkout@v4"}, {"run": "true"}, *steps],
    }
    project = new_project(
        tmp_path / "project",
        json.dumps({"on": "push", "jobs": {"job": job}}),
        {"a.json": "{}", ".golangci.yml": "", "Gemfile": ""},
    )
    checked = check(project, PATH=_install_failing(tmp_path / "bin"))
    assert not made.exists()
    passed = [
        inputs
        for inputs, step in zip(given, checked.job("job")["steps"][2:], strict=True)
        if step["verdict"] == "passed" and name not in _PASSING and not inputs.get("only_warn")
    ]
    assert passed == []


@pytest.mark.slow
def test_words_are_split_as_the_action_splits_them(tmp_path: Path) -> None:
    workflow = """\
        on: push
        jobs:
          job:
            runs-on: ubuntu-latest
            steps:
            - uses: actions/checkout@v4
            - {uses: astral-sh/ruff-action@v3, with: {args: check --exclude *.py, src: .}}
            - {uses: securego/gosec@v2, with: {args: ./... ; touch x}, env: {FROM_STEP: seen}}
            - {uses: j178/prek-action@v2, with: {extra-args: '* || true'}}
            - {uses: EmbarkStudios/cargo-deny-action@v2, with: {command-arguments: bans || true}}
            - {uses: BSFishy/meson-build@v1, with: {action: build, options: '-j 2 || true'}}
            - uses: golangci/golangci-lint-action@v3
              with:
                args: |
                  --timeout=5m --build-tags "a b"
        """
    program = (
        '#!/bin/sh\ncase $1 in *-version) echo 1.2.3 ;; *) printf "[%s]" "$@" $FROM_STEP ;; esac\n'
    )
    path = _install(tmp_path / "bin", *_PROGRAMS)
    for one in (tmp_path / "bin").iterdir():
        one.write_text(program)
    checked = check(
        new_project(tmp_path / "project", workflow, {"a.py": "", "b.py": ""}), PATH=path
    )
    assert checked.jobs == ["job: passed"]
    steps = checked.job("job")["steps"][1:]
    logs = [[one["log"] for one in step["steps"] if one["log"]] for step in steps]
    assert [Path(inner[-1]).read_text() for inner in logs] == [
        "[check][--exclude][*.py][.]",
        "[./...][;][touch][x][seen]",
        "[run][--show-diff-on-failure][--color=always][*][||][true]",
        "[--log-level][warn][--manifest-path][./Cargo.toml][--all-features][check][bans][||][true]",
        "[-C][build][-j 2 || true]",
        "[run][--timeout=5m][--build-tags][a b]",
    ]


def test_a_tool_that_is_missing_leaves_out_its_step_alone(tmp_path: Path) -> None:
    checked = check_steps(
        tmp_path / "project",
        """\
        - {uses: securego/gosec@master, with: {args: ./...}}
        - {name: goes on, run: echo here}
        """,
    )
    assert checked.jobs == ["job: incomplete: 1 step skipped: gosec is not here"]
    assert checked.log("goes on") == "here\n"


def test_a_gate_tells_how_the_jobs_that_it_needs_went(tmp_path: Path) -> None:
    workflow = """\
        on: push
        jobs:
          good: {runs-on: ubuntu-latest, steps: [{run: echo}]}
          bad: {runs-on: ubuntu-latest, steps: [{name: fails, run: exit 1}]}
          behind: {needs: bad, runs-on: ubuntu-latest, steps: [{run: echo}]}
          part: {runs-on: ubuntu-latest, steps: [{uses: actions/labeler@v5}, {run: echo}]}
          windows: {runs-on: windows-latest, steps: [{run: echo}]}
          passes: {needs: [good], GATE}
          fails: {needs: [good, bad], GATE}
          allows: {needs: [good, bad, behind], GATE}
          unsure: {needs: [good, part], GATE}
          unknown: {needs: [windows], GATE}
        """.replace(
        "GATE",
        "runs-on: ubuntu-latest, if: always(), steps: [{id: gate, uses: re-actors/alls-green@v1, "
        "with: {jobs: '${{ toJSON(needs) }}', allowed-failures: \"${{ github.job == 'allows' && "
        "'bad, x' || '' }}\", allowed-skips: '[\"behind\"]'}}, "
        "{name: says, if: \"github.job == 'passes'\", "
        "run: 'echo ${{ steps.gate.outputs.result }}'}]",
    )
    checked = check(new_project(tmp_path / "project", workflow))
    unknown = "1 step skipped: depends on what is not known here (an object that is not known)"
    gate = "re-actors/alls-green@v1: Decide whether the needed jobs succeeded"
    gates = ("passes", "fails", "allows", "unsure", "unknown")
    assert {line for line in checked.jobs if line.startswith(gates)} == {
        "passes: passed",
        f"fails: failed: {gate}: exit status 1",
        "allows: passed",
        # Nobody here knows how CI ends what was not all run here.
        f"unsure: incomplete: {unknown}",
        f"unknown: incomplete: {unknown}",
    }
    assert checked.log("says") == "success\n"


def test_what_sends_the_fixes_of_hooks_is_left_out_where_there_are_some(tmp_path: Path) -> None:
    workflow = """\
        on: [push, pull_request]
        jobs:
          clean:
            runs-on: ubuntu-latest
            steps:
            - uses: actions/checkout@v4
            - run: touch a
            - uses: pre-commit-ci/lite-action@v1.1.0
          changed:
            runs-on: ubuntu-latest
            steps:
            - uses: actions/checkout@v4
            - run: echo fixed > a
            - uses: pre-commit-ci/lite-action@v1.1.0
        """
    project = new_project(tmp_path / "project", workflow, {"a": ""})
    project.git("switch", "-qc", "topic")
    project.commit("change", {"b": "x"})
    assert check(project, "--event", "pull_request").jobs == [
        "clean: passed",
        "changed: incomplete: 1 step skipped: publishes or deploys (pre-commit-ci/lite-action)",
    ]
    assert check(project, "--event", "push", "--job", "changed").jobs == ["changed: passed"]


def test_fields_of_a_json_file_are_set(tmp_path: Path) -> None:
    checked = check_steps(
        tmp_path / "project",
        """\
        - uses: actions/checkout@v4
        - uses: restackio/update-json-file-action@2.1
          with: {file: a.json, fields: '{"scripts.b": "c", "new.d.e": 1}'}
        - {name: show, run: tr -d ' \\n' < a.json}
        """,
        {"a.json": '{"scripts": {"x": 1}}'},
    )
    assert checked.log("show") == '{"scripts":{"x":1,"b":"c"},"new":{"d":{"e":1}}}'


@pytest.mark.parametrize(
    ("step", "reason"),
    [
        ("{uses: crate-ci/typos@v1, with: {write_changes: true}}",
         "third-party action (crate-ci/typos with 'write_changes')"),
        ("{uses: golangci/golangci-lint-action@v9, with: {only-new-issues: true}}",
         "needs GitHub (golangci-lint with only-new-issues)"),
        ("{uses: golangci/golangci-lint-action@v9, with: {version-file: x}}",
         "third-party action (golangci/golangci-lint-action with 'version-file')"),
        ("{uses: zizmorcore/zizmor-action@v1, with: {advanced-security: false}}",
         "needs GitHub (zizmor's online audits)"),
        ("{uses: zizmorcore/zizmor-action@v1, with: {config: x}}",
         "third-party action (zizmorcore/zizmor-action with 'config')"),
        ("{uses: codespell-project/actions-codespell@v2, with: {unheard: x}}",
         "third-party action (codespell-project/actions-codespell with 'unheard')"),
        ("{uses: astral-sh/ruff-action@v3, with: {src: 'lib/**'}}",
         "third-party action (ruff-action with patterns in 'src')"),
        ("{uses: astral-sh/ruff-action@v3, with: {version-file: pyproject.toml}}",
         "third-party action (astral-sh/ruff-action with 'version-file')"),
        ("{uses: BSFishy/meson-build@v1, with: {action: tidy}}",
         "third-party action (meson-build with action: tidy)"),
        ("{uses: actions-rs/cargo@v1, with: {command: build, use-cross: true}}",
         "needs containers (cross)"),
        ("{uses: actions-rs/cargo@v1, with: {command: publish}}",
         "third-party action (actions-rs/cargo with command: publish)"),
        ("{uses: actions-rs/cargo@v1, with: {command: test, args: $(evil)}}",
         "third-party action (actions-rs/cargo with quoted words)"),
        ("{uses: actions-rs/cargo@v1, with: {command: test, toolchain: nightly}}",
         "third-party action (actions-rs/cargo with 'toolchain')"),
        ("{uses: obi1kenobi/cargo-semver-checks-action@v2, with: {package: 'a, b'}}",
         "third-party action (cargo-semver-checks-action of several packages)"),
        ("{uses: obi1kenobi/cargo-semver-checks-action@v2, with: {rust-toolchain: nightly}}",
         "third-party action (obi1kenobi/cargo-semver-checks-action with 'rust-toolchain')"),
        ("{uses: bufbuild/buf-action@v1}", "third-party action (bufbuild/buf-action)"),
        ("{uses: dominikh/staticcheck-action@v1, with: {merge-files: x}}",
         "third-party action (dominikh/staticcheck-action with 'merge-files')"),
        ("{uses: EmbarkStudios/cargo-deny-action@v2, with: {credentials: x}}",
         "third-party action (EmbarkStudios/cargo-deny-action with 'credentials')"),
        ("{uses: hynek/build-and-inspect-python-package@v2, "
         "with: {attest-build-provenance-github: 'true'}}",
         "publishes or deploys (an attestation of the packages)"),
        ("{uses: hynek/build-and-inspect-python-package@v2, with: {skip-wheel: 'true'}}",
         "third-party action (build-and-inspect-python-package of one kind of package)"),
        ("{uses: golang/govulncheck-action@v1, with: {output-format: sarif}}",
         "third-party action (golang/govulncheck-action with 'output-format')"),
        ("{uses: securego/gosec@master, with: {args: '-exclude-dir=* ./...'}}",
         "third-party action (gosec with quoted words or patterns)"),
        ("{uses: golangci/golangci-lint-action@v9, with: {args: --fast; touch x}}",
         "third-party action (golangci-lint with words for a shell)"),
        ("{uses: golangci/golangci-lint-action@v9, with: {args: \"--fast\\ntouch x\"}}",
         "third-party action (golangci-lint with words for a shell)"),
        ("{uses: golang/govulncheck-action@v1, with: {go-package: ./... || true}}",
         "third-party action (govulncheck-action with words for a shell)"),
        ("{uses: j178/prek-action@v2, with: {extra-args: '\"a b\"'}}",
         "third-party action (prek-action with quoted words)"),
        ("{uses: EmbarkStudios/cargo-deny-action@v2, with: {arguments: '\"a b\"'}}",
         "third-party action (cargo-deny-action with quoted words)"),
        ("{uses: citation-file-format/cffconvert-github-action@2.0.0, with: {args: --validate; x}}",
         "third-party action (cffconvert-github-action with several words)"),
        ("{uses: securego/gosec@master, with: {image: x}}",
         "third-party action (securego/gosec with 'image')"),
        ("{uses: j178/prek-action@v2, with: {version-file: x}}",
         "third-party action (j178/prek-action with 'version-file')"),
        ("{uses: karancode/yamllint-github-action@v3, with: {yamllint_config_datapath: x}}",
         "third-party action (karancode/yamllint-github-action with 'yamllint_config_datapath')"),
        ("{uses: citation-file-format/cffconvert-github-action@2.0.0, with: {workdir: x}}",
         "third-party action (citation-file-format/cffconvert-github-action with 'workdir')"),
        ("{uses: re-actors/alls-green@v1, with: {jobs: '{}', unheard: x}}",
         "third-party action (re-actors/alls-green with 'unheard')"),
        ("{uses: pre-commit-ci/lite-action@v1, with: {unheard: x}}",
         "third-party action (pre-commit-ci/lite-action with 'unheard')"),
        ("{uses: restackio/update-json-file-action@v2, with: {file: a, fields: '{\"a[0]\": 1}'}}",
         "third-party action (restackio/update-json-file-action with such fields)"),
        ("{uses: ramsey/composer-install@v3, with: {composer-options: '\"a b\"'}}",
         "third-party action (composer-install with quoted words or patterns)"),
        ("{uses: ramsey/composer-install@v3, with: {custom-composer-filename: x}}",
         "third-party action (ramsey/composer-install with 'custom-composer-filename')"),
        ("{uses: pnpm/action-setup@v4, with: {run_install: '[{cwd: a}]'}}",
         "installs packages (run_install)"),
        ("{uses: ruby/setup-ruby@v1, with: {bundler-cache: true, unheard: x}}",
         "third-party action (ruby/setup-ruby with 'unheard')"),
        ("{uses: ruby/setup-ruby-pkgs@v1, with: {apt-get: haveged=1}}",
         "needs root to install packages (haveged=1)"),
        ("{uses: awalsh128/cache-apt-pkgs-action@v1, with: {packages: jq=1.6}}",
         "needs root to install packages (jq=1.6)"),
        ("{uses: awalsh128/cache-apt-pkgs-action@v1, with: {packages: jq, add-repository: x}}",
         "third-party action (awalsh128/cache-apt-pkgs-action with 'add-repository')"),
        ("{uses: baptiste0928/cargo-install@v3, with: {crate: x, git: y}}",
         "third-party action (baptiste0928/cargo-install with 'git')"),
        ("{uses: gradle/actions/wrapper-validation@v4, with: {allow-checksums: x}}",
         "third-party action (gradle/actions/wrapper-validation with 'allow-checksums')"),
        ("{uses: gradle/wrapper-validation-action@v2, with: {allow-checksums: x}}",
         "third-party action (gradle/wrapper-validation-action with 'allow-checksums')"),
        ("{uses: autofix-ci/action@v1, with: {unheard: x}}",
         "third-party action (autofix-ci/action with 'unheard')"),
        ("{uses: bufbuild/buf-lint-action@v1, with: {unheard: x}}",
         "third-party action (bufbuild/buf-lint-action with 'unheard')"),
        ("{uses: bufbuild/buf-breaking-action@v1, with: {unheard: x}}",
         "third-party action (bufbuild/buf-breaking-action with 'unheard')"),
        ("{uses: fkirc/skip-duplicate-actions@v5, with: {paths_filter: x}}",
         "third-party action (fkirc/skip-duplicate-actions with 'paths_filter')"),
        ("{uses: codecov/codecov-action@v5, with: {fail_ci_if_error: true, run_command: x}}",
         "third-party action (codecov/codecov-action with 'run_command')"),
        ("{uses: codecov/codecov-action@v5, with: {fail_ci_if_error: true, report_type: x}}",
         "publishes or deploys (a report that is no coverage)"),
        ("{uses: crate-ci/committed@v1, with: {commits: HEAD~..HEAD}}",
         "third-party action (crate-ci/committed with 'commits')"),
        ("{uses: dprint/check@v2, with: {args: $(x)}}",
         "third-party action (dprint/check with words for a shell)"),
        ("{uses: psf/black@stable, with: {options: \"--config 'a b'\"}}",
         "third-party action (psf/black with quoted words)"),
        ("{uses: actions-rs/clippy-check@v1, with: {args: $(x)}}",
         "third-party action (actions-rs/clippy-check with quoted words)"),
        ("{uses: actions-rs/audit-check@v1, with: {unheard: x}}",
         "third-party action (actions-rs/audit-check with 'unheard')"),
        ("{uses: rustsec/audit-check@v2, with: {unheard: x}}",
         "third-party action (rustsec/audit-check with 'unheard')"),
    ],
)  # fmt: skip
def test_an_input_that_asks_for_something_else_is_refused(step: str, reason: str) -> None:
    jobs = f"jobs:\n  job:\n    runs-on: ubuntu-latest\n    steps:\n    - {step}\n"
    assert skipped_reasons(plan(jobs)[0].cells[0].steps) == [reason]


def test_every_equivalent_has_an_input_that_it_refuses() -> None:
    cases = test_an_input_that_asks_for_something_else_is_refused.pytestmark[0].args[1]  # type: ignore[attr-defined]
    tried = {step.partition("uses: ")[2].partition("@")[0].lower() for step, _ in cases}
    assert {name.replace("+", "/") for name in NAMES} <= tried
