"""Sources in which a class has each field by itself."""

import pytest

from git_retcon.allium.extract.typescript.opened_props import open_props
from git_retcon.allium.extract.typescript.reader import is_available
from tests.allium.extract.declared import declare
from tests.allium.extract.typescript.test_kept_props import MOVES, OWN

pytestmark = pytest.mark.skipif(not is_available(), reason="the extra 'typescript' is missing")


def open_in(statement: str, constructor: str = "") -> str:
    source = f"""
    interface LoanProps {{ book: string; status: Status }}
    class Loan {{
      private props: LoanProps;
      {constructor}
      run(changes: Partial<LoanProps>) {{ {statement} }}
    }}
    """
    opened = open_props(source.encode(), "tree_sitter_typescript", "language_typescript")
    return " ".join(opened.decode().split())


@pytest.mark.parametrize(
    ("statement", "opened"),
    [
        ("this.props.status = 'a';", "this._status = 'a';"),
        ("this.props!.status;", "this._status;"),
        ("this.props?.status;", "this._status;"),
        ("this.props.status.kind();", "this._status.kind();"),
        ("this.props = { ...this.props, status: this.props.book };",
         "{ this._status = this._book; }"),
        ("Object.assign(this.props, { status });", "{ this._status = status; }"),
        ("(this.props as any).status = 'a';", "this._status = 'a';"),
        ("const p = this.props; if (p.status === 'a') { p.book = 'b'; }",
         "const p = this.props; if (this._status === 'a') { this._book = 'b'; }"),
        ("const all = JSON.stringify(this.props);", "const all = JSON.stringify(this.props);"),
        ("tell(new Moved(this.props));", "tell(new Moved(this.props));"),
        ("const { status, book: b } = this.props;",
         "const { _status: status, _book: b } = this;"),
        ("return new Loan({ ...this.props, status });", "return new Loan({ ...this, status });"),
        ("return Loan.from({ ...this.props, status });",
         "return Loan.from({ ...this, status });"),
        ("return { ...this.props };", "return { ...this.props };"),
    ],
)  # fmt: skip
def test_what_is_said_of_the_object_is_said_of_its_fields(statement: str, opened: str) -> None:
    assert f"this._book; {opened} }}" in open_in("this.props.book; " + statement)


def test_an_object_that_is_not_written_out_gives_all_of_them() -> None:
    made = "constructor(props: LoanProps) { this.props = Object.freeze({ ...props, book: 'a' }); }"
    opened = open_in("this.props.book;", made)
    assert "{ { this._book = 'a'; this._status = props.status; } }" in opened


@pytest.mark.parametrize(
    "statement",
    [
        "const kept = this.props; change(kept);",  # under another name
        "const kept = this.props; kept['status'] = 'a';",
        "let kept = this.props; kept = changes; kept.status = 'a';",
        "const kept = this.props; this.props = { ...changes }; kept.status = 'a';",
        "let kept; kept = this.props;",
        "const self = this; self.props.status = 'a';",
        "const { props } = this; props.status = 'a';",
        "other.props.status = 'a';",
        "this['props'].status = 'a';",
        "this.props['status'] = 'a';",
        "delete this.props[key];",
        "Object.assign(this, { props: changes });",
        "Reflect.set(this.props, 'status', 'a');",
        "[this.props].forEach((each) => { each.status = 'a'; });",
        "return (this.props = changes);",
        "this._status = this.__status;",  # names that something else has
    ],
)
def test_a_class_that_cannot_be_written_so_stays_as_it_is(statement: str) -> None:
    opened = open_in(f"this.props.book; {statement}")
    assert "private props: LoanProps;" in opened
    assert statement in opened


def test_an_object_may_be_made_again_with_another_state() -> None:
    source = OWN.replace("(private props", "(private state").replace("this.props.", "this.state.")
    for name in ("Active", "Returned"):
        source = source.replace(
            f"this.state.status = LoanStatus.{name};",
            f"this.state = {{ ...this.state, status: LoanStatus.{name} }};",
        )
    assert "...this.state" in source
    assert MOVES in declare({"library/loan.ts": source})


@pytest.mark.parametrize("statement", ["merge(this.props, changes);", "return save(this.props);"])
def test_what_the_object_is_handed_to_may_set_any_field(statement: str) -> None:
    opened = open_in(f"this.props.book; {statement}")
    any_given = "{ this._book = unknownProps.book; this._status = unknownProps.status;"
    assert f"{any_given} this._book; {statement} }}" in opened


def test_what_may_set_any_field_sets_no_certain_state() -> None:
    source = OWN.replace(
        "  private requireActive",
        "  update(changes: any): void { Object.assign(this.props, changes); }\n"
        "  private requireActive",
    )
    assert "LoanUpdate" not in declare({"library/loan.ts": source})


def test_an_object_may_begin_with_values() -> None:
    source = b"""
    interface StoreState { status: 'idle' | 'busy'; count: number }
    class Store {
      private state: StoreState = { status: 'idle', count: 0 };
      start() { this.state.status = 'busy'; }
    }
    """
    opened = open_props(source, "tree_sitter_typescript", "language_typescript").decode()
    assert "{ _status: 'idle' | 'busy' = 'idle'; _count: number = 0;" in opened


def test_what_has_decorators_stays_as_it_is() -> None:
    source = b"""
    interface LoanProps { book: string }
    class Loan { @Prop() private props: LoanProps; ask() { return this.props.book; } }
    """
    assert open_props(source, "tree_sitter_typescript", "language_typescript") == source


def test_an_object_with_many_fields_may_be_written_out_again_and_again() -> None:
    names = [f"name{number}" for number in range(150)]
    written = ", ".join(f"{each}: this.props.{each}.trim()" for each in names)
    opened = open_in(f"this.props = {{ {written}, status: this.props.book }};" * 20)
    assert opened.count("this._status = this._book;") == 20
