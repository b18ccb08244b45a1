"""What the folders promise: a name says which part a module plays, and its tests are beside it."""

import ast
import re
from collections import defaultdict
from pathlib import Path

ROOT = Path(__file__).parents[1]
PACKAGE = ROOT / "git_retcon"
MODULES = sorted(path for path in PACKAGE.rglob("*.py") if path.name != "__init__.py")

# The same part in different features or rooms, and which. Any other name is one module's alone.
PARTS = {
    "choose",  # which engine a run has
    "command",  # a subcommand: options in, an ending out
    "demo",  # the subcommand that shows a command at work
    "dialect",  # what bodies of methods have in one language alone
    "engine",  # the protocol between a run and its engines
    "events",  # what a run says, as values
    "loop",  # a run's repeated work: each commit, each attempt
    "offline",  # the engine without a model
    "options",  # what was asked for, as values
    "outline",  # what a file declares, as far as it shows without a grammar
    "prompts",  # texts for a model
    "reader",  # a file of people's, read with faults by line
    "report",  # what a run says at its end
    "run",  # a run from its first line to its last
    "services",  # operations of a file on objects of other classes
    "session",  # what is kept between two commands or two requests
    "terminal",  # a run for people, line by line
    "tokens",  # what a language's text is made of
    "types",  # a language's types as types of a specification
    "undo",  # the subcommand, and what it does
}
# Short, with one user, and still an idea of their own.
SHORT = {
    # one file each, as their specification asks
    "allium/reconcile/schedulers/n_tokens.py",
    "allium/reconcile/schedulers/n_trunk_commits.py",
    "allium/reconcile/schedulers/never.py",
    "code/bindings.py",  # what a line binds: a rule of languages, read by the planner
    "heal/fixers/mode_fixes.py",  # which messages ask for which permissions
    "heal/subcommands/push_hook.py",  # what heal's hook says; the mechanic is run/hooks.py
    "run/module_kinds.py",  # scripts and modules of JavaScript, apart from what they import
    "retcon/engines/claude/opening.py",  # keeps the model room out of an offline run
}
# Modules whose tests are not in ``test_<module>.py`` of the same folder. The list only shrinks.
WITHOUT_MIRROR = {
    # values, with nothing to be wrong in them by themselves
    "model/failures.py",
    "model/messages.py",
    "options.py",
    "heal/check_events.py",
    "heal/execution/ready_job.py",
    "heal/results.py",
    "heal/workflows/faults.py",
    "heal/workflows/nodes.py",
    "heal/workflows/shapes.py",
    "heal/workflows/workflow.py",
    "allium/engine.py",
    "allium/evolve/events.py",
    "allium/extract/python/classes/frameworks.py",
    # tested by whole reconciliations, in test_offline_reconciler.py and test_model_reconciler.py
    "allium/reconcile/combining.py",
    "allium/engines/source_declarations.py",
    # tested by the commands, in tests/allium/subcommands
    "allium/evolve/on_demand.py",
    "allium/reconcile/drift.py",
    "allium/reconcile/comparison.py",
    "allium/language/declarations.py",
    "allium/language/expressions.py",
    "allium/language/findings.py",
    # parts of the readers of source files, tested through whole files
    "allium/extract/service_operations.py",
    "allium/extract/csharp/dialect.py",
    "allium/extract/csharp/types.py",
    "allium/extract/go/dialect.py",
    "allium/extract/go/types.py",
    "allium/extract/grammar/implied_members.py",
    "allium/extract/grammar/records.py",
    "allium/extract/grammar/syntax_nodes.py",
    "allium/extract/grammar/written_types.py",
    "allium/extract/java/dialect.py",
    "allium/extract/java/types.py",
    "allium/extract/rust/dialect.py",
    "allium/extract/rust/types.py",
    "allium/extract/python/syntax/conditions.py",
    "allium/extract/python/syntax/constants.py",
    "allium/extract/python/syntax/names.py",
    "allium/extract/python/syntax/ranges.py",
    "allium/extract/python/syntax/type_hints.py",
    "allium/extract/typescript/dialect.py",
    "allium/extract/typescript/types.py",
    # parts of the offline engine, tested through its steps in engines/test_offline.py
    "allium/engines/module_edits.py",
    "allium/extract/source_tree.py",
    "allium/extract/spec_layout.py",
    # tested where whole commands are interrupted, in tests/run_/test_interrupted.py
    "interrupts.py",
    # tested through the options of each feature, and against the manual pages
    # parts of one parser, of the layout and of the checks, tested through whole documents
    "allium/language/checks/effects.py",
    "allium/language/checks/scope.py",
    "allium/language/checks/surface_entries.py",
    "allium/language/checks/trigger_use.py",
    "allium/language/layout/indentation.py",
    "allium/language/layout/token_lines.py",
    "allium/language/layout/spacing.py",
    "allium/language/parser/annotation.py",
    "allium/language/parser/brackets.py",
    "allium/language/parser/clause.py",
    "allium/language/parser/cursor.py",
    "allium/language/parser/recovery.py",
    "allium/language/parser/strings.py",
    "allium/language/traversal.py",
    # parts of a check, tested by whole ones in test_check_run.py, and by real jobs in
    # execution/test_job_runner.py, test_step_runner.py and test_step_environment.py
    "heal/check_jobs.py",
    "heal/check_situation.py",
    "heal/lazy_bench.py",
    "heal/execution/github_variables.py",
    "heal/execution/script_step.py",
    # parts of a heal, tested by whole ones in healing/test_heal_flow.py and, of those that change
    # the checkout, in review/test_settlement.py
    "heal/engine.py",
    "heal/engines/offline.py",
    "heal/healing/drafted_job.py",
    "heal/healing/failing_job.py",
    "heal/healing/heal_bench.py",
    "heal/healing/heal_events.py",
    # parts of a heal with a model, tested by whole ones in engines/claude/test_engine.py
    "heal/engines/claude/file_tools.py",
    "heal/engines/claude/prompts.py",
    "heal/engines/claude/run_tools.py",
    "heal/engines/claude/search_tools.py",
    "heal/engines/claude/session.py",
    "heal/engines/claude/shown_output.py",
    "heal/healing/confined_proof.py",
    "heal/healing/model_stage.py",
    "heal/subcommands/kept_fixes.py",
    # parts of heals side by side and in batches, tested by whole ones in
    # healing/test_side_healing.py and subcommands/test_batched_heal.py
    "heal/engines/claude/batch_engine.py",
    "heal/engines/claude/batch_opening.py",
    "heal/engines/claude/batch_prompt.py",
    "heal/healing/kept_engine.py",
    "heal/records/kept_answers.py",
    # parts of the reader of workflows and of expressions, tested through these
    "heal/workflows/expressions/tokens.py",
    "heal/workflows/grammar.py",
    # tested by real commands in a sandbox, in test_confined_commands.py and test_level.py
    "run/sandbox/boot.py",
    "run/sandbox/bubblewrap.py",
    "run/sandbox/kernel.py",
    "run/sandbox/landlock_rules.py",
    "run/sandbox/mounts.py",
    "run/sandbox/namespaces.py",
    "run/sandbox/home.py",
    "run/sandbox/landlock.py",
    # patterns that languages share, tested by each of them
    "code/languages/usual.py",
}
VAGUE = {"base", "common", "helpers", "manager", "misc", "shared", "tools_", "util", "utils"}


