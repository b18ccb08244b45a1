import shutil
from pathlib import Path

import pytest

from git_retcon.heal.workflows.root_scripts import drop_needless_root
from tests.heal.checks import check_steps


@pytest.mark.parametrize(
    ("script", "without"),
    [
        ("sudo pip install -r x.txt", "pip install -r x.txt"),
        ("sudo -EH python3 -m pip -q install x && make", "python3 -m pip -q install x && make"),
        ("cd x\n  sudo npm install -g yarn\nsudo gem install y",
         "cd x\n  npm install -g yarn\ngem install y"),
        ("if ! x; then sudo npm i -g x; fi", "if ! x; then npm i -g x; fi"),
    ],
)  # fmt: skip
def test_what_a_job_has_a_folder_for_is_installed_without_root(script: str, without: str) -> None:
    assert drop_needless_root(script) == without


@pytest.mark.parametrize(
    "script",
    [
        "pip install x",
        "sudo make install",
        "sudo pip list",
        "sudo npm run install",
        "sudo -u you pip install x",
        "sudo sh -c 'sudo pip install x'",
        "echo sudo pip install x",
        "echo 'sudo pip install x'; sudo pip install x",
        "cat > Dockerfile <<EOF\nRUN sudo pip install x\nEOF\nsudo pip install y",
        "/opt/sudo pip install x",
    ],
)
def test_every_other_script_stays_as_it_is(script: str) -> None:
    assert drop_needless_root(script) == script


def test_a_tool_that_sudo_would_install_is_there_for_the_next_step(tmp_path: Path) -> None:
    if shutil.which("npm") is None:
        pytest.skip("npm is not installed")
    checked = check_steps(
        tmp_path / "project",
        """\
        - uses: actions/checkout@v4
        - run: sudo npm install --offline -g ./tool
        - {name: says, run: own-tool}
        """,
        {
            "tool/package.json": '{"name": "own-tool", "version": "1.0.0", "bin": "tool.js"}',
            "tool/tool.js": "#!/usr/bin/env node\nconsole.log('here')\n",
        },
    )
    assert checked.jobs == ["job: passed"]
    assert checked.log("says") == "here\n"
