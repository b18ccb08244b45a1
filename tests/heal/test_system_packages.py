"""Which of the system's packages are here, asked of the real dpkg."""

import shutil
from pathlib import Path

import pytest

from git_retcon.heal.system_packages import find_packages, refuse_packages
from tests.heal.checks import check_steps

pytestmark = pytest.mark.skipif(shutil.which("dpkg-query") is None, reason="has no dpkg")


def test_a_package_is_found_by_name_and_architecture() -> None:
    assert find_packages(["bash"])["bash"][0].isdigit()
    assert find_packages(["no-such-package", "dpkg"]).keys() == {"dpkg"}
    assert find_packages(["bash:no"]) == find_packages([]) == {}


def test_what_is_missing_is_named() -> None:
    assert refuse_packages(["bash", "dpkg"]) == refuse_packages([]) == ""
    reason = "needs root to install packages (no-such-package, bash:no)"
    assert refuse_packages(["no-such-package", "bash", "bash:no"]) == reason


def test_a_setting_of_the_kernel_is_here_where_it_has_the_value() -> None:
    value = Path("/proc/sys/kernel/ostype").read_text().strip()
    wanted = [f"kernel.ostype={value}", "kernel.ostype=other", "kernel.none=1", "bash", "..x=1"]
    assert find_packages(wanted).keys() == {f"kernel.ostype={value}", "bash"}
    assert refuse_packages(wanted[:1]) == ""
    assert refuse_packages(wanted) == "needs root to set kernel.ostype=other, kernel.none=1, ..x=1"
    swaps = len(Path("/proc/swaps").read_text().splitlines()) - 1
    assert refuse_packages(["swap=off"]) == ("needs root to set swap=off" if swaps else "")


def test_steps_that_install_what_is_here_are_done_and_the_others_skipped(tmp_path: Path) -> None:
    checked = check_steps(
        tmp_path / "project",
        """\
        - {name: update, run: sudo apt-get update}
        - {name: here, run: sudo apt-get update && sudo apt-get install -y bash}
        - {name: more, run: "sudo apt-get install -y bash dpkg\\necho built"}
        - {name: missing, run: sudo apt-get install no-such-package}
        - {name: both, run: "sudo apt-get install no-such-package\\necho never"}
        - {name: set, run: sudo sysctl -w kernel.ostype=other}
        - {name: version, run: sudo apt-get install bash=5}
        - {name: archive, run: "sudo add-apt-repository ppa:a/b\\nsudo apt-get install bash"}
        """,
    )
    version = find_packages(["bash"])["bash"]
    reason = "skipped: needs root to install packages (no-such-package)"
    assert checked.steps == [
        "update: satisfied: the system's packages are as they are",
        f"here: satisfied: bash {version}",
        "more: passed",
        f"missing: {reason}",
        f"both: {reason}",
        "set: skipped: needs root to set kernel.ostype=other",
        "version: skipped: needs root (sudo)",
        "archive: skipped: needs root (sudo)",
    ]
    assert checked.log("more") == "built\n"
