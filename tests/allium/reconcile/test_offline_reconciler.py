"""The specification beside what is read from the source, in whole runs without a model."""

import pytest

from tests.allium.history_shapes import BRANCH, entity, evolve, spec
from tests.program import allium_here
from tests.repository import TestRepository

AT_EACH_STEP = ("--reconciliation-interval", "1")


def edit(repo: TestRepository, module: str, old: str, new: str) -> None:
    """A person's commit on the spec branch."""
    repo.git("worktree", "add", "-q", "../spec", BRANCH)
    place = TestRepository(repo.path.parent / "spec")
    path = place.path / f"spec/{module}.allium"
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new))
    place.commit("Correct it by hand")
    repo.git("worktree", "remove", "--force", "../spec")


def amend(repo: TestRepository, module: str, old: str, new: str) -> None:
    """The same in the commit that is there, with its message."""
    before = repo.rev(BRANCH)
    edit(repo, module, old, new)
    repo.git("worktree", "add", "-q", "../spec", BRANCH)
    place = TestRepository(repo.path.parent / "spec")
    place.git("reset", "-q", "--soft", before)
    place.git("commit", "-q", "--amend", "--no-edit")
    repo.git("worktree", "remove", "--force", "../spec")


def lose(repo: TestRepository, module: str, old: str, new: str) -> None:
    """The same as if a step had lost it: the spec commit is written again with its trailers."""
    message = repo.git("log", "-1", "--format=%B", BRANCH)
    edit(repo, module, old, new)
    tree = repo.tree(BRANCH)
    parent = [] if not repo.git("log", "-1", "--format=%P", f"{BRANCH}~") else ["-p", f"{BRANCH}~2"]
    spec_commit = repo.git("commit-tree", tree, *parent, "-m", message)
    repo.git("update-ref", f"refs/heads/{BRANCH}", spec_commit)
    for notes in ("allium", "allium-state"):
        repo.git("update-ref", "-d", f"refs/notes/{notes}")


def body(repo: TestRepository) -> str:
    return repo.git("log", "-1", "--format=%B", BRANCH)


def start(repo: TestRepository, *fields: str) -> None:
    repo.commit("a", {"src/shop/order.py": entity("Order", *fields)})
    evolve(repo, "--reconciliation-strategy", "none")


def grow(repo: TestRepository, *options: str) -> None:
    repo.commit("more", {"src/tax/rate.py": entity("Rate", "percent")})
    evolve(repo, *(options or AT_EACH_STEP))


def test_what_the_specification_lost_comes_back(repo: TestRepository) -> None:
    start(repo, "total", "paid")
    lose(repo, "shop", "    paid: Integer\n", "")
    grow(repo)
    assert "entity Order {\n    total: Integer\n    paid: Integer\n}" in spec(repo, "shop")
    assert "Findings: 1 additions, 0 removals" in body(repo)
    assert f"Reconciliation: source-grounded at {repo.rev('HEAD')[:8]}" in body(repo)
    assert "Reconciliation cost: $0.0000" in body(repo)


def test_what_no_source_says_goes(repo: TestRepository) -> None:
    start(repo, "total")
    lose(repo, "shop", "    total: Integer\n", "    total: Integer\n    discount: Integer\n")
    grow(repo)
    assert "discount" not in spec(repo, "shop")
    assert "Findings: 0 additions, 1 removals" in body(repo)


def test_a_declaration_goes_with_its_class_and_with_its_file(repo: TestRepository) -> None:
    start(repo, "total")
    ghost = "\n\n-- Source: src/shop/order.py, Ghost\nentity Ghost {\n    n: Integer\n}"
    old = "\n\n-- Source: src/shop/gone.py, Gone\nentity Gone {\n    n: Integer\n}"
    lose(repo, "shop", "    total: Integer\n}", "    total: Integer\n}" + ghost + old)
    grow(repo)
    assert "Ghost" not in spec(repo, "shop")
    assert "Gone" not in spec(repo, "shop")
    assert "entity Order" in spec(repo, "shop")
    assert "Findings: 0 additions, 2 removals" in body(repo)


