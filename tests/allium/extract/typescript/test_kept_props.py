"""Which classes keep their fields in one object."""

import pytest

from git_retcon.allium.extract.grammar.syntax_nodes import parse_source
from git_retcon.allium.extract.typescript.kept_props import Kept, find_kept_props, list_types
from git_retcon.allium.extract.typescript.reader import is_available
from tests.allium.extract.declared import declare

pytestmark = pytest.mark.skipif(not is_available(), reason="the extra 'typescript' is missing")

LOAN = """
export enum LoanStatus { Requested = 'requested', Active = 'active', Returned = 'returned' }
export interface LoanProps { book: string; status: LoanStatus; endedAt?: Date }
export class Loan extends AggregateRoot<LoanProps> {
  get status(): LoanStatus { return this.props.status; }
  lend(): void {
    if (this.props.status !== LoanStatus.Requested) { throw new Error('lent already'); }
    this.props.status = LoanStatus.Active;
  }
  giveBack(at: Date): void {
    this.requireActive();
    this.props.status = LoanStatus.Returned;
    this.props.endedAt = at;
  }
  private requireActive(): void {
    if (this.status !== LoanStatus.Active) { throw new Error('not lent'); }
  }
}
"""
MOVES = """    transitions status {
        requested -> active
        active -> returned
        terminal: returned
    }
"""
OWN = LOAN.replace(
    "extends AggregateRoot<LoanProps> {", "{\n  constructor(private props: LoanProps) {}"
)


def find(source: str) -> Kept | None:
    root = parse_source("tree_sitter_typescript", source.encode(), "language_typescript")
    assert root is not None
    classes = (each.child_by_field_name("declaration") or each for each in root.named_children)
    found = [each for each in classes if "class" in each.type]
    return find_kept_props(found[-1], list_types(root))


def test_a_base_class_keeps_them_by_the_type_that_it_is_given() -> None:
    found = declare({"library/loan.ts": LOAN})
    assert (
        "entity Loan {\n    book: String\n    status: LoanStatus\n    endedAt: Timestamp?" in found
    )
    assert MOVES in found
    assert "requires: loan.status = active\n    ensures: loan.status = returned" in found
    assert "ensures: loan.endedAt = at" in found


@pytest.mark.parametrize(
    "kept",
    [
        "constructor(private props: LoanProps) {}",
        "private readonly props: LoanProps;",
        "protected props: Readonly<LoanProps>;",
        "readonly props: LoanProps;",
    ],
)
def test_a_class_may_keep_them_itself(kept: str) -> None:
    assert MOVES in declare(
        {"library/loan.ts": OWN.replace(OWN.split("{\n")[1].split("\n")[0], kept)}
    )


@pytest.mark.parametrize("name", ["_props", "#props", "state", "_state", "data", "attributes"])
def test_the_object_may_have_another_name(name: str) -> None:
    found = declare(
        {
            "library/loan.ts": LOAN.replace("this.props", f"this.{name}").replace(
                "extends AggregateRoot<LoanProps> {",
                f"{{ private {name}: LoanProps;".replace("private #", "#"),
            )
        }
    )
    assert MOVES in found


def test_its_type_may_have_parts() -> None:
    parts = LOAN.replace(
        "export interface LoanProps { book: string;",
        "interface Base { book: string }\ntype LoanProps = Base & Kept;\ninterface Kept {",
    )
    assert "book: String\n    status: LoanStatus" in declare({"library/loan.ts": parts})


def test_of_an_imported_type_a_class_says_itself_what_it_knows() -> None:
    files = {
        "library/loan-props.ts": LOAN[: LOAN.index("export class")],
        "library/loan.ts": "import { LoanProps, LoanStatus } from './loan-props';\n"
        + LOAN[LOAN.index("export class") :],
    }
    found = declare(files)
    assert MOVES in found
    assert "entity Loan {\n    status: LoanStatus" in found


def test_a_type_parameter_has_no_fields() -> None:
    source = """
    class Base<TProps> {
      protected readonly props: TProps;
      constructor(props: TProps) { this.props = props; }
      same(other: Base<TProps>) { return this.props.id === other.props.id; }
    }
    """
    found = find(source)
    assert found is None or not found.fields


@pytest.mark.parametrize(
    "declared",
    [
        "class Loan extends React.Component<LoanProps> {",  # a screen
        "class Loan { private address: LoanProps;",  # an object by itself
        "class Loan { state: LoanProps;",  # others reach into it
        "class Loan { private props: LoanProps; private state: LoanProps;"
        " ask() { return this.state.book; }",
        "class Loan { private props: Map<string, string>;",
    ],
)
def test_what_is_another_thing_is_left_alone(declared: str) -> None:
    name = "address" if "address" in declared else "state" if "{ state" in declared else "props"
    source = LOAN.replace("class Loan extends AggregateRoot<LoanProps> {", declared)
    assert find(source.replace("this.props", f"this.{name}")) is None


def test_what_draws_a_screen_keeps_no_states() -> None:
    found = declare({"library/loan.tsx": LOAN})
    assert "transitions" not in found


@pytest.mark.parametrize(
    "kept",
    [
        "protected readonly props: TProps; constructor(props: TProps) { this.props = props; }",
        "constructor(protected readonly props: Readonly<TProps>) {}",
    ],
)
def test_what_heirs_keep_their_fields_in_is_no_field_of_theirs(kept: str) -> None:
    base = (
        f"export abstract class AggregateRoot<TProps> {{ protected readonly id: string; {kept} }}"
    )
    files = {
        "library/aggregate-root.ts": base,
        "library/loan.ts": "import { AggregateRoot } from './aggregate-root';" + LOAN,
    }
    found = declare(files)
    assert "props:" not in found
    assert MOVES in found


@pytest.mark.parametrize(
    ("statement", "kind"),
    [
        ("this.props.status = LoanStatus.active();", ": LoanStatus"),
        ("this.props.status = new LoanStatus('active');", ": LoanStatus"),
        ("this.props.status = LoanStatus.create('active');", ": LoanStatus"),
        ("this.props.status = status;", ": LoanStatus"),
        ("this.props.status = other;", None),
        ("this.props.status = Loan.copy();", None),
        ("this.props.amount = Amount.zero();", None),
    ],
)
def test_of_an_imported_type_what_a_field_gets_may_say_its_type(
    statement: str, kind: str | None
) -> None:
    source = f"""
    class Loan extends AggregateRoot<LoanProps> {{
      move(status: LoanStatus, other: string) {{ this.props.at = now(); {statement} }}
    }}
    """
    found = find(source)
    assert (found.fields if found is not None else {}).get("status") == kind
