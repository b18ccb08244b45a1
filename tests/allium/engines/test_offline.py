"""The offline engine: a step merges what the source changed into what is there."""

import re

import pytest

from git_retcon.allium.engine import Step, Update
from git_retcon.allium.engines.offline import OfflineEngine
from git_retcon.allium.extract import languages
from git_retcon.allium.extract.languages import spell_installation
from git_retcon.allium.extract.typescript.reader import is_available
from git_retcon.allium.store.spec_store import SpecStore
from git_retcon.git.graph import read_commit
from git_retcon.git.trees import EMPTY_TREE
from tests.allium.history_shapes import BRANCH, entity, evolve, spec
from tests.program import allium_here
from tests.repository import TestRepository


def tell(repo: TestRepository, store: SpecStore, base: str = EMPTY_TREE) -> Update:
    repository = repo.open()
    commit = read_commit(repository, repo.rev("HEAD"))
    changes = repository.trees.changes(base, commit.tree)
    engine = OfflineEngine(repository)
    update = engine.update(Step(commit, 0, store, base, commit.tree, changes, {}))
    return update._replace(account=[*update.account, *engine.summarize()])


def test_each_file_is_described_in_its_module(repo: TestRepository) -> None:
    repo.commit("a", {"src/x/a.py": entity("A", "n"), "src/x/b.py": entity("B", "n"), "c.py": "("})
    update = tell(repo, SpecStore())
    assert list(update.modules) == [b"x.allium"]
    text = update.modules[b"x.allium"] or b""
    assert text.index(b"entity A") < text.index(b"entity B")
    assert update.account == [
        "Not read: c.py",
        "python: 3 files read, 1 could not be read",
    ]


def test_a_file_is_counted_once_for_all_its_versions(repo: TestRepository) -> None:
    for number in range(3):
        repo.commit("a", {"a.py": entity("A", f"n{number}"), "c.py": "(" * (number + 1)})
    assert "python: 2 files read, 1 could not be read\n" in evolve(repo)


def test_a_file_that_a_copy_of_the_repository_lacks_is_not_read(repo: TestRepository) -> None:
    order = "class Order(models.Model):\n    name = models.CharField(max_length=9)\n"
    head = "from django.db import models\n\n"
    repo.commit("a", {"shop/order.py": head + order, "shop/places.py": head + "PLACES = []\n"})
    oid = repo.git("rev-parse", "HEAD:shop/places.py").strip()
    (repo.path / ".git/objects" / oid[:2] / oid[2:]).unlink()
    assert "python: 2 files read, 1 could not be read\n" in evolve(repo)
    assert "entity Order" in spec(repo, "shop")
    repo.commit("b", {"shop/order.py": head + order.replace("Order", "Sale")})
    evolve(repo)
    assert "entity Sale" in spec(repo, "shop")


def test_a_file_whose_name_no_module_may_have_is_named(repo: TestRepository) -> None:
    repo.commit("a", {"src/x\x1b[31m/a.py": entity("A", "n"), "src/y/b.py": entity("B", "n")})
    update = tell(repo, SpecStore())
    assert list(update.modules) == [b"y.allium"]
    assert update.account == [
        r"Left out: src/x\x1b[31m/a.py: no module may have its name",
        "python: 2 files read",
        "1 file left out: bad name for a module",
    ]


@pytest.mark.parametrize("line", ["from .{0} import Money\n", "from .{0} import *\n"])
def test_another_type_that_a_package_exports_is_seen_in_files_that_name_it(
    repo: TestRepository, line: str
) -> None:
    files = {
        "shop/coins.py": entity("Money", "cents"),
        "shop/notes.py": "import enum\nclass Money(enum.Enum):\n    TEN = 10\n    ONE = 1\n",
        "shop/__init__.py": line.format("coins"),
        "src/cart.py": "from shop import Money\nclass Cart:\n    total: Money\n",
    }
    repo.commit("a", files)
    evolve(repo)
    repo.commit("b", {"shop/__init__.py": line.format("notes")})
    evolve(repo)
    stepwise = repo.show(f"{BRANCH}:spec/cart.allium")
    repo.git("config", "allium.branch", "once")
    evolve(repo, "--last=1")
    assert stepwise == repo.show("once:spec/cart.allium")


def test_what_somebody_else_wrote_stays(repo: TestRepository) -> None:
    repo.commit("a", {"src/x/a.py": entity("A", "n")})
    told = tell(repo, SpecStore()).modules[b"x.allium"] or b""
    store = SpecStore().set_module_spec(b"x.allium", told + b"\nrule R {\n    when: Go()\n}\n")
    base = repo.tree("HEAD")
    repo.commit("b", {"src/x/a.py": None})
    text = tell(repo, store, base).modules[b"x.allium"] or b""
    assert b"rule R" in text
    assert b"entity A" not in text


