"""A partial tree that really fails is answered with what it lacks, and with no more."""

import os
import subprocess
import sys
from pathlib import Path

from tests.retcon.repair.trials import Make

UNITTEST = f"{sys.executable} -B -m unittest -q"
COMPILE = f"{sys.executable} -m compileall -q ."
GCC = "gcc -Wall -Werror=implicit-function-declaration -o main *.c && ./main"


def test_a_missing_helper_is_added_with_what_it_uses_and_nothing_else(bench: Make) -> None:
    built = bench(
        {
            "src/__init__.py": "",
            "src/token.py": "import re\n\n\ndef old() -> int:\n    return 1\n",
            "src/app.py": "from src import token\n",
            "test_app.py": "import src.app\n",
        },
        {
            "src/token.py": (
                "import re\n\n\nLIMIT = 3\n\n\ndef old() -> int:\n    return 1\n\n\n"
                "def parse_token(text):\n    return re.split(' ', text)[:LIMIT]\n\n\n"
                "def unrelated():\n    return 2\n"
            ),
            "src/app.py": "from src import token\n\nWORDS = token.parse_token('a b')\n",
        },
        UNITTEST,
    )
    answer = built.repair(built.holding("WORDS"))
    assert answer.atoms == built.holding("LIMIT", "def parse_token")
    assert answer.progress.what == "add parse_token and LIMIT from src/token.py"
    assert answer.after is None
    assert len(answer.trial.made) == 1


def test_a_missing_import_line_is_found_though_what_it_names_exists(bench: Make) -> None:
    built = bench(
        {"config.py": "class TokenConfig:\n    pass\n", "flow.py": "import os\n"},
        {
            "flow.py": (
                "import os\nfrom config import TokenConfig\n\n\n"
                "def flow():\n    return TokenConfig()\n\n\nFLOW = flow()\n"
            ),
            "test_flow.py": "import flow\n",
        },
        UNITTEST,
    )
    answer = built.repair(built.holding("def flow", "FLOW", "import flow"))
    assert answer.atoms == built.holding("from config")
    assert answer.progress.what == "add TokenConfig import from flow.py"
    assert answer.after is None


def test_a_missing_module_comes_whole(bench: Make) -> None:
    built = bench(
        {"pkg/__init__.py": ""},
        {
            "pkg/store.py": "import json\n\n\ndef load():\n    return json.loads('1')\n",
            "pkg/use.py": "import pkg.store\n\n\ndef use():\n    return pkg.store\n",
            "pkg/other.py": "def other():\n    return 1\n",
            "test_use.py": "import pkg.use\n",
        },
        UNITTEST,
    )
    answer = built.repair(built.holding("pkg.store", "def use", "pkg.use"))
    assert answer.atoms == {
        atom.id for atom in built.difference.atoms if atom.path == b"pkg/store.py"
    }
    assert answer.progress.what == "add pkg/store.py"
    assert answer.after is None


def test_a_missing_header_comes_with_what_is_in_it(bench: Make) -> None:
    built = bench(
        {"main.c": "int main(void) {\n    return 0;\n}\n"},
        {
            "main.c": '#include "token.h"\nint main(void) {\n    return token_of(0);\n}\n',
            "token.h": "#ifndef TOKEN_H\n#define TOKEN_H\nint token_of(int n);\n#endif\n",
            "token.c": '#include "token.h"\n\nint token_of(int n) {\n    return n;\n}\n',
            "noise.c": "int noise(void) {\n    return 1;\n}\n",
        },
        GCC,
    )
    main = frozenset(atom.id for atom in built.difference.atoms if atom.path == b"main.c")
    answer = built.repair(main)
    assert b"token.h: No such file" in answer.failure.output
    taken = {built.difference[atom].path for atom in answer.atoms}
    assert b"token.h" in taken
    assert b"noise.c" not in taken
    second = answer
    if answer.after is not None:
        second = built.repair(main | answer.atoms)
    assert second.after is None


def test_the_linker_is_answered_with_the_definition(bench: Make) -> None:
    built = bench(
        {
            "main.c": "int main(void) {\n    return 0;\n}\n",
            "util.c": "int one(void) {\n    return 1;\n}\n",
        },
        {
            "main.c": "int two(void);\nint main(void) {\n    return two() - 2;\n}\n",
            "util.c": (
                "int one(void) {\n    return 1;\n}\n\nint two(void) {\n    return one() + 1;\n}\n\n"
                "int three(void) {\n    return 3;\n}\n"
            ),
        },
        GCC,
    )
    main = frozenset(atom.id for atom in built.difference.atoms if atom.path == b"main.c")
    answer = built.repair(main)
    assert answer.atoms == built.holding("int two(void) {\n")
    assert answer.progress.what == "add two from util.c"
    assert answer.after is None


