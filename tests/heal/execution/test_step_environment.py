"""The environment of steps: a list of what may come in, and folders of the job's own."""

import tempfile
from pathlib import Path

import pytest

from git_retcon.heal.execution.step_environment import JobFolders, make_environment
from tests.heal.checks import check, check_steps, new_project


def test_nothing_comes_in_but_what_is_listed(tmp_path: Path) -> None:
    home = tmp_path / "user"
    (home / ".rustup").mkdir(parents=True)
    caller = {
        "HOME": str(home), "PATH": "/usr/bin", "LANG": "C", "LC_TIME": "C", "TZ": "UTC",
        "HTTPS_PROXY": "http://me:secret@proxy:80", "HTTP_PROXY": "http://proxy:80",
        "PIP_INDEX_URL": "https://pypi.example", "SSL_CERT_FILE": "/cert",
        "GITHUB_TOKEN": "secret", "AWS_SECRET_ACCESS_KEY": "secret", "MY_OWN": "x",
        "PYTHONPATH": "/mine", "NODE_OPTIONS": "--require x", "SSH_AUTH_SOCK": "/agent",
        "LD_PRELOAD": "/x.so", "GIT_DIR": "/x", "CARGO_HOME": str(home / ".cargo"),
    }  # fmt: skip
    made = make_environment(caller, JobFolders(tmp_path / "job", tmp_path / "short"))
    taken = {name for name, value in caller.items() if made.variables.get(name) == value}
    assert taken == {
        "LANG", "LC_TIME", "TZ", "HTTP_PROXY", "PIP_INDEX_URL", "SSL_CERT_FILE",
    }  # fmt: skip
    assert made.without_credentials == ("HTTPS_PROXY",)
    assert "secret" not in str(made.variables)
    assert made.variables["RUSTUP_HOME"] == str(home / ".rustup")
    assert made.variables["PATH"].endswith(":/usr/bin")


def test_a_folder_of_tools_that_cannot_be_looked_at_is_left_out(tmp_path: Path) -> None:
    # As one below another user's home; where root runs the tests, only a long name refuses it.
    caller = {"HOME": str(tmp_path), "PYENV_ROOT": f"/{'x' * 300}", "PATH": "/usr/bin"}
    made = make_environment(caller, JobFolders(tmp_path / "job", tmp_path / "short"))
    assert "PYENV_ROOT" not in made.variables


def test_what_installs_for_the_user_installs_for_the_job(tmp_path: Path, sealed: Path) -> None:
    before = sorted(str(path) for path in sealed.rglob("*"))
    checked = check_steps(
        tmp_path / "project",
        """\
        - name: shows
          run: |
            git config --global user.name somebody
            echo x > ~/.bashrc; mkdir -p "$XDG_CACHE_HOME/x" "$CARGO_HOME/bin"
            for name in HOME XDG_CONFIG_HOME CARGO_HOME GOPATH NPM_CONFIG_PREFIX; do
              case ${!name} in */jobs/*) echo "$name: the job's" ;; *) echo "$name" ;; esac
            done
        """,
    )
    assert checked.log("shows").splitlines() == [
        f"{name}: the job's"
        for name in ("HOME", "XDG_CONFIG_HOME", "CARGO_HOME", "GOPATH",
                     "NPM_CONFIG_PREFIX")
    ]  # fmt: skip
    after = sorted(str(path) for path in sealed.rglob("*"))
    ours = ("git-retcon", ".local", ".gitconfig")
    assert [path for path in after if path not in before and not any(o in path for o in ours)] == []
    assert "somebody" not in (sealed / ".gitconfig").read_text()


@pytest.mark.slow
def test_pip_installs_into_the_environment_of_the_job(tmp_path: Path) -> None:
    checked = check_steps(
        tmp_path / "project",
        """\
        - {name: prefix, run: "python -c 'import sys; print(sys.prefix)'; command -v pip"}
        """,
    )
    prefix, pip = checked.log("prefix").splitlines()
    assert prefix.endswith("/venv")
    assert pip == f"{prefix}/bin/pip"


@pytest.mark.slow
def test_uv_installs_into_the_environment_of_the_job_and_pip_into_none_of_the_users(
    tmp_path: Path,
) -> None:
    checked = check_steps(
        tmp_path / "project",
        """\
        - {name: uv, run: "command -v uv || echo 'uv pip'"}
        """,
    )
    assert checked.log("uv").rstrip().endswith("/programs/uv")
    text = "on: push\njobs: {job: {runs-on: x, steps: [{uses: actions/checkout@v4}, {run: sh i}]}}"
    hidden = new_project(tmp_path / "hidden", text.replace("runs-on: x", "runs-on: ubuntu-latest"))
    (hidden.path / "i").write_text("/usr/bin/python3 -m pip install --no-index no-such-package\n")
    assert check(hidden).jobs == [
        "job: incomplete: sh i: exit status 3, for the lack of something here"
    ]


SECRETS = """\
    on: push
    jobs:
      job:
        runs-on: ubuntu-latest
        steps:
        - name: shows
          env: {GIVEN: "${{ secrets.GIVEN }}", OTHER: "${{ secrets.OTHER }}"}
          run: echo "[$GIVEN] [$OTHER]"; echo "${#GIVEN} letters"
    """


def test_a_secret_is_given_only_by_name_and_never_shown(tmp_path: Path) -> None:
    repository = new_project(tmp_path / "project", SECRETS)
    given = {"GIVEN": "horse-battery", "OTHER": "staple-correct"}
    checked = check(repository, "--secret=GIVEN", **given)
    assert checked.log("shows") == "[***] []\n13 letters\n"
    every = [path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()]
    assert not [content for content in every if b"horse-battery" in content]
    refused = check(repository, "--secret=MISSING")
    assert refused.status == 128
    assert refused.data["error"] == "there is no variable 'MISSING' in the environment"


def test_the_temporary_folder_has_a_short_path_and_goes_with_the_job(tmp_path: Path) -> None:
    checked = check_steps(
        tmp_path / "project",
        """\
        - {name: shows, run: 'echo "$TMPDIR"; echo x > "$TMPDIR/x"; chmod 000 "$TMPDIR"'}
        """,
    )
    place = Path(checked.log("shows").strip())
    assert len(str(place)) < 40 + len(tempfile.gettempdir())
    assert not place.exists()
