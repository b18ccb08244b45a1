"""What is wrong with a workflow, and where."""

from typing import Literal

from git_retcon.heal.workflows.nodes import Node
from git_retcon.lazy_named_tuple import NamedTuple

Severity = Literal["error", "warning"]


class Problem(NamedTuple):
    """One fault. GitHub refuses a file with an error; a warning is our own advice."""

    file: bytes
    line: int
    column: int
    severity: Severity
    message: str

    def __str__(self) -> str:
        file = self.file.decode("utf-8", "replace")
        return f"{file}:{self.line}:{self.column}: {self.severity}: {self.message}"


class Problems:
    """The faults found so far in one file, in the order they were found."""

    def __init__(self, file: bytes) -> None:
        self.file = file
        self.found: list[Problem] = []

    def refuse(self, place: Node, message: str) -> None:
        self.found.append(Problem(self.file, place.line, place.column, "error", message))

    def refuse_at(self, line: int, column: int, message: str) -> None:
        self.found.append(Problem(self.file, line, column, "error", message))

    def warn(self, place: Node, message: str) -> None:
        self.found.append(Problem(self.file, place.line, place.column, "warning", message))

    @property
    def fatal(self) -> bool:
        return any(problem.severity == "error" for problem in self.found)