def test_what_a_file_still_speaks_of_is_not_removed(repo: TestRepository) -> None:
    """A model may have read a rule where the offline engine sees no declaration."""
    head = "from dataclasses import dataclass\n\n\n@dataclass\n"
    source = head + entity("Order", "total") + "\n    def pay(self): ...\n"
    repo.commit("a", {"src/shop/order.py": source})
    evolve(repo, "--reconciliation-strategy", "none")
    rule = (
        "\n\n-- Source: src/shop/order.py, Order.pay\n"
        "rule Pay {\n    when: Payment(order)\n    ensures: Paid(order)\n}"
    )
    lose(repo, "shop", "    total: Integer\n}", "    total: Integer\n}" + rule)
    grow(repo)
    assert "rule Pay" in spec(repo, "shop")


def test_a_file_that_cannot_be_parsed_was_not_removed(repo: TestRepository) -> None:
    start(repo, "total")
    repo.commit("broken", {"src/shop/order.py": "class Order(:\n"})
    evolve(repo, *AT_EACH_STEP)
    assert "entity Order" in spec(repo, "shop")
    assert "Findings: 0 additions, 0 removals" in body(repo)
    assert "Skipped: src/shop/order.py: it cannot be parsed" in body(repo)


def test_what_a_person_wrote_stays_beside_a_question(repo: TestRepository) -> None:
    start(repo, "total")
    edit(repo, "shop", "total: Integer", "total: Decimal")
    grow(repo)
    assert "    total: Decimal\n" in spec(repo, "shop")
    question = (
        'open question "entity Order: field total: src/shop/order.py says it otherwise. '
        'Which one is right?"'
    )
    assert question in spec(repo, "shop")
    repo.commit("again", {"src/shop/order.py": entity("Order", "total", "n")})
    evolve(repo, *AT_EACH_STEP)
    assert spec(repo, "shop").count("open question") == 1
    assert "    total: Decimal\n    n: Integer\n" in spec(repo, "shop")


def test_each_contradiction_is_asked_about_once(repo: TestRepository) -> None:
    """Whoever asks first: a step, or a reconciliation. What a person took out stays out."""
    repo.commit("a", {"src/shop/order.py": PAY, "src/shop/other.py": entity("Other", "n")})
    evolve(repo, "--reconciliation-strategy", "none")
    edit(repo, "shop", "    total: Integer\n", "    total: Decimal\n")
    edit(repo, "shop", 'requires: order.step = "placed"', 'requires: order.step = "open"')
    edit(repo, "shop", "-- Source: src/shop/other.py, Other\nentity Other {\n    n: Integer\n}", "")
    source = PAY.replace("total: int", "total: str").replace('!= "placed"', '!= "new"')
    repo.commit("b", {"src/shop/order.py": source, "src/shop/other.py": entity("Other", "n", "m")})
    evolve(repo)
    asked = [line for line in spec(repo, "shop").splitlines() if "open question" in line]
    assert asked == [
        'open question "value Order: field total: src/shop/order.py says it otherwise.'
        ' Which one is right?"',
        'open question "rule OrderPay: requires: src/shop/order.py says it otherwise.'
        ' Which one is right?"',
        'open question "entity Other was taken out here, and src/shop/other.py declares it. Why?"',
    ]
    before = spec(repo, "shop")
    allium_here(repo.path, "reconcile", "--offline", "--full").ok()
    assert spec(repo, "shop") == before


def test_what_a_person_amended_stays_beside_a_question(
    repo: TestRepository, monkeypatch: pytest.MonkeyPatch
) -> None:
    start(repo, "total")
    repo.commit("b", {"src/shop/order.py": entity("Order", "total", "paid")})
    evolve(repo, "--reconciliation-strategy", "none")
    monkeypatch.setenv("GIT_COMMITTER_DATE", "1600000000 +0000")
    amend(repo, "shop", "paid: Integer", "paid: Decimal\n    due: Timestamp")
    grow(repo)
    assert "    paid: Decimal\n    due: Timestamp\n" in spec(repo, "shop")
    assert 'open question "entity Order: field due: src/shop/order.py' in spec(repo, "shop")


PAY = """from dataclasses import dataclass


@dataclass
class Order:
    total: int
    step: str = "placed"

    def pay(self, limit: int) -> None:
        if self.step != "placed":
            raise ValueError("no")
        self.step = "paid"
"""


