"""The machine that a job asks for, and whether this one will do."""

import re
from collections.abc import Iterable

from git_retcon.heal.workflows.expressions.values import Array, Object, Value, to_text
from git_retcon.lazy_named_tuple import NamedTuple

_SYSTEMS = {
    "darwin": "macOS", "mac": "macOS", "macos": "macOS", "osx": "macOS", "win": "Windows",
    "windows": "Windows",
}  # fmt: skip
_PROCESSORS = {
    "aarch64": "arm64", "arm": "arm64", "arm64": "arm64", "ppc64le": "ppc64le",
    "riscv64": "riscv64", "s390x": "s390x",
}  # fmt: skip
_DIGITS = "0123456789"  # to import "string" takes longer than all of this
# Linux on either runs the same programs; jobs ask for the second one for its price.
_USUAL = ("x64", "arm64")


class Machine(NamedTuple):
    """An operating system as GitHub names it (``Linux``, ``Windows``, ``macOS``), a processor."""

    system: str
    processor: str


def read_machine(runs_on: Value) -> Machine:
    """The machine that ``runs-on`` asks for. What its labels do not say is Linux, and x64."""
    words = re.findall("[a-z0-9]+", " ".join(_list_labels(runs_on)).lower())
    names = (_SYSTEMS.get(word.rstrip(_DIGITS)) for word in words)
    system = next((name for name in names if name), "Linux")
    processors = (_PROCESSORS[word] for word in words if word in _PROCESSORS)
    processor = next(processors, "arm64" if system == "macOS" else "x64")
    return Machine(system, processor)


def refuse_machine(wanted: Machine, here: Machine) -> str:
    """Why a job for one machine cannot run on another; empty if it can.

    Jobs for Linux run on a Mac too, and jobs for the usual processor on any: most say only that
    because they must say something. Those for the other usual one run as well, which is said.
    """
    if wanted.system not in ("Linux", here.system):
        return f"needs {wanted.system}"
    unusual = wanted.system == "Linux" and wanted.processor not in _USUAL
    if unusual and wanted.processor != here.processor:
        return f"needs a machine with {wanted.processor}"
    return ""


def describe_difference(wanted: Machine, here: Machine) -> str:
    """How a machine on which a job can run differs from the wanted one, where that may matter."""
    is_other = wanted.system == "Linux" and wanted.processor not in ("x64", here.processor)
    return f"{here.processor}, wanted {wanted.processor}" if is_other else ""


def _list_labels(runs_on: Value) -> Iterable[str]:
    if isinstance(runs_on, Object):
        return _list_labels(runs_on.get("labels"))
    if isinstance(runs_on, Array):
        return map(to_text, runs_on.items)
    return [to_text(runs_on)]
