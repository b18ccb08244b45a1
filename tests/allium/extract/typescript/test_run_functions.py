"""Functions of TypeScript that a statement makes and runs at once."""

import pytest

from git_retcon.allium.extract.typescript.reader import is_available
from tests.allium.extract.declared import declare

pytestmark = pytest.mark.skipif(not is_available(), reason="the extra 'typescript' is missing")

LINK = """
export class Link {
  private state: 'idle' | 'opening' | 'open' | 'lost' = 'idle';
  connect() {
    if (this.state !== 'idle') { throw new Error(); }
    this.state = 'opening';
    BODY
  }
  fail() { this.state = 'lost'; }
}
"""
OPEN = "await this.line.open(); this.state = 'open';"


def declare_link(body: str) -> str:
    return declare({"net/link.ts": LINK.replace("BODY", body)})


@pytest.mark.parametrize(
    "body",
    [
        f"(async () => {{ {OPEN} }})();",
        f"void (async () => {{ {OPEN} }})();",
        f"this.made = (async () => {{ {OPEN} }})();",
        f"this.made = Promise.race([this.late, (async () => {{ {OPEN} }})()]);",
        f"await Promise.all([this.late(), (async () => {{ {OPEN} }})()]);",
        f"await (async () => {{ {OPEN} }})();",
        f"return (async () => {{ {OPEN} }})();",
        "(() => { this.state = 'open'; })();",
    ],
)
def test_what_it_does_belongs_to_the_operation(body: str) -> None:
    found = declare_link(body)
    assert "opening -> open\n" in found
    assert "idle -> open\n" not in found


def test_what_it_does_before_it_waits_is_done_at_once() -> None:
    body = "(async () => { this.state = 'open'; await this.line.open(); })(); this.state = 'lost';"
    found = declare_link(body)
    assert "idle -> lost" in found
    assert "lost -> open" not in found
    later = declare_link(f"(async () => {{ {OPEN} }})(); this.state = 'lost';")
    assert "lost -> open" in later


def test_what_leaves_it_leaves_nothing_else() -> None:
    body = f"(async () => {{ if (await this.isBusy()) {{ return; }} {OPEN} }})();"
    assert "opening -> open\n" in declare_link(body)


def test_a_function_with_another_object_says_nothing_of_this_one() -> None:
    assert "-> open\n" not in declare_link(f"(async function () {{ {OPEN} }})();")


@pytest.mark.parametrize(
    "body",
    [
        "if (this.state === 'lost') { throw new Error(); }",
        "if (this.late) { return; } this.state = 'open';",
    ],
)
def test_what_it_refuses_nothing_else_does(body: str) -> None:
    link = LINK.replace("BODY", "").replace("this.state = 'lost';", "BODY this.state = 'lost';")
    run = f"(async () => {{ {body} await this.line.open(); }})();"
    found = declare({"net/link.ts": link.replace("BODY", run)})
    assert "requires: link.state != lost" not in found
    # Behind what it may leave undone, the operation is where it was.
    guard = f"if (this.state !== 'opening') {{ throw new Error(); }} {run}"
    assert "idle -> lost" not in declare({"net/link.ts": link.replace("BODY", guard)})
