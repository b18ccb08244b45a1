import pytest

from git_retcon.heal.workflows.expressions.values import make_value
from git_retcon.heal.workflows.machines import (
    Machine,
    describe_difference,
    read_machine,
    refuse_machine,
)

LINUX, MAC = Machine("Linux", "x64"), Machine("macOS", "arm64")


@pytest.mark.parametrize(
    ("runs_on", "system", "processor"),
    [
        ("ubuntu-latest", "Linux", "x64"),
        ("Windows-2022", "Windows", "x64"),
        ("macos-14-large", "macOS", "arm64"),
        ("ubuntu-24.04-arm", "Linux", "arm64"),
        (["self-hosted", "linux", "ARM64"], "Linux", "arm64"),
        (["self-hosted", "windows"], "Windows", "x64"),
        ({"group": "big", "labels": "windows-8-cores"}, "Windows", "x64"),
        ({"group": "big"}, "Linux", "x64"),
        ("namespace-profile-s390x", "Linux", "s390x"),
        ("server-farm-2", "Linux", "x64"),
        ("darwin", "macOS", "arm64"),
        ("win11", "Windows", "x64"),
    ],
)
def test_labels_say_the_machine(runs_on: object, system: str, processor: str) -> None:
    assert read_machine(make_value(runs_on)) == Machine(system, processor)


@pytest.mark.parametrize(
    ("wanted", "here", "reason"),
    [
        (LINUX, LINUX, ""),
        (LINUX, MAC, ""),
        (MAC, MAC, ""),
        (Machine("macOS", "x64"), MAC, ""),
        (MAC, Machine("macOS", "x64"), ""),
        (MAC, LINUX, "needs macOS"),
        (Machine("Windows", "x64"), LINUX, "needs Windows"),
        (Machine("Linux", "arm64"), LINUX, ""),
        (Machine("Linux", "s390x"), LINUX, "needs a machine with s390x"),
        (Machine("Linux", "arm64"), MAC, ""),
        (LINUX, Machine("Linux", "arm64"), ""),
    ],
)
def test_a_machine_will_do_or_there_is_a_reason(
    wanted: Machine, here: Machine, reason: str
) -> None:
    assert refuse_machine(wanted, here) == reason


def test_what_differs_from_an_unusual_machine_is_said() -> None:
    arm = Machine("Linux", "arm64")
    assert describe_difference(arm, LINUX) == "x64, wanted arm64"
    # Most jobs say `ubuntu-latest` only because they must say something.
    assert describe_difference(LINUX, arm) == ""
    assert describe_difference(LINUX, LINUX) == describe_difference(arm, MAC) == ""
