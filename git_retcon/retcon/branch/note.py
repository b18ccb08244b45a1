"""The note on a rebuilt commit, in ``refs/notes/retcon``.

Lines of ``Key: value``, ``Version: 1`` first. A note moves in the same transaction as the branch,
so after a kill, before the spec was saved, the next run still knows the commit as ours.
"""

from git_retcon.lazy_dataclass import dataclass

NOTES_REF = "refs/notes/retcon"
SKIPPED = "skipped"
# The part of a logical commit that a person made; its note holds a verdict, and claims nothing.
PERSON = "person"


@dataclass(frozen=True, slots=True)
class Record:
    """What we record of one commit. ``digest`` is that of its ``LogicalCommit``, ``commands``
    that of the commands that proved it.
    """

    branch: str
    position: int
    total: int
    subject: str
    digest: str
    part: str  # "commit", "wip" or PERSON
    engine: str
    source: str
    atoms: tuple[str, ...]
    bridged: bool = False
    released: tuple[str, ...] = ()  # hunks of an earlier part that this one takes off again
    verdicts: tuple[str, ...] = ()
    commands: str = ""
    seconds: float | None = None
    tokens: int = 0
    cost: float = 0.0

    @property
    def is_proved(self) -> bool:
        """Whether commands have passed on it: they run only after the spec has recorded it."""
        ran = (verdict for verdict in self.verdicts if not verdict.endswith(SKIPPED))
        return self.seconds is not None and any(ran)

    def text(self) -> str:
        """The note."""
        lines = [
            "Version: 1",
            f"Branch: {self.branch}",
            f"Logical-Commit: {self.position + 1}/{self.total} {self.subject}",
            f"Digest: {self.digest}",
            f"Part: {self.part}",
            f"Engine: {self.engine}",
            f"Source: {self.source}",
            f"Atoms: {' '.join(self.atoms)}",
        ]
        if self.released:
            lines.append(f"Released: {' '.join(self.released)}")
        if self.bridged:
            lines.append("Bridged: yes")
        lines += [f"Verdict: {verdict}" for verdict in self.verdicts]
        if self.commands:
            lines.append(f"Commands: {self.commands}")
        if self.seconds is not None:
            lines.append(f"Seconds: {self.seconds:.1f}")
        if self.tokens:
            lines += [f"Tokens: {self.tokens}", f"Cost: ${self.cost:.4f}"]
        return "\n".join(lines) + "\n"


def parse_record(text: str | None) -> Record | None:
    """Read a note back; None for anything that is not on a commit of ours."""
    # Others may write notes under this ref too; a later version's are not for us to guess at.
    if text is None or not text.startswith("Version: 1\n"):
        return None
    fields: dict[str, str] = {}
    verdicts: list[str] = []
    for line in text.split("\n"):
        key, _, value = line.partition(": ")
        if key == "Verdict":
            verdicts.append(value)
        fields[key] = value
    try:
        place, _, subject = fields["Logical-Commit"].partition(" ")
        position, _, total = place.partition("/")
        if fields["Part"] == PERSON:
            return None
        return Record(
            branch=fields["Branch"],
            position=int(position) - 1,
            total=int(total),
            subject=subject,
            digest=fields["Digest"],
            part=fields["Part"],
            engine=fields["Engine"],
            source=fields["Source"],
            atoms=tuple(fields.get("Atoms", "").split()),
            bridged="Bridged" in fields,
            released=tuple(fields.get("Released", "").split()),
            verdicts=tuple(verdicts),
            commands=fields.get("Commands", ""),
            seconds=float(fields["Seconds"]) if "Seconds" in fields else None,
            tokens=int(fields.get("Tokens", 0)),
            cost=float(fields.get("Cost", "$0").removeprefix("$")),
        )
    except (KeyError, ValueError):
        return None


def read_commands(text: str | None) -> str:
    """The digest of the commands that proved a commit, a person's too; "" for none."""
    lines = text.split("\n") if text is not None and text.startswith("Version: 1\n") else []
    found = (line.removeprefix("Commands: ") for line in lines if line.startswith("Commands: "))
    return next(found, "")