@pytest.mark.parametrize(
    "comment",
    ["{clause} -- by law 12", '-- "By law" 12\n    {clause}', '{clause} -- by "law" 12'],
)
def test_a_clause_with_a_comment_is_the_same_clause(repo: TestRepository, comment: str) -> None:
    repo.commit("a", {"src/shop/order.py": PAY})
    evolve(repo, "--reconciliation-strategy", "none")
    clause = 'requires: order.step = "placed"'
    edit(repo, "shop", clause, comment.format(clause=clause) + "\n    requires: limit > 0")
    repo.commit("b", {"src/shop/order.py": PAY + "\n    def show(self) -> None: ...\n"})
    evolve(repo, *AT_EACH_STEP)
    assert spec(repo, "shop").count(clause) == 1
    assert comment.format(clause=clause) in spec(repo, "shop")


@pytest.mark.parametrize("evolves", [True, False])
def test_a_comment_by_hand_moves_with_its_declaration(repo: TestRepository, evolves: bool) -> None:
    repo.commit("a", {"src/shop/order.py": PAY, "src/shop/cart.py": entity("Cart", "size")})
    evolve(repo, "--reconciliation-strategy", "none")
    edit(repo, "shop", "rule OrderPay {", "-- Agreed with finance.\nrule OrderPay {")
    repo.commit("split", {"src/shop/order.py": entity("Other", "n"), "src/shop/moved.py": PAY})
    if evolves:
        evolve(repo, "--reconciliation-strategy", "none")
    allium_here(repo.path, "reconcile", "--offline").ok()
    cited = "-- Source: src/shop/moved.py, Order.pay\n"
    assert f"{cited}-- Agreed with finance.\nrule OrderPay {{" in spec(repo, "shop")
    assert spec(repo, "shop").count("rule OrderPay {") == 1
    assert "changed otherwise" not in spec(repo, "shop")


@pytest.mark.parametrize(
    "source", [entity("Other", "n"), PAY.replace('"paid"', '"done"'), PAY.replace("!=", "==")]
)
def test_a_comment_by_hand_is_never_lost(repo: TestRepository, source: str) -> None:
    """Its class is gone, and its clauses say something else."""
    repo.commit("a", {"src/shop/order.py": PAY})
    evolve(repo, "--reconciliation-strategy", "none")
    above = "-- Agreed with finance.\nrule OrderPay {"
    edit(repo, "shop", "rule OrderPay {", above)
    edit(repo, "shop", '= "placed"', '= "placed" -- law 12')
    edit(repo, "shop", '= "paid"', '= "paid" -- law 13')
    repo.commit("b", {"src/shop/order.py": source})
    allium_here(repo.path, "reconcile", "--offline").ok()
    assert "-- Agreed with finance.\n" in spec(repo, "shop")
    assert "-- law 12\n" in spec(repo, "shop")
    assert "-- law 13\n" in spec(repo, "shop")


def test_what_a_person_took_out_does_not_come_back(repo: TestRepository) -> None:
    start(repo, "total", "secret")
    edit(repo, "shop", "    secret: Integer\n", "")
    grow(repo)
    assert "    secret:" not in spec(repo, "shop")
    assert "open question" in spec(repo, "shop")


def test_of_a_declaration_with_nothing_left_is_asked_once(repo: TestRepository) -> None:
    start(repo, "total", "paid")
    edit(repo, "shop", "    paid: Integer\n", "")
    repo.commit("b", {"src/shop/order.py": entity("Order", "paid")})
    allium_here(repo.path, "reconcile", "--offline", "--full").ok()
    assert "    total: Integer\n" in spec(repo, "shop")
    question = "entity Order: src/shop/order.py declares it otherwise. Which one is right?"
    assert spec(repo, "shop").count(question) == 1
    again = allium_here(repo.path, "reconcile", "--offline", "--full").ok()
    assert again.err.endswith(" already\n")


def test_what_a_person_added_stays_verbatim(repo: TestRepository) -> None:
    start(repo, "total")
    rule = "\n\nrule Close {\n    when: Closing(order)\n    ensures: Closed(order) -- at night\n}"
    edit(repo, "shop", "    total: Integer\n}", "    total: Integer\n}" + rule)
    before = spec(repo, "shop")
    grow(repo)
    assert spec(repo, "shop") == before


