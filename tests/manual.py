"""A manual page, as the tests read it: its sections, and the names that they list."""

import json
import re
from dataclasses import dataclass
from pathlib import Path

import click

from tests.program import CHECKOUT, Ran

ENVELOPE = {"version", "status"}
FAILURE = {"reason", "retryable", "error", "hint", "next"}


@dataclass(frozen=True)
class Page:
    """The page of one program, and its command."""

    program: str
    cli: click.Group

    @property
    def path(self) -> Path:
        return CHECKOUT / "man" / "man1" / f"{self.program}.1"

    @property
    def text(self) -> str:
        return self.path.read_text()

    def section(self, title: str, kind: str = "Sh") -> str:
        """The source of one section, to the next of its kind."""
        parts = re.split(rf"(?m)^\.{kind} ", self.text)
        (found,) = [part for part in parts if part.split("\n", 1)[0] == title]
        return found.split("\n", 1)[1]

    def members(self, title: str) -> set[str]:
        """The names of the members that a subsection lists."""
        return listed_words(self.section(title, "Ss"))

    def commands(self, title: str) -> list[str]:
        """The subcommands that a section lists."""
        spelling = self.program.replace("-", " ", 1)
        pattern = rf"(?m)^\.(?:It )?(?:Nm {spelling} |Op )(?:Oo )?Cm ([\w-]+)"
        return re.findall(pattern, self.section(title))

    def events(self) -> dict[str, set[str]]:
        """The members of every event that the page lists, by its name."""
        source = self.section("run --events", "Ss").partition("\n.Sh ")[0]
        entries = (entry.partition("\n") for entry in re.split(r"(?m)^\.It Ic ", source)[1:])
        return {name: listed_words(rest) for name, _, rest in entries}

    def options(self) -> set[str]:
        """The options that click knows, of every subcommand."""
        options = {"--version", "-h"}
        for command in self.cli.commands.values():
            with click.Context(command) as context:
                for parameter in command.get_params(context):
                    if isinstance(parameter, click.Option):
                        options |= {*parameter.opts, *parameter.secondary_opts}
        return options


def listed_words(source: str) -> set[str]:
    """What follows .Ic, or after Ic in a line: the names of members."""
    lines = re.findall(r"(?m)^\.(?:It |Pq )?Ic (.*)$", source)
    return {word for line in lines for word in re.findall(r"[\w-]+", line)} - {"No", "and", "Ic"}


def reported_members(done: Ran) -> set[str]:
    """The names in a report, at any depth, less those of a failure, which must be there then."""
    report = json.loads(done.out)
    assert report["version"] == 1
    assert list(report)[:2] == ["version", "status"]
    assert set(report) & FAILURE == (FAILURE if done.status else set())
    return list_keys({name: report[name] for name in set(report) - FAILURE})


def list_keys(value: object) -> set[str]:
    """The names in a JSON value, at any depth."""
    if isinstance(value, dict):
        # Ids of hunks are data.
        names = {key for key in value if not re.fullmatch("[0-9a-f]{10}", key)}
        return names | {key for member in value.values() for key in list_keys(member)}
    if isinstance(value, list):
        return {key for member in value for key in list_keys(member)}
    return set()
