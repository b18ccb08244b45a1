"""All rules together: one value for the order, the units, and what follows what."""

from git_retcon.retcon.planner.constraints import Constraints, read_constraints
from git_retcon.retcon.planner.facts import read_facts
from git_retcon.retcon.planner.vocabulary import Vocabulary
from tests.repository import TestRepository
from tests.retcon.planner.building import branch, pairs


def test_every_rule_is_read(repo: TestRepository) -> None:
    body = "".join(f"    step_{at} = call_{at}()\n" for at in range(9))
    steps = "".join(f"step_{at}();\n" for at in range(9))
    moved = "def validate(x):\n    check(x)\n    return x\n"
    whole = branch(
        repo,
        {
            "app.py": f"import old\n\n\ndef main():\n    old.go()\n\n\n{moved}",
            "lib.py": "x = 1\n",
            "a.js": steps,
            "Cargo.toml": "[dependencies]\n",
            "Cargo.lock": "# lock\n",
        },
        {
            "app.py": "import json\nimport tokens\n\n\ndef main():\n    json.go(fetch_all)\n",
            "lib.py": f"x = 1\n\n\ndef fetch_all():\n{body}\n\n{moved}",
            "tokens.py": '"""Tokens."""\n\n\ndef scan():\n    go()\n',
            "a.js": f"when(() => {{\n{steps}}});\n",
            "Cargo.toml": '[dependencies]\noauth2 = "4"\n',
            "Cargo.lock": "# lock\nname\n",
        },
    )
    facts = read_facts(whole)
    found = read_constraints(facts, whole.texts, Vocabulary(facts, whole.texts))
    path = [one.atom.path.decode() for one in facts]
    order = pairs(whole, found.order)
    assert ("def fetch_all():", "json.go(fetch_all)") in order
    assert any(
        first == "def fetch_all():" and second.startswith("step_") for first, second in order
    )
    assert ('"""Tokens."""', "def scan():") in order
    assert ("def validate(x):", "def validate(x):") in pairs(whole, found.together)
    assert ("when(() => {", "});") in pairs(whole, found.inseparable)
    assert {"app.py", "tokens.py"} == {path[at] for at in found.with_first}
    assert {path[at] for at in found.manifests} == {"Cargo.lock"}
    assert {path[at] for others in found.manifests.values() for at in others} == {"Cargo.toml"}


def test_a_removed_import_follows_the_last_use(repo: TestRepository) -> None:
    whole = branch(
        repo,
        {"a.py": "import old\n\n\ndef main():\n    old.go()\n"},
        {"a.py": "\n\ndef main():\n    go()\n"},
    )
    facts = read_facts(whole)
    found = read_constraints(facts, whole.texts, Vocabulary(facts, whole.texts))
    with_last = ((a, b) for a, others in found.with_last.items() for b in others)
    assert pairs(whole, with_last) == {("import old", "go()")}


def test_a_lock_file_without_its_manifest_is_free(repo: TestRepository) -> None:
    whole = branch(repo, {"x/Cargo.lock": "1\n"}, {"x/Cargo.lock": "2\n", "Cargo.toml": "t\n"})
    facts = read_facts(whole)
    assert read_constraints(facts, whole.texts, Vocabulary(facts, whole.texts)).manifests == {}


def test_nothing_binds_nothing() -> None:
    assert read_constraints([], {}, Vocabulary([], {})) == Constraints([], [], [])
