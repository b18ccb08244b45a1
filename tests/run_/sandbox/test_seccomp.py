"""The filter refuses what it should on each machine, decided here as the kernel decides."""

import struct

import pytest

from git_retcon.run.sandbox.seccomp import Strength, compile_filter, is_known

ALLOWED, EPERM, ENOSYS = 0x7FFF0000, 0x00050001, 0x00050026
AUDIT = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}
# From the kernel's tables, apart from those in the code.
NUMBERS = {
    "x86_64": {
        "read": 0, "socket": 41, "keyctl": 250, "ptrace": 101, "clone": 56, "ioctl": 16,
        "prlimit64": 302,
    },
    "aarch64": {
        "read": 63, "socket": 198, "keyctl": 219, "ptrace": 117, "clone": 220, "ioctl": 29,
        "prlimit64": 261,
    },
}  # fmt: skip
BOTH = (Strength.WITH_NAMESPACES, Strength.WITH_LANDLOCK)
STRONG, WEAK = BOTH


def decide(program: bytes, architecture: int, number: int, *arguments: int) -> int:
    """Run a filter as seccomp(2) does, for the instructions that ours are made of."""
    padded = (*arguments, *(0,) * (6 - len(arguments)))
    data = struct.pack("<iIQ6Q", number, architecture, 0, *padded)
    steps = [struct.unpack_from("<HBBI", program, at) for at in range(0, len(program), 8)]
    at = word = 0
    while True:
        code, if_true, if_false, value = steps[at]
        at += 1
        if code == 0x20:
            (word,) = struct.unpack_from("<I", data, value)
        elif code == 0x06:
            return int(value)
        else:
            holds = {0x15: word == value, 0x35: word >= value, 0x45: bool(word & value)}[code]
            at += if_true if holds else if_false


@pytest.mark.parametrize("machine", AUDIT)
@pytest.mark.parametrize(
    ("call", "arguments", "strong", "weak"),
    [
        ("read", (), ALLOWED, ALLOWED),
        ("socket", (1, 1), ALLOWED, ALLOWED),
        ("socket", (2, 1), ALLOWED, EPERM),
        ("socket", (2, 1, 262), ALLOWED, EPERM),
        ("socket", (10, 2), ALLOWED, EPERM),
        ("socket", (16, 3), ALLOWED, EPERM),
        ("socket", (17, 3), EPERM, EPERM),
        ("socket", (38, 5), EPERM, EPERM),
        ("socket", (40, 1), EPERM, EPERM),
        ("socket", (1 << 32 | 40, 1), EPERM, EPERM),
        ("keyctl", (), EPERM, EPERM),
        ("ptrace", (), ALLOWED, EPERM),
        ("clone", (17,), ALLOWED, ALLOWED),
        ("clone", (0x10000000 | 17,), ALLOWED, EPERM),
        ("prlimit64", (0, 7), ALLOWED, ALLOWED),
        ("prlimit64", (1234, 7), ALLOWED, EPERM),
        ("ioctl", (0, 0x5412), EPERM, EPERM),
        ("ioctl", (0, 0x5413), ALLOWED, ALLOWED),
    ],
)
def test_what_is_refused(
    machine: str, call: str, arguments: tuple[int, ...], strong: int, weak: int
) -> None:
    for strength, wanted in zip(BOTH, (strong, weak), strict=True):
        program = compile_filter(strength, machine)
        number = NUMBERS[machine][call]
        assert decide(program, AUDIT[machine], number, *arguments) == wanted


@pytest.mark.parametrize("machine", AUDIT)
@pytest.mark.parametrize("number", [425, 426, 427])
def test_io_uring_is_refused_everywhere(machine: str, number: int) -> None:
    for strength in BOTH:
        assert decide(compile_filter(strength, machine), AUDIT[machine], number) == EPERM


@pytest.mark.parametrize("strength", BOTH)
def test_calls_of_another_architecture_are_unknown(strength: Strength) -> None:
    program = compile_filter(strength, "x86_64")
    i386, x32 = 0x40000003, 0x40000000
    assert decide(program, i386, 4) == ENOSYS
    assert decide(program, AUDIT["x86_64"], x32 | 41, 40) == ENOSYS


@pytest.mark.parametrize(("strength", "wanted"), [(STRONG, ALLOWED), (WEAK, ENOSYS)])
def test_clone3_hides_its_flags_so_a_weak_sandbox_does_not_know_it(
    strength: Strength, wanted: int
) -> None:
    for machine, audit in AUDIT.items():
        assert decide(compile_filter(strength, machine), audit, 435) == wanted


def test_a_machine_without_a_filter_is_known_as_such() -> None:
    assert is_known("x86_64") and is_known("aarch64") and not is_known("riscv64")
