"""A check demands something of the caller only where its error leaves the operation."""

import pytest

from tests.allium.extract.declared import ORDER, declare_python

CHECK = """\
if self.total < 5:
    raise ValueError("too little")
"""


def declare_try(before: str, behind: str, inner: str = CHECK) -> str:
    """The rule of an operation that checks the total inside a block."""
    lines = [before, *(f"    {line}" for line in inner.splitlines()), *behind.splitlines()]
    body = "\n".join(f"        {line}" for line in [*lines, "self.status = Status.NEW"])
    return declare_python(f"{ORDER}\n    def refund(self):\n{body}\n").partition(
        "rule OrderRefund"
    )[2]


@pytest.mark.parametrize(
    ("before", "behind"),
    [
        ("try:", "except ValueError:\n    pass"),
        ("try:", "except (KeyError, ValueError):\n    pass"),
        ("try:", "except Exception:\n    log()"),
        ("try:", "except:\n    log()"),
        ("try:", "except ERRORS:\n    log()"),
        ("try:", "except LookupError:\n    raise\nexcept ValueError:\n    log()"),
        ("try:", "except ValueError:\n    if x:\n        return\n    raise"),
        ("try:", "finally:\n    return"),
        ("with suppress(ValueError):", "pass"),
        ("with contextlib.suppress(Exception):", "pass"),
        ("with self.lock, errors.ignored():", "pass"),
    ],
)  # fmt: skip
def test_an_error_that_ends_inside_is_no_demand(before: str, behind: str) -> None:
    told = declare_try(before, behind)
    assert "requires" not in told
    assert "Fails" not in told


@pytest.mark.parametrize(
    ("before", "behind"),
    [
        ("try:", "except KeyError:\n    pass"),
        ("try:", "except errors.Refused:\n    pass"),
        ("try:", "except ValueError:\n    raise"),
        ("try:", "except ValueError as error:\n    raise Refused() from error"),
        ("try:", "finally:\n    log()"),
        ("with suppress(KeyError):", "pass"),
        ("with transaction.atomic():", "pass"),
    ],
)
def test_an_error_that_leaves_is_a_demand(before: str, behind: str) -> None:
    assert "requires: order.total >= 5" in declare_try(before, behind)


def test_an_error_of_the_project_may_be_any_that_is_caught() -> None:
    check = CHECK.replace("ValueError", "TooLittle")
    told = declare_try("try:", "except KeyError:\n    pass", check)
    assert "requires" not in told


def test_what_a_swallowing_block_sets_is_not_certain() -> None:
    told = declare_try("try:", "except Exception:\n    log()", "self.total = 9")
    assert "order.total = 9" not in told
    assert "order.status = new" in told


def test_a_state_that_is_checked_where_the_error_is_swallowed_may_be_any() -> None:
    told = declare_python(
        ORDER
        + """
    def refund(self):
        with suppress(ValueError):
            if self.status is not Status.PAID:
                raise ValueError
        self.status = Status.NEW
"""
    ).partition("rule OrderRefund")[2]
    assert "requires" not in told
    assert "order.status = new" in told
