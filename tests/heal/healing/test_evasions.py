"""Lines that could make a check pass without anything being right, and those that could not."""

import pytest

from git_retcon.files.beneath import File
from git_retcon.heal.healing.evasions import list_evasions
from git_retcon.heal.patches import FileChange

OLD = "def total(values):\n    assert values\n    return max(values)\n"


def evasions(new: str | None, old: str = OLD) -> list[str]:
    after = None if new is None else File(new.encode())
    return list_evasions(FileChange(b"src/app.py", File(old.encode()), after))


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("sys.exit(0)", "ends the program"), ("os._exit(0)", "ends the program"),
        ("raise SystemExit", "ends the program"), ("exit()", "ends the program"),
        ("atexit.register(f)", "ends the program"), ("process.exit(0)", "ends the program"),
        ("if 'PYTEST_CURRENT_TEST' in x: pass", "who runs it"),
        ("if 'pytest' in sys.modules: pass", "who runs it"),
        ("x = os.environ['CI']", "who runs it"), ("x = inspect.stack()", "who runs it"),
        ("x = os.getenv('A')", "environment"), ("x = sys.argv", "environment"),
        ("x = time.time()", "time"), ("x = datetime.now()", "time"),
        ("builtins.sum = max", "what judges"), ("sys.excepthook = f", "what judges"),
        ("import pytest", "what judges"), ("warnings.simplefilter('ignore')", "what judges"),
        ("sys.stdout = x", "what judges"), ("path = 'conftest.py'", "what judges"),
        ("subprocess.run(x)", "programs or threads"), ("os.fork()", "programs or threads"),
        ("threading.Thread(target=f)", "programs or threads"),
        ("open('a', 'w')", "writes files"), ("open('a', mode='ab')", "writes files"),
        ("Path(x).write_text(y)", "writes files"), ("os.replace(a, b)", "writes files"),
        ("exec(x)", "text as code"), ("getattr(os, '_ex' + 'it')(0)", "text as code"),
        ("base64.b64decode(x)", "text as code"),
        ("def __eq__(self, other): return True", "equals everything"),
    ],
)  # fmt: skip
def test_a_line_that_could_hide_an_error_is_told_with_the_reason(line: str, why: str) -> None:
    (found,) = evasions(OLD + line + "\n")
    assert found.startswith(line.strip()) and why in found


@pytest.mark.parametrize(
    "new",
    [
        OLD.replace("max", "sum"),
        OLD + "x = regex.compile(text)\n",
        OLD + "opened = open(path, 'rb').read()\n",
        OLD + "value = getattr(self, 'name', None)\n",
        OLD + "signal.removeEventListener('abort', f)\n",
        OLD + "try:\n    f()\nexcept ValueError:\n    g()\n",
        OLD + "try:\n    f()\nexcept Exception:\n    raise\n",
        OLD + "evaluate(x); self.exit(); executor(x)\n",
    ],
)
def test_honest_lines_are_not(new: str) -> None:
    assert evasions(new) == []


def test_what_a_file_does_already_it_may_go_on_to_do() -> None:
    old = "import os\nHOME = os.environ['HOME']\n"
    assert evasions(old + "USER = os.environ['USER']\n", old) == []
    # Not so what only ever hides something.
    old = "import sys\nsys.exit(main())\n"
    assert evasions(old + "sys.exit(0)\n", old) == ["sys.exit(0)  (it ends the program)"]


def test_checks_that_are_lost_are_told() -> None:
    assert evasions(OLD.replace("    assert values\n", "")) == ["1 fewer assert"]
    assert evasions(OLD.replace("assert values", "assert True")) == ["an assert that cannot fail"]
    test = "def test_a():\n    f()\n\n\ndef test_b():\n    f()\n"
    assert evasions(test.partition("\n\n\n")[0] + "\n", test) == ["1 fewer tests"]
    swallowed = OLD + "try:\n    f()\nexcept (ValueError, AssertionError):\n    g()\n"
    assert evasions(swallowed) == ["an error that is caught and not used"]
    assert evasions(None) == ["the file is deleted"]
    assert evasions("\n") == ["the file is emptied"]


def test_another_layout_of_the_same_code_is_no_evasion() -> None:
    old = "import sys\n\n\ndef leave():\n    sys.exit( 1 if True else\n      2 )\n"
    assert evasions(old.replace("( 1 if True else\n      2 )", "(1 if True else 2)"), old) == []
    assert evasions(old.replace("1 if", "0 if"), old) != []
