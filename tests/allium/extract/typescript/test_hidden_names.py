"""Sources in which no variable of a method has the name of something of the file."""

import pytest

from git_retcon.allium.extract.typescript.hidden_names import name_hidden
from git_retcon.allium.extract.typescript.reader import is_available
from tests.allium.extract.declared import declare

pytestmark = pytest.mark.skipif(not is_available(), reason="the extra 'typescript' is missing")


@pytest.mark.parametrize(
    ("method", "named"),
    [
        ("run(check: any) { check(); }", "run(own_check: any) { own_check(); }"),
        ("run({ check }) { f({ check }); }",
         "run({ check: own_check }) { f({ check: own_check }); }"),
        ("run() { const check = this.f; check(); }",
         "run() { const own_check = this.f; own_check(); }"),
        ("run() { all((check) => check()); }", "run() { all((own_check) => own_check()); }"),
        ("run() { for (const NEXT of all) f(NEXT); }",
         "run() { for (const own_NEXT of all) f(own_NEXT); }"),
        ("run(a: A) { for (const a of this.all) { a.x(); } a.y(); }",
         "run(a: A) { for (const own_a of this.all) { own_a.x(); } a.y(); }"),
        ("run(a: A) { all((a) => a.x()); a.y(); }",
         "run(a: A) { all((own_a) => own_a.x()); a.y(); }"),
        ("run(a: A) { for (a of all) { a.x(); } }", "run(a: A) { for (a of all) { a.x(); } }"),
        ("run = (a: A) => { each(a => a.x()); };",
         "run = (a: A) => { each(own_a => own_a.x()); };"),
        ("run(one = check) { check(one.check); }", "run(one = check) { check(one.check); }"),
        ("check() { this.check(); }", "check() { this.check(); }"),
    ],
)  # fmt: skip
def test_they_are_called_something_else(method: str, named: str) -> None:
    source = "import { NEXT } from './a';\nfunction check() {}\nclass Job { METHOD }"
    found = name_hidden(
        source.replace("METHOD", method).encode(), "tree_sitter_typescript", "language_typescript"
    )
    assert found.decode() == source.replace("METHOD", named)


@pytest.mark.parametrize(
    ("parameter", "local"), [("requireOpen: any", ""), ("", "const requireOpen = this.f;")]
)
def test_what_hides_a_function_refuses_nothing(parameter: str, local: str) -> None:
    source = """
    enum State { Open = 'open', Done = 'done' }
    function requireOpen(state: State) { if (state !== State.Open) { throw new Error(); } }
    export class Job {
      private state: State = State.Open;
      end(PARAMETER) { LOCAL requireOpen(this.state); this.state = State.Done; }
    }
    """
    assert "requires" in declare({"a.ts": source.replace("PARAMETER", "").replace("LOCAL", "")})
    hidden = source.replace("PARAMETER", parameter).replace("LOCAL", local)
    assert "requires" not in declare({"a.ts": hidden})
