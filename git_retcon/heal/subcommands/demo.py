"""``git heal demo``: a small repository that CI would reject is checked, healed and proved."""

import os
import sys
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path

from git_retcon.errors import Reason
from git_retcon.files.claimed_folder import claim_folder
from git_retcon.files.xdg import data_folder
from git_retcon.git.example_repository import ExampleCommit, build_history, configure_example
from git_retcon.heal.check_situation import CheckRequest
from git_retcon.heal.healing.model_stage import Engines
from git_retcon.heal.subcommands.check import show_check
from git_retcon.heal.subcommands.heal_command import HealOptions, show_heal
from git_retcon.options import Output, SharedOptions
from git_retcon.show.envelope import Ending
from git_retcon.show.style import printable, write_line

_WORKFLOW = """\
on: [push]
jobs:
  lint:
    runs-on: ubuntu-latest
    steps:
      - uses: actions/checkout@v4
      - run: checks/lint.py shop
  test:
    runs-on: ubuntu-latest
    steps:
      - uses: actions/checkout@v4
      - run: checks/test.py
"""
_LINT = '''\
#!/usr/bin/env python3
"""Complain of imports that nothing uses, names that are not there, and imports out of order."""

import ast
import builtins
import pathlib
import sys


def list_complaints(tree):
    imports = [one for one in tree.body if isinstance(one, (ast.Import, ast.ImportFrom))]
    modules = [getattr(one, "module", "") or one.names[0].name for one in imports]
    if modules != sorted(modules):
        yield imports[0], "I001 imports are not sorted"
    names = [one for one in ast.walk(tree) if isinstance(one, ast.Name)]
    used = {one.id for one in names if isinstance(one.ctx, ast.Load)}
    known = {one.id for one in names if isinstance(one.ctx, ast.Store)} | set(dir(builtins))
    for one in ast.walk(tree):
        if isinstance(one, (ast.FunctionDef, ast.ClassDef)):
            known.add(one.name)
        elif isinstance(one, ast.arg):
            known.add(one.arg)
    for one in imports:
        for alias in one.names:
            name = alias.asname or alias.name
            known.add(name)
            if name not in used:
                yield one, f"F401 '{name}' imported but unused"
    for one in names:
        if one.id not in known:
            yield one, f"F821 undefined name '{one.id}'"


status = 0
for path in sorted(pathlib.Path(sys.argv[1]).glob("*.py")):
    for node, said in list_complaints(ast.parse(path.read_text())):
        print(f"{path}:{node.lineno}:{node.col_offset + 1}: {said}")
        status = 1
sys.exit(status)
'''
_TEST = '''\
#!/usr/bin/env python3
"""Run the tests."""

import pathlib
import sys
import unittest

top = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(top))
tests = unittest.defaultTestLoader.discover(str(top / "tests"), top_level_dir=str(top))
sys.exit(not unittest.TextTestRunner().run(tests).wasSuccessful())
'''
_CART = '''\
"""What a customer is about to buy."""

import json
import string


def describe(items):
    return json.dumps(sorted(items))
'''
_RECEIPT = '''\
"""What a customer gets in return."""


def write_receipt(items, total):
    lines = [f"{name}: {price}" for name, price in items]
    return "\\n".join([*lnes, f"total: {total}"])
'''
_STOCK = '''\
"""What the shop has."""

import pathlib
import json


def read_stock(folder):
    return json.loads(pathlib.Path(folder, "stock.json").read_text())
'''
_PRICES = '''\
"""What things cost, in cents."""


def discount(price, percent):
    return price - price * percent
'''
_TESTS = """\
import unittest

from shop.prices import discount


class TestDiscount(unittest.TestCase):
    def test_a_tenth_is_taken_off(self):
        self.assertEqual(discount(2000, 10), 1800)
"""
_HISTORY = (
    ExampleCommit(
        "main",
        "Open the shop",
        {
            ".github/workflows/ci.yml": _WORKFLOW,
            "checks/lint.py": _LINT,
            "checks/test.py": _TEST,
            "shop/__init__.py": "",
            "shop/cart.py": _CART.replace("import string\n", ""),
            "shop/prices.py": _PRICES.replace("* percent", "* percent // 100"),
            "shop/receipt.py": _RECEIPT.replace("lnes", "lines"),
            "shop/stock.py": _STOCK.replace("pathlib\nimport json", "json\nimport pathlib"),
            "tests/__init__.py": "",
            "tests/test_prices.py": _TESTS,
        },
    ),
    ExampleCommit(
        "main",
        "Hurry before the weekend",
        {
            "shop/cart.py": _CART,
            "shop/prices.py": _PRICES,
            "shop/receipt.py": _RECEIPT,
            "shop/stock.py": _STOCK,
        },
    ),
)


def demonstrate(directory: Path | None, output: Output, choose: Callable[..., Engines]) -> Ending:
    """Make the repository in ``directory``, or in a new temporary one, check it and heal it.
    ``choose`` makes the engine.

    No model is asked: a demonstration must not cost anything. Raises Fatal where the directory
    cannot be used.
    """
    data_folder(os.environ)  # before anything is made, as the checks need it
    place = (directory or Path(tempfile.mkdtemp(prefix="git-heal-demo-"))).absolute()
    claim_folder(place)
    build_history(place, _HISTORY)
    configure_example(place)
    os.chdir(place)
    shows = not (output.quiet or output.json)
    if shows:
        _print_lines(
            f"A small shop with four faults, in {printable(str(place))}:",
            "an unused import, a misspelt name, imports out of order, a wrong price.",
            "",
            "$ git heal check",
        )
        show_check(CheckRequest(is_ours=True), output, "text", events=False)
        _print_lines("", "$ git heal --yes")
    shared = SharedOptions(output, offline=True, yes=True)
    ending = show_heal(HealOptions(is_ours=True), shared, choose)
    if shows:
        _print_lines(*_list_next_lines(place))
    data = {**ending.data, "directory": str(place)}
    # One fault is meant to be left: that is no failure of the demonstration.
    if ending.failure is not None and ending.failure.reason is Reason.ERRORS_FOUND:
        return Ending(data=data)
    return ending._replace(data=data)


def _list_next_lines(place: Path) -> Sequence[str]:
    return (
        "",
        "What is left is a failing test: it says what is wrong, not what is right.",
        "With a key, the same command asks Claude about it, shows what it costs, and believes",
        "only the test:",
        f"  cd {printable(str(place))}",
        "  ANTHROPIC_API_KEY=... git heal --trust",
        "",
        "Look around:",
        "  git diff",
        "  git heal errors",
        "  git heal undo",
    )


def _print_lines(*lines: str) -> None:
    for line in lines:
        write_line(sys.stdout, line)
    sys.stdout.flush()
