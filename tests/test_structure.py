"""What the folders promise: a name says which part a module plays, and its tests are beside it."""

from collections import defaultdict
from pathlib import Path

ROOT = Path(__file__).parents[1]
PACKAGE = ROOT / "git_retcon"
# One file for each language, and one for each family of tools: their names are those of languages.
BY_LANGUAGE = {PACKAGE / "code" / "languages", PACKAGE / "code" / "diagnostics"}
MODULES = sorted(path for path in PACKAGE.rglob("*.py") if path.name != "__init__.py")

# The same part in different features or rooms. Any other name is one module's alone.
PARTS = {
    "command",
    "engine",
    "engines",
    "events",
    "grammar",
    "lock",
    "loop",
    "options",
    "plan",
    "prompts",
    "reader",
    "report",
    "run",
    "session",
    "status",
    "terminal",
    "undo",
}
# Short, with one user, and still an idea of their own.
SHORT = {
    "code/bindings.py",  # what a line binds: a rule of languages, read by the planner
    "code/diagnostics/text.py",  # what every family of tools does to a text first
    "code/proposals.py",  # which build and test a project has
    "commands/allium.py",  # says that the command is not built yet
    "retcon/engines/claude/opening.py",  # keeps the model room out of an offline run
    "run/output.py",  # head and tail of an output, in bounded memory
}
VAGUE = {"base", "common", "helpers", "manager", "misc", "shared", "tools_", "util", "utils"}


def test_two_modules_share_a_name_only_where_they_play_the_same_part() -> None:
    places = defaultdict(list)
    for path in MODULES:
        if path.parent in BY_LANGUAGE:
            continue
        places[path.stem].append(str(path.relative_to(PACKAGE)))
    shared = {name: found for name, found in places.items() if len(found) > 1}
    assert {name: found for name, found in shared.items() if name not in PARTS} == {}


def test_every_name_says_something() -> None:
    assert [path for path in MODULES if path.stem in VAGUE or path.stem.startswith("_")] == []


def test_a_module_of_fewer_than_forty_lines_has_more_than_one_user_or_is_listed() -> None:
    lonely = set()
    sources = {path: path.read_text("utf-8") for path in PACKAGE.rglob("*.py")}
    for path in MODULES:
        if path.parent == PACKAGE / "code" / "languages":
            continue
        dotted = ".".join(path.relative_to(ROOT).with_suffix("").parts)
        package, _, name = dotted.rpartition(".")
        users = [
            other
            for other, text in sources.items()
            if other != path
            and (f"{dotted} import" in text or f"from {package} import {name}" in text)
        ]
        if len(sources[path].splitlines()) < 40 and len(users) < 2:
            lonely.add(str(path.relative_to(PACKAGE)))
    assert lonely == SHORT