def test_the_second_of_one_name_is_called_after_its_file(repo: TestRepository) -> None:
    repo.commit("a", {"src/x/a.py": entity("A", "n"), "src/x/b.py": entity("A", "m")})
    module = tell(repo, SpecStore()).modules[b"x.allium"] or b""
    assert b"entity A {" in module
    assert b"entity BA {" in module
    base = repo.tree("HEAD")
    # It keeps its name when the first one goes, so that nothing else changes.
    repo.commit("b", {"src/x/a.py": None})
    text = tell(repo, SpecStore().set_module_spec(b"x.allium", module), base).modules[b"x.allium"]
    assert text is not None
    assert text.decode().split("\n\n")[1:] == [
        "-- Source: src/x/b.py, A\nentity BA {\n    m: Integer\n}\n"
    ]


ORDERS = """
from django.db import models
from src.users.models import User

class Order(models.Model):
    user = models.ForeignKey(User, on_delete=models.CASCADE)
"""
USERS = """
from django.db import models

class User(models.Model):
    name = models.CharField(max_length=9)
"""


def apply(store: SpecStore, update: Update) -> SpecStore:
    for path, text in update.modules.items():
        store = store.set_module_spec(path, text) if text else store.remove_module_spec(path)
    return store


def test_a_relation_follows_the_file_that_declares_its_target(repo: TestRepository) -> None:
    repo.commit("orders", {"src/orders/models.py": ORDERS})
    store = apply(SpecStore(), tell(repo, SpecStore()))
    alone = store.module_spec(b"orders.allium") or b""
    assert b"external entity User {}" in alone
    assert b"    user: User\n" in alone
    base = repo.tree("HEAD")
    repo.commit("users", {"src/users/models.py": USERS})
    store = apply(store, tell(repo, store, base))
    joined = store.module_spec(b"orders.allium") or b""
    assert b'use "./users.allium" as users' in joined
    assert b"    user: users/User\n" in joined
    assert b"external" not in joined
    base = repo.tree("HEAD")
    repo.commit("none", {"src/users/models.py": None})
    store = apply(store, tell(repo, store, base))
    assert store.module_spec(b"orders.allium") == alone
    assert store.module_spec(b"users.allium") is None


def test_a_base_class_in_another_file_lends_its_fields(repo: TestRepository) -> None:
    stamped = "from django.db import models\nclass Stamped(models.Model):\n"
    stamped += "    made = models.DateTimeField()\n    class Meta:\n        abstract = True\n"
    order = "from src.base import Stamped\nclass Order(Stamped):\n    pass\n"
    repo.commit("a", {"src/base.py": stamped, "src/orders/models.py": order})
    store = apply(SpecStore(), tell(repo, SpecStore()))
    assert list(store.all_modules()) == [b"orders.allium"]
    assert b"    made: Timestamp\n}" in (store.module_spec(b"orders.allium") or b"")
    base = repo.tree("HEAD")
    repo.commit("b", {"src/base.py": stamped.replace("made", "created")})
    store = apply(store, tell(repo, store, base))
    assert b"    created: Timestamp\n}" in (store.module_spec(b"orders.allium") or b"")


def test_a_declaration_that_somebody_edited_is_merged(repo: TestRepository) -> None:
    repo.commit("a", {"src/x/a.py": entity("A", "n")})
    store = apply(SpecStore(), tell(repo, SpecStore()))
    text = store.module_spec(b"x.allium") or b""
    edited = text.replace(b"    n: Integer\n", b"    n: Integer\n    said: String\n")
    store = store.set_module_spec(b"x.allium", edited)
    base = repo.tree("HEAD")
    repo.commit("b", {"src/x/a.py": entity("A", "n", "m")})
    found = apply(store, tell(repo, store, base)).module_spec(b"x.allium") or b""
    assert b"said: String" in found
    assert b"m: Integer" in found


def test_what_a_person_and_the_source_say_alike_is_no_question(repo: TestRepository) -> None:
    repo.commit("a", {"src/x/a.py": entity("A", "n", "m")})
    store = apply(SpecStore(), tell(repo, SpecStore()))
    text = store.module_spec(b"x.allium") or b""
    edited = text.replace(b"    n: Integer\n", b"    -- Agreed.\n    n: String -- by law\n")
    store = store.set_module_spec(b"x.allium", edited)
    base = repo.tree("HEAD")
    repo.commit("b", {"src/x/a.py": entity("A", "n", "m").replace("n: int", "n: str")})
    assert apply(store, tell(repo, store, base)).module_spec(b"x.allium") == edited