def test_nothing_is_found_where_all_is_as_the_source_says(repo: TestRepository) -> None:
    start(repo, "total", "paid")
    for number in range(3):
        repo.commit(f"{number}", {"src/shop/order.py": f"# {number}\n" + entity("Order", "total")})
    before = repo.rev(BRANCH)
    evolve(repo, *AT_EACH_STEP)
    for line in repo.git("log", "--format=%B", f"{before}..{BRANCH}").splitlines():
        assert not line.startswith("Findings") or line == "Findings: 0 additions, 0 removals"


PYTHON_HEIR = {
    "app/core/types.py": entity("Config", "auth"),
    "app/client/types.py": "from app.core import types\n\n\n"
    + entity("Config", "axios").replace("Config", "Config(types.Config)"),
}
TYPESCRIPT_HEIR = {
    "app/core/types.ts": "export interface Config {\n  auth: string;\n}\n",
    "app/client/types.ts": 'import type { Config as CoreConfig } from "../core/types";\n\n'
    "export interface Config extends CoreConfig {\n  axios: string;\n}\n",
}


@pytest.mark.parametrize("files", [PYTHON_HEIR, TYPESCRIPT_HEIR], ids=["python", "typescript"])
def test_an_heir_with_the_name_of_its_base_is_not_taken_for_it(
    repo: TestRepository, files: dict[str, str]
) -> None:
    repo.commit("a", files)
    evolve(repo, "--reconciliation-strategy", "none")
    described = repo.tree(BRANCH)
    assert allium_here(repo.path, "check", "--drift").ok().err == "no divergence\n"
    allium_here(repo.path, "reconcile", "--offline").ok()
    assert repo.tree(BRANCH) == described


@pytest.mark.parametrize("files", [PYTHON_HEIR, TYPESCRIPT_HEIR], ids=["python", "typescript"])
def test_an_heir_goes_with_its_file_though_its_base_stays(
    repo: TestRepository, files: dict[str, str]
) -> None:
    repo.commit("a", files)
    evolve(repo, "--reconciliation-strategy", "none")
    _, heir = files
    repo.commit("b", {heir: None})
    assert f"{heir} does not declare it any more" in allium_here(repo.path, "check", "--drift").out
    allium_here(repo.path, "reconcile", "--offline").ok()
    assert "client" not in repo.git("ls-tree", "-r", "--name-only", BRANCH)


@pytest.mark.parametrize("files", [PYTHON_HEIR, TYPESCRIPT_HEIR], ids=["python", "typescript"])
def test_a_base_that_was_lost_is_not_found_in_its_heir(
    repo: TestRepository, files: dict[str, str]
) -> None:
    repo.commit("a", files)
    evolve(repo, "--reconciliation-strategy", "none")
    core, client = spec(repo, "app/core"), spec(repo, "app/client")
    declaration = core.partition("\n\n")[2].rstrip("\n")
    lose(repo, "app/core", declaration, "entity Other {}")
    drift = allium_here(repo.path, "check", "--drift")
    assert drift.status == 1
    (line,) = drift.out.splitlines()
    assert f" Config: {next(iter(files))} declares it (spec/app/core.allium" in line
    allium_here(repo.path, "reconcile", "--offline", "--full").ok()
    assert declaration in spec(repo, "app/core")
    assert spec(repo, "app/client") == client


def test_two_classes_that_swapped_their_names_are_named(repo: TestRepository) -> None:
    one, other = entity("Order", "total", "paid"), entity("Cart", "size", "price")
    repo.commit("a", {"src/shop/order.py": f"{one}\n\n{other}"})
    evolve(repo)
    swapped = entity("Cart", "total", "paid") + "\n\n" + entity("Order", "size", "price")
    repo.commit("b", {"src/shop/order.py": swapped})
    done = allium_here(repo.path, "check", "--drift")
    assert done.status == 1
    assert "entity Order: src/shop/order.py calls it Cart (spec/shop.allium:5)" in done.out
    assert "entity Cart: src/shop/order.py calls it Order (spec/shop.allium:11)" in done.out


DOOR = """\
class Parent:
    def __init__(self):
        self.is_shut: bool = False

    def shut(self):
        if self.is_shut:
            raise ValueError("shut")
        self.is_shut = True
"""


