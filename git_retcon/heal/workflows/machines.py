"""The machine that a job asks for, and whether this one will do."""

from collections.abc import Iterable
from typing import NamedTuple

from git_retcon.heal.workflows.expressions.values import Array, Object, Value, to_text

_SYSTEMS = (("windows", "Windows"), ("macos", "macOS"), ("mac-", "macOS"), ("win-", "Windows"))
_PROCESSORS = (
    ("aarch64", "arm64"), ("arm", "arm64"), ("ppc64le", "ppc64le"), ("riscv", "riscv64"),
    ("s390x", "s390x"),
)  # fmt: skip


class Machine(NamedTuple):
    """An operating system as GitHub names it (``Linux``, ``Windows``, ``macOS``), a processor."""

    system: str
    processor: str


def read_machine(runs_on: Value) -> Machine:
    """The machine that ``runs-on`` asks for. What its labels do not say is Linux, and x64."""
    labels = " ".join(_labels(runs_on)).lower()
    system = next((name for word, name in _SYSTEMS if word in labels), "Linux")
    default = "arm64" if system == "macOS" else "x64"
    processor = next((name for word, name in _PROCESSORS if word in labels), default)
    return Machine(system, processor)


def refuse_machine(wanted: Machine, here: Machine) -> str:
    """Why a job for one machine cannot run on another; empty if it can.

    Jobs for Linux run on a Mac too, and jobs for the usual processor on any: most say only that
    because they must say something.
    """
    if wanted.system not in ("Linux", here.system):
        return f"needs {wanted.system}"
    unusual = wanted.system == "Linux" and wanted.processor != "x64"
    if unusual and wanted.processor != here.processor:
        return f"needs a machine with {wanted.processor}"
    return ""


def _labels(runs_on: Value) -> Iterable[str]:
    if isinstance(runs_on, Object):
        return _labels(runs_on.get("labels"))
    if isinstance(runs_on, Array):
        return map(to_text, runs_on.items)
    return [to_text(runs_on)]
