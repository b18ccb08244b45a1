"""The order of atoms that gives a name to what needs it; here atoms are numbers alone."""

from git_retcon.retcon.planner.name_order import order_name


def test_one_atom_that_brings_the_name_comes_before_all_that_need_it() -> None:
    def lacks(taken: frozenset[int]) -> bool:
        return bool(taken & {1, 2}) and 3 not in taken

    found = order_name(range(5), [0, 1, 2, 3, 4], [0, 0, 0, 1, 2], 0, lacks)
    assert list(found) == [(3, 1), (3, 2)]


def test_several_atoms_bring_a_name_together() -> None:
    def lacks(taken: frozenset[int]) -> bool:
        return 0 in taken and not {1, 2} <= taken

    assert list(order_name(range(3), [0, 1, 2], [0, 1, 2], 0, lacks)) == [(1, 0), (2, 0)]


def test_only_the_atoms_of_the_commit_that_lacks_it_wait() -> None:
    def lacks(taken: frozenset[int]) -> bool:
        return {0, 1} <= taken and 2 not in taken

    assert list(order_name(range(3), [0, 1, 2], [0, 1, 2], 1, lacks)) == [(2, 1)]


def test_an_atom_without_the_name_waits_for_nothing() -> None:
    def lacks(taken: frozenset[int]) -> bool:
        return 0 in taken and 2 not in taken

    assert list(order_name(range(3), [0, 2], [0, 0, 1], 0, lacks)) == [(2, 0)]
