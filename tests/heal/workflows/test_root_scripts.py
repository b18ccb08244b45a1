"""Scripts that ask for root."""

import shutil
from pathlib import Path

import pytest

from git_retcon.heal.workflows.root_scripts import AptScript, drop_needless_root, read_apt
from tests.heal.checks import check_steps

_VALUES = {"PACKAGES": "jq\n  g++ ", "NONE": "", "STRANGE": "jq; make", "SET": "jq"}


def _read(script: str) -> AptScript | None:
    return read_apt(script, _VALUES.get)


@pytest.mark.parametrize(
    ("script", "wanted"),
    [
        ("sudo apt-get update", AptScript((), "")),
        ("sudo apt-get update -qq && sudo apt-get install -y --no-install-recommends g++ clang-14",
         AptScript(("g++", "clang-14"), "")),
        ("sudo apt-get update ; sudo apt install libc6:i386 jq\n# done\n",
         AptScript(("libc6:i386", "jq"), "")),
        ("sudo apt -y install \\\n  lmodern \\\n  libxml2.9\n",
         AptScript(("lmodern", "libxml2.9"), "")),
        ("sudo -E DEBIAN_FRONTEND=noninteractive apt-get install -yq tk8.6-dev",
         AptScript(("tk8.6-dev",), "")),
        ("if true; then\n  sudo apt-get install jq\nfi\nmake",
         AptScript(("jq",), "if true; then\n:\nfi\nmake")),
        ("sudo apt-get update\nsudo apt-get install jq\npip install .\n",
         AptScript(("jq",), ":\n:\npip install .\n")),
        ("sudo apt-get install make $PACKAGES \\\n  ${NONE}  # for all",
         AptScript(("make", "jq", "g++"), "")),
        ("sudo apt-get -o Acquire::Retries=3 -o Dpkg::Use-Pty=0 install -y jq",
         AptScript(("jq",), "")),
        ("sudo find /etc/apt/sources.list.d -type f -not -name 'ubuntu.sources' -delete -print\n"
         "sudo sed -i 's/priority:1/priority:9/' /etc/apt/apt-mirrors.txt; cat /etc/apt/x\n"
         "sudo rm -f /etc/apt/sources.list.d/ms.list\n"
         "echo 'Acquire::ForceIPv4 \"true\";' | sudo tee /etc/apt/apt.conf.d/99force-ipv4\n"
         "sudo apt-get install jq",
         AptScript(("jq",), "")),
        ("sudo swapoff -a\nsudo sysctl -w vm.x=1 fs.file-max=26\nsudo sysctl kernel.y=0\nmake",
         AptScript(("swap=off", "vm.x=1", "fs.file-max=26", "kernel.y=0"), ":\n:\n:\nmake")),
        ("sudo apt-get install jq\n# no end \\\nmake\n",
         AptScript(("jq",), ":\n# no end \\\nmake\n")),
    ],
)  # fmt: skip
def test_packages_are_read_and_their_lines_left_out(script: str, wanted: AptScript) -> None:
    assert _read(script) == wanted


@pytest.mark.parametrize(
    "script",
    [
        "make",
        "apt-get install jq",  # fails without root, on GitHub too
        "sudo apt-get install $UNKNOWN",
        "sudo apt-get install $STRANGE",
        'sudo apt-get install "$PACKAGES"',
        "sudo apt-get install x$PACKAGES",
        "SET=make\nsudo apt-get install $SET",
        "read SET\nsudo apt-get install $SET",
        "sudo apt-get install jq # a \\\n make",
        "sudo apt-get install …",
        "sudo apt-get install jq || true",
        "sudo apt-get install jq > log",
        "sudo apt-get install jq & make",
        "sudo apt-get install ./my.deb",
        "sudo apt-get install 'lib.*-dev'",
        "sudo apt-get install jq/testing",
        "sudo apt-get install jq-",
        "sudo apt-get install jq=1.6-2",  # on GitHub this may be no version that there is
        "sudo apt-get install -t testing jq",
        "sudo apt-get install --allow-downgrades jq",
        "sudo apt-get install --allow-change-held-packages jq",
        "sudo apt-get -o Dir::Cache=/tmp install jq",
        "sudo apt-get -o install jq",
        "echo 'deb https://example.org/ x main' | sudo tee /etc/apt/sources.list.d/x.list",
        "sudo sed -i 's/jammy/noble/' /etc/apt/sources.list",
        "sudo sed -i 's/a/b/' /etc/apt/apt-mirrors.txt /etc/hosts",
        "sudo sed -i /etc/apt/apt-mirrors.txt",
        "sudo sed -i '1w /etc/x' /etc/apt/apt-mirrors.txt",
        "sudo rm -r /etc/apt/sources.list.d/x.list /opt/microsoft",
        "sudo rm /etc/apt/sources.list.d/../../hosts",
        "sudo find /etc/apt/sources.list.d /opt -delete",
        "sudo find /etc/apt/sources.list.d -exec touch {} ;",
        "sudo find /etc/apt/sources.list.d -delete && make",
        "echo a | sudo tee /etc/apt/apt.conf.d/a > log",
        "echo $(make) | sudo tee /etc/apt/apt.conf.d/a",
        "sudo find",
        "ls /etc/apt/sources.list.d",
        "sudo add-apt-repository -y ppa:deadsnakes/ppa",
        "sudo add-apt-repository ppa:a/b && sudo apt-get install jq",
        "sudo apt-get -y upgrade",
        "sudo sysctl -p",
        "sudo sysctl -w vm.x=$Y",
        "sudo sysctl -w vm/x=1 || true",
        "sysctl -w vm.x=1",
        "sudo swapoff /swap",
        "sudo apt-get remove jq",
        "sudo apt-get build-dep jq",
        "sudo apt-get install jq && make",
        "if sudo apt-get install jq; then make; fi",
        "case $x in\n  a) sudo apt-get install jq ;;\nesac",
        "cat <<END > later.sh\nsudo apt-get install jq\nEND",
        "cat <<\\END > later.sh\nsudo apt-get install jq\nEND",
        "cat <<'END-1' > later.sh\nsudo apt-get install jq\nEND-1",
        "echo '\nsudo apt-get install jq\n'",
        'bash -c "\nsudo apt-get install jq\n"',
    ],
)
def test_what_does_more_or_is_not_understood_is_left_alone(script: str) -> None:
    assert _read(script) is None


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
