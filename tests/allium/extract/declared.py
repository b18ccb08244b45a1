"""What source files declare, as text of the language, and checked by it."""

from collections.abc import Mapping, Sequence

from git_retcon.allium.extract.joining import Joiner
from git_retcon.allium.extract.languages import read_facts
from git_retcon.allium.extract.service_rules import ServiceRules
from git_retcon.allium.extract.source_facts import Evidence, FileFacts
from git_retcon.allium.extract.spec_layout import Modules, SpecLayout
from git_retcon.allium.extract.spelling import spell_declaration
from git_retcon.allium.language import check, is_error, parse
from git_retcon.allium.store.spec_store import SpecStore

# A class with guards and states.
ORDER = """
from dataclasses import dataclass
from enum import Enum

class Status(Enum):
    NEW = "new"
    PAID = "paid"
    SHIPPED = "shipped"

@dataclass
class Order:
    id: int
    total: int
    status: Status = Status.NEW

    def pay(self, amount: int) -> None:
        if self.status != Status.NEW:
            raise ValueError("too late")
        if amount < self.total:
            raise ValueError("too little")
        self.status = Status.PAID

    @property
    def is_paid(self) -> bool:
        return self.status is Status.PAID

    def ship(self) -> None:
        if not self.is_paid:
            raise ValueError
        self.status = Status.SHIPPED
"""


class Sources:
    """A source tree in memory."""

    def __init__(self, files: Mapping[str, str]) -> None:
        self._files = {path.encode(): text.encode() for path, text in files.items()}

    def read(self, path: bytes) -> FileFacts | None:
        return read_facts(path, self._files[path]) if path in self._files else None

    def list_folder(self, folder: bytes) -> Sequence[bytes]:
        return sorted(path for path in self._files if path.rpartition(b"/")[0] == folder)

    def locate(self, place: Evidence) -> bytes:
        return place.path


def declare(files: Mapping[str, str]) -> str:
    """All that the files declare, without citations; each module is checked by the language."""
    paths = frozenset(path.encode() for path in files)
    layout = SpecLayout(SpecStore(), Modules(), lambda *_: True, paths.__contains__)
    sources = Sources(files)
    joiner = Joiner(sources, layout, ServiceRules(sources, sorted(paths)))
    texts = [
        spell_declaration(
            each, lambda module: module.decode().removesuffix(".allium")
        ).text.decode()
        for path in sorted(files)
        for each in joiner.join(path.encode())
    ]
    document = parse("\n\n".join(["-- allium: 3", *texts, ""]).encode())
    wrong = [each.message for each in check([document]) if is_error(each)]
    # Aliases have no "use" line here.
    assert [each for each in wrong if "alias" not in each] == []
    lines = "\n\n".join(texts).split("\n")
    return "\n".join(line for line in lines if not line.startswith("-- Source: "))


def declare_python(source: str) -> str:
    """The same of one Python file."""
    return declare({"shop/models.py": source})