def test_a_definition_removed_too_early_takes_the_end_of_its_use_along(bench: Make) -> None:
    built = bench(
        {
            "old.py": "def legacy():\n    return 1\n\n\ndef kept():\n    return 2\n",
            "app.py": "import old\n\nVALUE = old.legacy()\n\n\ndef run():\n    return 3\n",
            "test_app.py": "import app\n",
        },
        {
            "old.py": "def kept():\n    return 2\n",
            "app.py": "import old\n\nVALUE = old.kept()\n\n\ndef run():\n    return 4\n",
        },
        UNITTEST,
    )
    answer = built.repair(built.holding("def legacy"))
    assert answer.atoms == built.holding("VALUE")
    assert "app.py" in answer.progress.what
    assert answer.after is None


def test_definitions_that_need_each_other_come_together(bench: Make) -> None:
    built = bench(
        {"session.py": "import sys\n", "use.py": "import session\n", "test_use.py": "import use\n"},
        {
            "session.py": (
                "import sys\n\n\nclass TokenStore:\n"
                "    def manager(self):\n        return SessionManager(self)\n\n\n"
                "class SessionManager:\n    def __init__(self, store=None):\n"
                "        self.store = store or TokenStore()\n\n\nclass Other:\n    pass\n"
            ),
            "use.py": "import session\n\nMANAGER = session.TokenStore().manager()\n",
        },
        UNITTEST,
    )
    answer = built.repair(built.holding("MANAGER"))
    assert answer.atoms == built.holding("class TokenStore", "class SessionManager")
    assert answer.progress.what == "add TokenStore and SessionManager from session.py"
    assert answer.after is None


def test_a_missing_parameter_is_found_in_the_function_that_lacks_it(bench: Make) -> None:
    built = bench(
        {
            "api.py": "def call(url):\n    return url\n\n\ndef other(url):\n    return url\n",
            "test_api.py": "import unittest\nimport api\n",
        },
        {
            "api.py": (
                "def call(url, retries=0):\n    return url * retries\n\n\n"
                "def other(url, retries=0):\n    return url\n"
            ),
            "test_api.py": (
                "import unittest\nimport api\n\n\nclass T(unittest.TestCase):\n"
                "    def test_call(self):\n"
                "        self.assertEqual(api.call('a', retries=2), 'aa')\n"
            ),
        },
        UNITTEST,
    )
    answer = built.repair(built.holding("class T"))
    assert built.holding("def call") <= answer.atoms
    assert not built.holding("def other") & answer.atoms
    assert answer.after is None


def test_a_test_that_fails_for_no_stated_reason_is_answered_by_search(bench: Make) -> None:
    built = bench(
        {
            "rates.py": "RATE = 2\n\n\ndef price(n):\n    return n * RATE\n",
            "a.py": "A = 1\n",
            "b.py": "B = 1\n",
            "test_rates.py": "import unittest\n",
        },
        {
            "rates.py": (
                "RATE = 3\n\n\ndef price(n):\n    return n * RATE\n\n\ndef more():\n    return 1\n"
            ),
            "a.py": "A = 2\n",
            "b.py": "B = 2\n",
            "test_rates.py": (
                "import unittest\nimport rates\n\n\nclass T(unittest.TestCase):\n"
                "    def test_price(self):\n        self.assertEqual(rates.price(2), 6)\n"
            ),
        },
        COMPILE,
        UNITTEST,
    )
    answer = built.repair(built.holding("class T", "import rates"))
    assert b"AssertionError" in answer.failure.output
    assert answer.atoms == built.holding("RATE = 3")
    assert answer.after is None


def test_search_finds_two_files_among_many_that_only_help_together(bench: Make) -> None:
    before = {f"part{n}.py": f"V = {n}\n" for n in range(8)}
    after = {f"part{n}.py": f"V = {n + 100}\n" for n in range(8)}
    check = "import part2, part5\nassert (part2.V, part5.V) in ((2, 5), (102, 105)) and not GO\n"
    built = bench(
        {**before, "check.py": check.replace("not GO", "True")},
        {**after, "check.py": "import part2, part5\nassert (part2.V, part5.V) == (102, 105)\n"},
        f"{sys.executable} -B check.py",
        trials=40,
    )
    taken = frozenset(atom.id for atom in built.difference.atoms if atom.path == b"check.py")
    answer = built.repair(taken)
    assert answer.atoms == built.holding("V = 102", "V = 105")
    assert answer.after is None