def test_what_nobody_wrote_is_corrected_without_a_question(repo: TestRepository) -> None:
    """A value becomes an entity by what another file exports, which no step looks at."""
    repo.commit(
        "a",
        {
            "shop/__init__.py": "from shop.plain import Parent\n",
            "shop/plain.py": "class Parent:\n    pass\n",
            "shop/doors.py": DOOR,
            "shop/base.py": "from dataclasses import dataclass\nfrom shop import Parent\n\n"
            "@dataclass\nclass Base(Parent):\n    got_eof: bool = False\n",
        },
    )
    evolve(repo, "--reconciliation-strategy", "none")
    assert "value Base {" in text_of_all(repo)
    repo.commit("b", {"shop/__init__.py": "from shop.doors import Parent\n"})
    evolve(repo, "--reconciliation-strategy", "none")
    done = allium_here(repo.path, "reconcile", "--offline", "--full").ok()
    assert "open question" not in text_of_all(repo), done.err
    assert "entity Base {" in text_of_all(repo)


def text_of_all(repo: TestRepository) -> str:
    names = repo.git("ls-tree", "-r", "--name-only", BRANCH).split()
    return "".join(repo.git("show", f"{BRANCH}:{name}") for name in names)


def test_what_a_person_took_out_does_not_come_back_in_a_copy(repo: TestRepository) -> None:
    start(repo, "total", "secret")
    edit(repo, "shop", "    secret: Integer\n", "")
    copied = {"src/post/order.py": entity("Order", "total", "secret", "sent")}
    repo.commit("b", copied)
    allium_here(repo.path, "reconcile", "--offline").ok()
    assert "    total: Integer\n    sent: Integer\n" in spec(repo, "post")
    assert "entity Order: field secret: src/post/order.py says it, and it" in spec(repo, "post")
    tip = repo.rev(BRANCH)
    allium_here(repo.path, "reconcile", "--offline", "--full").ok()
    assert spec(repo, "post") == repo.show(f"{tip}:spec/post.allium").decode()


VALUE = "export interface Line {\n  size: number;\n}\n"
GUIDED = "    size: Decimal\n    due: Timestamp -- agreed\n    @guidance\n        -- Ask first."


@pytest.mark.parametrize("evolves", [True, False])
def test_what_people_wrote_in_a_value_stays_where_it_becomes_an_entity(
    repo: TestRepository, evolves: bool
) -> None:
    repo.commit("a", {"src/shop/line.ts": VALUE})
    evolve(repo, "--reconciliation-strategy", "none")
    edit(repo, "shop", "    size: Decimal", GUIDED)
    entity_now = "export class Line {\n  id: string;\n  size: number;\n}\n"
    repo.commit("b", {"src/shop/line.ts": entity_now})
    if evolves:
        evolve(repo, "--reconciliation-strategy", "none")
    allium_here(repo.path, "reconcile", "--offline", "--full").ok()
    text = spec(repo, "shop")
    assert "value Line" not in text
    assert "entity Line {\n    id: String\n" + GUIDED in text
    asked = [line for line in text.splitlines() if line.startswith("open question")]
    assert all("value Line" not in line for line in asked)
    allium_here(repo.path, "reconcile", "--offline", "--full").ok()
    assert spec(repo, "shop") == text


def test_a_type_that_people_emptied_is_not_filled_again(repo: TestRepository) -> None:
    start(repo, "total", "paid")
    edit(repo, "shop", "    total: Integer\n    paid: Integer\n", "")
    grow(repo)
    assert "total:" not in spec(repo, "shop").replace("field total:", "")
    assert spec(repo, "shop").count("Which one is right?") == 1


def test_modules_stay_where_the_source_root_is_renamed(repo: TestRepository) -> None:
    start(repo, "total")
    before = spec(repo, "shop")
    repo.git("mv", "src", "app")
    repo.commit("b")
    assert allium_here(repo.path, "check", "--drift").ok().err == "no divergence\n"
    allium_here(repo.path, "reconcile", "--offline").ok()
    assert spec(repo, "shop") == before.replace("src/", "app/")
    assert "-- Source root: app/" in spec(repo, "_master")