def test_two_modules_share_a_name_only_where_they_play_the_same_part() -> None:
    places = defaultdict(list)
    for path in MODULES:
        places[path.stem].append(str(path.relative_to(PACKAGE)))
    shared = {name: found for name, found in places.items() if len(found) > 1}
    assert {name: found for name, found in shared.items() if name not in PARTS} == {}
    assert PARTS - shared.keys() == set(), "these names are no longer shared"


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


def test_no_module_is_longer_than_a_reader_keeps_in_mind() -> None:
    lengths = {path: len(path.read_text("utf-8").splitlines()) for path in MODULES}
    assert {str(path): length for path, length in lengths.items() if length > 400} == {}


def test_every_function_fits_on_a_screen() -> None:
    """Their docstrings are not counted."""
    long = {
        f"{path.relative_to(PACKAGE)}: {node.name}": length
        for path in MODULES
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.FunctionDef) and (length := _count_lines(node)) > 40
    }
    assert long == {}


def _count_lines(function: ast.FunctionDef) -> int:
    first = function.body[0]
    documented = ast.get_docstring(function) is not None
    docstring = (first.end_lineno or 0) - first.lineno + 1 if documented else 0
    return (function.end_lineno or 0) - function.lineno + 1 - docstring


def test_values_cost_nothing_at_import() -> None:
    usual = re.compile(r"^from dataclasses import .*\bdataclass\b", re.MULTILINE)
    assert [path for path in MODULES if usual.search(path.read_text("utf-8"))] == []


def test_ids_are_shortened_in_one_place() -> None:
    cut = re.compile(r"\b\w*(?:oid|sha|commit|tip|base|source|tree)(?:s\[-?\d+\])?\[:\d+\]")
    found = [path for path in MODULES if cut.search(path.read_text("utf-8"))]
    assert found == []


def test_every_module_has_its_tests_where_one_looks_for_them() -> None:
    lacking = {
        str(path.relative_to(PACKAGE)) for path in MODULES if not _place_of_tests(path).exists()
    }
    assert lacking == WITHOUT_MIRROR


def _place_of_tests(module: Path) -> Path:
    """``tests/git/test_trees.py`` for ``git_retcon/git/trees.py``."""
    room = module.relative_to(PACKAGE).parent
    # tests/run is the command that runs the tests
    parts = ["run_" if part == "run" else part for part in room.parts]
    return ROOT.joinpath("tests", *parts, f"test_{module.name}")


def test_no_test_rolls_dice_that_nobody_can_roll_again() -> None:
    """``random`` itself begins with another seed each time; ``random.Random(seed)`` does not."""
    unseeded = re.compile(r"random\.(?!Random\b)\w+|os\.urandom|uuid\.\w+|(?:random\.)?Random")
    found = {
        f"{path.relative_to(ROOT)}: {ast.unparse(node)}"
        for path in sorted((ROOT / "tests").rglob("*.py"))
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.Call) and unseeded.fullmatch(name := ast.unparse(node.func))
        if not (name.endswith("Random") and node.args)
    }
    assert found == set()