def test_search_takes_the_body_of_a_new_file_with_its_head(bench: Make) -> None:
    tool = (
        "#!/usr/bin/env python3\n\nimport json\nimport sys\n\n"
        "def one():\n    return json\n\n\ndef two():\n    return sys\n"
    )
    built = bench(
        {"a.txt": "a\n"},
        {"a.txt": "b\n", "tool.py": tool, "other.py": "X = 1\n"},
        "! grep -q b a.txt || grep -q 'def two' tool.py 2>/dev/null",  # and says nothing
    )
    answer = built.repair(built.holding("b\n") - built.holding("other", "tool"))
    assert answer.atoms == built.holding("#!/usr", "import sys", "def two")
    assert answer.after is None


def test_a_source_that_fails_by_itself_is_said_to(bench: Make) -> None:
    built = bench(
        {"a.py": "A = 1\n", "test_a.py": "import a\n"},
        {"a.py": "A = 2\nB = nowhere_defined\n", "b.py": "B = 1\n"},
        UNITTEST,
    )
    blocked = built.repair(built.holding("nowhere_defined"))
    assert "source's own tree fails this build" in blocked.summary
    assert "undefined nowhere_defined" in blocked.summary
    everything = frozenset(atom.id for atom in built.difference.atoms)
    nothing_left = built.repair(everything)
    assert "source's own tree fails this build" in nothing_left.summary
    assert nothing_left.trial.made == []


def test_without_trials_what_is_entangled_is_named_with_its_commits(bench: Make) -> None:
    built = bench(
        {"session.py": "import sys\n", "check.py": "import session\n"},
        {
            "session.py": (
                "import sys\n\n\nclass TokenStore:\n"
                "    def manager(self):\n        return SessionManager(self)\n\n\n"
                "class SessionManager:\n    def store(self):\n        return TokenStore()\n"
            ),
            "check.py": "import session\nassert 'TokenStore' in vars(session), 1\n",
        },
        f"{sys.executable} -B check.py",
        trials=0,
    )
    stores, managers = built.holding("class TokenStore"), built.holding("class SessionManager")
    planned = dict.fromkeys(stores, 3) | dict.fromkeys(managers, 2)
    answer = built.repair(built.holding("assert"), planned=planned)
    assert "TokenStore (commit 4)" in answer.summary
    assert "SessionManager (commit 3)" in answer.summary
    assert "merge commits 3 and 4" in answer.summary


_ASK = """
import sys
from pathlib import Path
from tests.repository import new_repository
from tests.retcon.repair.trials import Bench

folder = Path(sys.argv[1])
functions = "".join(f"def f{n}():\\n    return g{n}() + g{n + 1}()\\n\\n\\n" for n in range(6))
helpers = "".join(f"def g{n}():\\n    return {n}\\n\\n\\n" for n in range(9))
built = Bench(
    new_repository(folder / "repo"),
    folder / "trial",
    {"m.py": "import sys\\n", "test_m.py": "import m\\n"},
    {"m.py": "import sys\\n\\n\\n" + functions + helpers + "X = f0() + f5()\\n"},
    f"{sys.executable} -B -m unittest -q",
)
answer = built.repair(built.holding("X ="))
print(answer.progress.what, list(answer.progress.choice.reasons))
print(list(map(sorted, answer.trial.made)))
"""


def test_answers_do_not_depend_on_the_hash_seed(tmp_path: Path) -> None:
    said = [
        subprocess.run(
            [sys.executable, "-c", _ASK, str(tmp_path / seed)],
            env={**os.environ, "PYTHONHASHSEED": seed},
            cwd=Path(__file__).parents[3],
            capture_output=True,
            check=True,
        ).stdout
        for seed in ("1", "2")
    ]
    assert said[0] == said[1]
    assert said[0].startswith(b"add f0, g0 and g1 from m.py")


def test_a_loop_that_takes_what_it_gets_ends_with_a_tree_that_builds(bench: Make) -> None:
    chain = "".join(f"def f{n}():\n    return f{n + 1}()\n\n\n" for n in range(5))
    built = bench(
        {"m.py": "import sys\n", "use.py": "import m\n", "test_use.py": "import use\n"},
        {
            "m.py": "import sys\n\n\n"
            + chain
            + "def f5():\n    return getattr(sys, 'api_version')\n",
            "use.py": "import m\n\nV = m.f0()\n",
        },
        UNITTEST,
    )
    taken = built.holding("V =")
    for attempt in range(1, 10):
        answer = built.repair(taken, attempt=attempt)
        assert answer.atoms and not answer.atoms & taken
        taken |= answer.atoms
        if built.trial(taken).outcome(taken) is None:
            break
    assert built.trial(taken).outcome(taken) is None
