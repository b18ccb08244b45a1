"""What a job installs with uv or corepack reaches its own environment, as on GitHub's machines."""

import subprocess
import sys
from pathlib import Path

import pytest

from git_retcon.heal.execution.own_programs import link_corepack, link_python, write_cargo, write_uv

UV = """\
#!/bin/sh
echo "python=${UV_PYTHON:-} active=${VIRTUAL_ENV:-} arguments=$*"
"""


def write_program(path: Path, text: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    path.chmod(0o755)
    return path


class Job:
    """A folder of programs before a uv that says how it was called, and an environment."""

    def __init__(self, top: Path) -> None:
        self.environment = top / "it's a job/venv"
        self.programs, self.workspace = top / "it's a job/programs", top / "workspace/inner"
        self.workspace.mkdir(parents=True)
        write_program(top / "usual/uv", UV)
        write_uv(self.programs, self.environment)
        self.path = f"{self.programs}:{top / 'usual'}:/usr/bin:/bin"

    def call(self, command: str, **variables: str) -> str:
        env = {"PATH": self.path, "VIRTUAL_ENV": str(self.environment), **variables}
        done = subprocess.run(
            ["/bin/sh", "-c", command], env=env, cwd=self.workspace, capture_output=True, text=True
        )
        return (done.stdout + done.stderr).strip()


@pytest.fixture
def job(tmp_path: Path) -> Job:
    return Job(tmp_path)


@pytest.mark.parametrize(
    ("command", "variables"),
    [
        ("uv pip install --system 'a b' '*'", {}),
        ("uv --quiet pip sync --system x", {"UV_PYTHON": "3.12"}),
        ("uv pip install x", {"UV_SYSTEM_PYTHON": "1"}),
        ("uv pip install x", {"UV_SYSTEM_PYTHON": "true"}),
    ],
)
def test_the_system_is_the_environment_of_the_job(
    job: Job, command: str, variables: dict[str, str]
) -> None:
    said = job.call(command, **variables)
    assert said.startswith(f"python={job.environment}/bin/python active={job.environment} ")


@pytest.mark.parametrize(
    ("command", "variables"),
    [
        ("uv pip install x", {}),
        ("uv pip install x", {"UV_SYSTEM_PYTHON": "0"}),
        ("uv python find --system", {}),
        ("uv run x", {"UV_SYSTEM_PYTHON": "1"}),
    ],
)
def test_any_other_call_is_as_it_is(job: Job, command: str, variables: dict[str, str]) -> None:
    arguments = command.partition(" ")[2]
    assert job.call(command, **variables) == (
        f"python= active={job.environment} arguments={arguments}"
    )


def test_words_stay_words(job: Job) -> None:
    (job.workspace / "file").touch()
    assert job.call("uv pip install 'a  b' '*'").endswith("arguments=pip install a  b *")


def test_an_environment_of_the_project_is_found_and_an_active_one_stays(job: Job) -> None:
    (job.workspace.parent / ".venv").mkdir()
    assert job.call("uv pip install x").startswith("python= active= ")
    assert job.call("uv pip install x", VIRTUAL_ENV="/other").startswith("python= active=/other ")


def test_without_uv_there_is_none(job: Job) -> None:
    job.path = f"{job.programs}:/usr/bin:/bin"
    assert job.call("uv pip list; echo $?") == "127\nuv: command not found"


def test_corepack_is_found_in_a_folder_of_the_job(tmp_path: Path) -> None:
    program = write_program(tmp_path / "usual/corepack", "#!/bin/sh\n")
    for _ in range(2):
        link_corepack(tmp_path / "own", f"/nowhere:{program.parent}")
    assert (tmp_path / "own/corepack").readlink() == program
    link_corepack(tmp_path / "none", "/nowhere")
    assert not (tmp_path / "none").exists()


def test_the_python_of_an_environment_has_the_usual_names(tmp_path: Path) -> None:
    environment, folder = tmp_path / "venv", tmp_path / "python"
    link_python(folder, environment)
    assert not folder.exists(), "there is no environment"
    environment.mkdir()
    (environment / "pyvenv.cfg").write_text(f"home = /x\nbase-executable = {sys.executable}\n")
    for _ in range(2):
        link_python(folder, environment)
    name = Path(sys.executable).name
    assert sorted({"python", "python3", name}) == sorted(one.name for one in folder.iterdir())
    assert (folder / "python").readlink() == Path(sys.executable)


def test_scripts_find_rust_where_it_is_on_github(tmp_path: Path) -> None:
    home = tmp_path / "it's home"
    users = write_program(tmp_path / "user/cargo", '#!/bin/sh\necho "cargo $*"\n')
    write_cargo(home, f"{users.parent}:/usr/bin:/bin")

    def run(command: str) -> str:
        env = {"PATH": "/usr/bin:/bin", "HOME": str(home)}
        return subprocess.check_output(["/bin/sh", "-ec", command], env=env, text=True).strip()

    assert run(". \"$HOME/.cargo/env\"; cargo test 'a b'") == "cargo test a b"
    assert run('"$HOME/.cargo/bin/cargo" --version') == "cargo --version"
    # What a job installs in its place is the job's own, and stays.
    run("echo 'echo mine' > \"$HOME/.cargo/bin/cargo\"")
    write_cargo(home, f"{users.parent}:/usr/bin:/bin")
    assert run('"$HOME/.cargo/bin/cargo"') == "mine"
    assert "mine" not in users.read_text()


def test_without_rust_there_is_none(tmp_path: Path) -> None:
    write_cargo(tmp_path / "job", str(tmp_path / "empty"))
    assert not (tmp_path / "job").exists()
