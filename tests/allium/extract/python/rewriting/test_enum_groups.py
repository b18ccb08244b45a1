"""Groups of states that an enum names."""

import pytest

from tests.allium.extract.declared import declare, declare_python

STATUS = """
from enum import Enum

class Status(Enum):
    NEW = "new"
    PAID = "paid"
    GONE = "gone"

    @classmethod
    def finished(cls):
        \"\"\"Those at the end.\"\"\"
        return [cls.PAID, cls.GONE]
"""
ORDER = """
class Order:
    def __init__(self):
        self.status = Status.NEW

    def pay(self):
        if self.status in Status.finished():
            raise ValueError
        self.status = Status.PAID

    def drop(self):
        if self.status == Status.GONE:
            return
        self.status = Status.GONE
"""
EDGES = "        new -> paid\n        new -> gone\n        paid -> gone\n"


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("", ""),
        ("[cls.PAID, cls.GONE]", "{Status.PAID, Status.GONE}"),
        ("[cls.PAID, cls.GONE]", "frozenset((cls.PAID, cls.GONE))"),
        ("@classmethod\n    def finished(cls)", "@staticmethod\n    def finished()"),
    ],
)
def test_a_method_of_an_enum_may_list_members(old: str, new: str) -> None:
    status = STATUS.replace(old, new)
    if "static" in new:
        status = status.replace("cls.", "Status.")
    assert EDGES in declare_python(status + ORDER)


def test_a_property_of_an_enum_may_list_them() -> None:
    status = STATUS.replace("@classmethod", "@classproperty")
    assert EDGES in declare_python(status + ORDER.replace("finished()", "finished"))


def test_a_class_of_constants_may_list_them() -> None:
    method = STATUS.index("    @classmethod")
    status = STATUS[:method].replace("(Enum)", "") + "    FINISHED = (PAID, GONE)\n"
    assert EDGES in declare_python(status + ORDER.replace("finished()", "FINISHED"))


@pytest.mark.parametrize("owner", ["Status", "states.Status"])
def test_other_files_may_ask_for_them(owner: str) -> None:
    imported = "from shop.states import Status" if owner == "Status" else "from shop import states"
    order = imported + ORDER.replace("Status.", f"{owner}.")
    order = order.replace("def __init__(self):", f"status: {owner}\n\n    def __init__(self):")
    assert EDGES in declare({"shop/states.py": STATUS, "shop/orders.py": order})


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("cls.GONE]", "cls.LOST]"),  # no member
        ("cls.GONE]", "read()]"),
        ("return [", "cls.count += 1\n        return ["),
        ("@classmethod", "@compute"),
    ],
)
def test_what_may_be_anything_is_no_group(old: str, new: str) -> None:
    assert old in STATUS
    assert "requires: order.status = new\n" not in declare_python(STATUS.replace(old, new) + ORDER)
    assert "new -> paid" not in declare_python(STATUS.replace(old, new) + ORDER)


def test_an_unknown_group_of_another_file_is_no_state() -> None:
    order = "from shop.states import Status" + ORDER.replace(
        "in Status.finished()", "!= Status.best"
    )
    status = STATUS.replace("def finished", "def best").replace("[cls.PAID, cls.GONE]", "compute()")
    found = declare({"shop/states.py": status, "shop/orders.py": order})
    assert "best" not in found
