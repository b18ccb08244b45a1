"""Import lines follow their uses; lines that import a new file follow that file."""

from git_retcon.retcon.planner.facts import read_facts
from git_retcon.retcon.planner.import_order import ImportBonds, bind_imports, order_new_files
from git_retcon.retcon.planner.vocabulary import Vocabulary
from tests.repository import TestRepository
from tests.retcon.planner.building import Files, branch, pairs, placed, planned


class Read:
    """What is bound between two versions, by first lines."""

    def __init__(self, repo: TestRepository, before: Files, after: Files) -> None:
        whole = branch(repo, before, after)
        facts = read_facts(whole)
        bonds: ImportBonds = bind_imports(facts, Vocabulary(facts, whole.texts))
        self.order = pairs(whole, bonds.order)
        self.inseparable = pairs(whole, bonds.inseparable)
        self.first = pairs(whole, ((a, b) for a, users in bonds.first_uses.items() for b in users))
        self.last = pairs(whole, ((a, b) for a, users in bonds.last_uses.items() for b in users))
        self.files = pairs(whole, order_new_files(facts, whole.texts))


USES = "def one():\n    pass\n\n\ndef two():\n    pass\n"


def test_an_added_import_comes_no_later_than_its_use(repo: TestRepository) -> None:
    used = USES.replace("pass", "json.dumps(1)", 1)
    found = Read(repo, {"a.py": USES}, {"a.py": f"import json\n\n\n{used}"})
    assert found.first == {("import json", "json.dumps(1)")}
    assert found.first <= found.order
    assert found.last == set()


def test_a_removed_import_goes_no_earlier_than_the_last_use(repo: TestRepository) -> None:
    used = USES.replace("pass", "json.dumps(1)", 1)
    found = Read(repo, {"a.py": f"import json\n\n\n{used}"}, {"a.py": USES})
    assert found.last == {("import json", "pass")}
    assert ("pass", "import json") in found.order
    assert found.first == set()


def test_a_word_that_several_imports_share_binds_none(repo: TestRepository) -> None:
    """Such as "import" itself, or the package that all names come from."""
    used = USES.replace("pass", "pkg.call(first)", 1)
    imports = "from pkg import first\n"
    found = Read(repo, {"a.py": USES}, {"a.py": f"{imports}\n\n{used}"})
    assert found.first == {("from pkg import first", "pkg.call(first)")}
    both = Read(repo, {"a.py": f"import os\n\n\n{USES}"}, {"a.py": (
        f"from pkg import second\nimport os\nfrom pkg import first\n\n\n{used}")})  # fmt: skip
    assert both.first == {("from pkg import first", "pkg.call(first)")}


def test_imports_of_generated_files_and_of_text_bind_nothing(repo: TestRepository) -> None:
    used = USES.replace("pass", "json.dumps(1)", 1)
    for name in ("generated/a.py", "a.md"):
        found = Read(repo, {name: USES}, {name: f"import json\n\n\n{used}"})
        assert found.first == {}.keys()


def test_an_import_that_moves_while_its_name_is_used_moves_at_once(repo: TestRepository) -> None:
    found = Read(
        repo,
        {"a.py": f"from old import load\nimport os\n\n\n{USES}"},
        {"a.py": f"import os\nfrom new import load\n\n\n{USES}"},
    )
    assert found.inseparable == {("from new import load", "from old import load")}


def test_an_import_stays_until_something_else_binds_its_name(repo: TestRepository) -> None:
    before = (
        "from report import render\n\n\ndef main(rows):\n    check(rows)\n    print(render(rows))\n"
    )
    after = before.replace("from report import render\n", "").replace(
        "    print", "    render = pick(rows)\n    print"
    )
    whole = branch(repo, {"a.py": before}, {"a.py": after})
    facts = read_facts(whole)
    found = pairs(whole, bind_imports(facts, Vocabulary(facts, whole.texts)).order)
    assert ("render = pick(rows)", "from report import render") in found


def test_imports_added_to_an_old_file_follow_each_its_own_use(repo: TestRepository) -> None:
    before = "import os\n\n\ndef f():\n    os.abort()\n"
    after = "import json\nimport os\nimport queue\nimport random\n" + before.removeprefix(
        "import os\n"
    )
    after += "\n\ndef stand():\n    return queue.Queue()\n\n\n"
    after += "def dice():\n    return random.random(), json\n"
    whole = branch(repo, {"a.py": before}, {"a.py": after})
    found = placed(whole, planned(whole, ["Stand in line", "Throw dice"]))
    assert [found[f"import {name}\n".encode()] for name in ("queue", "random", "json")] == [0, 1, 1]


def test_a_new_file_comes_before_the_lines_that_import_it(repo: TestRepository) -> None:
    after = {
        "a.py": f"import tokens\nimport os\n\n\n{USES}",
        "lib/tokens.py": "def scan():\n    go()\n",
    }
    found = Read(repo, {"a.py": f"import os\n\n\n{USES}"}, after)
    assert found.files == {("def scan():", "import tokens")}


def test_a_file_of_a_short_name_or_of_data_is_imported_by_none(repo: TestRepository) -> None:
    after = {
        "a.py": f"import io\nimport data\nimport os\n{USES}",
        "io.py": "x = 1\n",
        "data.json": "{}\n",
    }
    assert Read(repo, {"a.py": f"import os\n{USES}"}, after).files == set()


def test_an_old_file_binds_no_import_of_its_name(repo: TestRepository) -> None:
    before = {"a.py": USES, "tokens.py": "x = 1\n"}
    after = {"a.py": f"import tokens\n\n\n{USES}", "tokens.py": "x = 2\n"}
    assert Read(repo, before, after).files == set()
