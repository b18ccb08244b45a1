"""From any partial tree, a loop that takes what repair says ends with a tree that passes."""

import random
import sys

import pytest

from git_retcon.retcon.engine import Progress
from tests.retcon.repair.trials import Make

BEFORE = {
    "shop/__init__.py": "",
    "shop/money.py": (
        "import decimal\n\n\ndef cents(amount):\n    return int(decimal.Decimal(amount) * 100)\n"
    ),
    "shop/cart.py": (
        "from shop.money import cents\n\n\nclass Cart:\n    def __init__(self):\n"
        "        self.items = []\n\n    def total(self):\n"
        "        return sum(cents(price) for price in self.items)\n"
    ),
    "test_shop.py": (
        "import unittest\n\nfrom shop.cart import Cart\n\n\nclass TestCart(unittest.TestCase):\n"
        "    def test_empty(self):\n        self.assertEqual(Cart().total(), 0)\n"
    ),
}
AFTER = {
    "shop/money.py": (
        "import dataclasses\nimport decimal\n\nRATE = decimal.Decimal('0.2')\n\n\n"
        "@dataclasses.dataclass\nclass Money:\n    amount: decimal.Decimal\n\n"
        "    def taxed(self):\n        return Money(self.amount + tax(self.amount))\n\n\n"
        "def tax(amount):\n    return amount * RATE\n"
    ),
    "shop/cart.py": (
        "from decimal import Decimal\n\nfrom shop.log import note\n"
        "from shop.money import Money\n\n\n"
        "class Cart:\n    def __init__(self, owner=''):\n"
        "        self.items = []\n        self.owner = owner\n\n    def total(self):\n"
        "        note('total')\n"
        "        return Money(sum(self.items, Decimal())).taxed()\n"
    ),
    "shop/log.py": (
        "import sys\n\nNOTES = []\n\n\ndef note(text):\n    NOTES.append(text)\n\n\n"
        "def dump():\n    sys.stdout.write('\\n'.join(NOTES))\n"
    ),
    "shop/report.py": (
        "from shop import log\n\n\ndef report(cart):\n    log.dump()\n"
        "    return f'{cart.owner}: {cart.total().amount}'\n"
    ),
    "README": "A shop.\n",
    "test_shop.py": (
        "import unittest\nfrom decimal import Decimal\n\nfrom shop.cart import Cart\n"
        "from shop.money import Money\n\n\n"
        "class TestCart(unittest.TestCase):\n"
        "    def test_empty(self):\n"
        "        self.assertEqual(Cart().total(), Money(Decimal()))\n\n"
        "    def test_owner(self):\n        self.assertEqual(Cart(owner='Ada').owner, 'Ada')\n"
    ),
    "test_report.py": (
        "import unittest\n\nfrom shop.cart import Cart\nfrom shop.report import report\n\n\n"
        "class TestReport(unittest.TestCase):\n    def test_report(self):\n"
        "        self.assertTrue(report(Cart('Ada')).startswith('Ada'))\n"
    ),
}


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(1, 4))
def test_every_partial_tree_comes_to_pass(bench: Make, seed: int) -> None:
    built = bench(
        BEFORE,
        AFTER,
        f"{sys.executable} -B -m unittest -q",
        trials=15,
    )
    ids = [atom.id for atom in built.difference.atoms]
    chance = random.Random(seed)
    taken = frozenset(chance.sample(ids, chance.randint(1, len(ids) - 3)))
    attempt = 0
    while built.trial(taken).outcome(taken) is not None:
        attempt += 1
        answer = built.repair(taken, attempt=attempt)
        assert isinstance(answer.said, Progress), answer.said
        assert answer.atoms, answer.said
        assert not answer.atoms & taken
        taken |= answer.atoms
    assert attempt <= 8