def test_an_empty_specification_says_why(repo: TestRepository) -> None:
    repo.commit("a", {"a.txt": "x\n", "b.css": "y\n"})
    assert tell(repo, SpecStore()).account[-1] == (
        "nothing is specified: no file is in a language that is read offline"
    )
    repo.commit("b", {"c.py": "print(1)\n"})
    assert tell(repo, SpecStore()).account[-1] == (
        "nothing is specified: no file declares entities, values, enums or rules"
    )


def test_languages_without_their_grammar_are_named(
    repo: TestRepository, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(languages, "_has_grammar", lambda folder: folder != "csharp")
    repo.commit("a", {"a.go": "package a\n", "b.cs": "class B { }\n", "c.py": "x = 1\n"})
    command = spell_installation(["csharp"])
    assert f"c#: in outline only; whole after: {command}" in tell(repo, SpecStore()).account


def test_what_a_broken_version_hid_goes_with_the_next_one(repo: TestRepository) -> None:
    repo.commit("a", {"src/x/a.py": entity("A", "n") + entity("B", "n")})
    store = apply(SpecStore(), tell(repo, SpecStore()))
    base = repo.tree("HEAD")
    repo.commit("b", {"src/x/a.py": "class ("})
    store = apply(store, tell(repo, store, base))
    assert b"entity B" in (store.module_spec(b"x.allium") or b"")
    base = repo.tree("HEAD")
    repo.commit("c", {"src/x/a.py": entity("A", "n")})
    store = apply(store, tell(repo, store, base))
    assert b"entity A" in (store.module_spec(b"x.allium") or b"")
    assert b"entity B" not in (store.module_spec(b"x.allium") or b"")


def test_a_file_that_leaves_its_folder_takes_its_declarations_along(repo: TestRepository) -> None:
    repo.commit("a", {"src/x/orders.py": ORDERS, "src/x/b.py": entity("B", "n")})
    told = evolve(repo)
    repo.git("mv", "src/x/orders.py", "src/orders.py")
    repo.commit("move", {"src/y/other.py": entity("C", "n")})
    evolve(repo)
    assert told
    assert "Order" not in repo.git("show", "allium/evolution:spec/x.allium")
    moved = repo.git("show", "allium/evolution:spec/orders.allium")
    assert moved.count("-- Source: src/orders.py, Order") == 2
    assert "external entity User {}" in moved
    assert "    user: User\n" in moved


def test_only_what_went_is_removed_in_any_order(repo: TestRepository) -> None:
    names = ["A", "B", "C", "D", "E"]
    repo.commit("a", {"src/x/a.py": "".join(entity(each, "n") for each in names)})
    store = apply(SpecStore(), tell(repo, SpecStore()))
    text = store.module_spec(b"x.allium") or b""
    # Somebody puts them into another order.
    head, *declared = text.decode().rstrip("\n").split("\n\n")
    turned = "\n\n".join([head, *reversed(declared)]) + "\n"
    store = store.set_module_spec(b"x.allium", turned.encode())
    base = repo.tree("HEAD")
    repo.commit("b", {"src/x/a.py": "".join(entity(each, "n") for each in ("A", "C", "E", "F"))})
    left = (apply(store, tell(repo, store, base)).module_spec(b"x.allium") or b"").decode()
    assert re.findall(r"entity (\w+)", left) == ["E", "C", "A", "F"]


DJANGO = {
    "shop/sales/account.py": """class SignupForm:
    def __init__(self):
        self.is_known = False

    def find(self, email):
        self.is_known = bool(email)

    def save(self, request):
        if self.is_known:
            raise ValueError(request)
        request.send()


class Kind(enum.Enum):
    SMALL = "small"
    LARGE = "large"
""",
    "shop/sales/cart/models.py": """from django.conf import settings
from django.db import models


class Cart(models.Model):
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE)

""",
    "shop/sales/order/models.py": """from django.contrib.auth import get_user_model
from django.conf import settings
from django.db import models

User = get_user_model()


class Order(models.Model):
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE)
    seller = models.ForeignKey(User, null=True, on_delete=models.CASCADE)
    status = models.CharField(choices=[("open", "Open"), ("paid", "Paid")])

    def pay(self):
        if self.status != "open":
            raise ValueError
        self.status = "paid"
        self.save()
""",
}
SQLALCHEMY = {
    "app/models.py": """from sqlalchemy import Column, ForeignKey, Integer
from sqlalchemy.orm import declarative_base, relationship

Base = declarative_base()


class Staff(Base):
    __tablename__ = "staff"
    id = Column(Integer, primary_key=True)
    companies = relationship("Company", backref="Staff")


class Company(Base):
    __tablename__ = "company"
    id = Column(Integer, primary_key=True)
"""
}
TYPESCRIPT = {
    "src/order/order.ts": """import { User } from "auth";

export type Status = "open" | "paid";

export class Order {
  id: string;
  private status: Status = "open";
  buyer: User;

  ship(): void {
    if (this.status !== "paid") throw new Error();
  }

  pay(): void {
    if (this.status !== "open") throw new Error();
    this.status = "paid";
  }
}
"""
}


@pytest.mark.parametrize(
    "files", [DJANGO, SQLALCHEMY, TYPESCRIPT], ids=["django", "sqlalchemy", "typescript"]
)
def test_our_own_check_has_nothing_to_say_of_what_we_write(
    repo: TestRepository, files: dict[str, str]
) -> None:
    """Also where the module is too large and is split, as it is with every file here."""
    repo.commit("a", files)
    repo.git("config", "allium.maxModuleTokens", "60")
    evolve(repo)
    check = allium_here(repo.path, "check", "--rev", BRANCH).ok()
    assert (check.out, check.err.startswith("no errors in ")) == ("", True)
    assert ", " not in check.err, "no warnings either"
    assert allium_here(repo.path, "check", "--drift").ok().err == "no divergence\n"


def test_what_the_specification_never_had_is_added_without_a_question(
    repo: TestRepository,
) -> None:
    repo.git("config", "allium.ignore", "order.py")
    repo.commit("a", {"src/shop/order.py": entity("Order", "n"), "src/shop/b.py": entity("B", "n")})
    evolve(repo)
    repo.git("config", "--unset", "allium.ignore")
    repo.commit("b", {"src/shop/order.py": entity("Order", "n", "m")})
    evolve(repo)
    text = repo.show(f"{BRANCH}:spec/shop.allium").decode()
    assert "entity Order {\n    n: Integer\n    m: Integer\n}" in text
    assert "open question" not in text


def test_a_field_that_the_specification_never_had_is_added_without_a_question(
    repo: TestRepository, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As where an older release did not read it."""
    source = "class Order:\n    n: int\n    due: {}\n"
    repo.commit("a", {"src/shop/order.py": source.format("int")})
    older = OfflineEngine.update

    def read_less(engine: OfflineEngine, step: Step) -> Update:
        found = older(engine, step).modules
        return Update({p: (t or b"").replace(b"    due: Integer\n", b"") for p, t in found.items()})

    with monkeypatch.context() as patched:
        patched.setattr(OfflineEngine, "update", read_less)
        evolve(repo)
    before = repo.show(f"{BRANCH}:spec/shop.allium").decode()
    assert "due" not in before
    repo.commit("b", {"src/shop/order.py": source.format("str")})
    evolve(repo)
    text = repo.show(f"{BRANCH}:spec/shop.allium").decode()
    line = "    n: Integer\n"
    assert text == before.replace(line, f"{line}    due: String\n")


@pytest.mark.skipif(not is_available(), reason="the extra 'typescript' is missing")
def test_types_of_two_files_that_mean_each_other_mean_nothing(repo: TestRepository) -> None:
    files = {
        "src/a.ts": 'import { B } from "./b";\nexport type A = B;\n'
        "export interface Order { id: string; kind: A }\n",
        "src/b.ts": 'import { A } from "./a";\nexport type B = A;\n',
    }
    repo.commit("Go round in a circle", files)
    evolve(repo)
    assert "    kind: Any -- A\n" in repo.show(f"{BRANCH}:spec/a.allium").decode()


JOB = """
from src.states import State

class Job:
    def __init__(self):
        self.state = State.NEW

    def go(self):
        if self.state != State.NEW:
            raise ValueError
        self.state = State.DONE
"""
STATES = "import enum\n\nclass State(enum.Enum):\n    NEW = 1\n    DONE = 2\n"


def test_what_changes_in_prose_follows_the_other_files_of_its_commit(repo: TestRepository) -> None:
    repo.commit("a", {"src/job.py": JOB})
    store = apply(SpecStore(), tell(repo, SpecStore()))
    assert b"    state: new | done\n" in (store.module_spec(b"job.allium") or b"")
    base = repo.tree("HEAD")
    repo.commit("b", {"src/job.py": f"# Jobs.\n{JOB}", "src/states.py": STATES})
    store = apply(store, tell(repo, store, base))
    assert b"    state: states/State\n" in (store.module_spec(b"job.allium") or b"")
    base = repo.tree("HEAD")
    repo.commit("c", {"src/job.py": JOB})
    assert tell(repo, store, base).modules == {}
