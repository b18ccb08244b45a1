"""What is read from pytest and unittest, in each of their styles."""

from git_retcon.code.diagnostics import python_tests
from git_retcon.code.diagnostics.complaints import extract_complaints
from git_retcon.code.diagnostics.diagnostic import Category
from tests.code.diagnostics.sample import described, places


def test_pytest_long() -> None:
    assert places("pytest_long") == [
        "test_collect.py:1 error test pytest/test_collect.py: ImportError: cannot import name '",
        "test_app.py:43 error test pytest/test_setup: KeyError: 'db'",
        "test_app.py:15 error test pytest/test_plain: AssertionError: numbers differ",
        "test_app.py:7 error test pytest/test_nested: AssertionError: assert {'a': 1, 'b': 3}",
        "app.py:11 error test pytest/test_chained: RuntimeError: cannot parse",
        "/home/ada/demo/test_app.py:28 error test pytest/test_group: ExceptionGroup: several (2",
        "test_app.py:33 error test pytest/test_param[2]: assert 2 == 1",
        "test_app.py:37 error test pytest/test_raises: Failed: DID NOT RAISE ValueError",
        "app.py:20 error test pytest/TestStore::test_save: AttributeError: 'Store' object has n",
        "test_app.py:57 error test pytest/Old::test_equal: AssertionError: Lists differ: [1, 2]",
        "test_app.py:65 error test pytest/Old::test_error: LookupError",
        "test_app.py:62 error test pytest/Old::test_sub: AssertionError: 1 != 0",
    ]


def test_pytest_short() -> None:
    assert places("pytest_short") == [
        "test_collect.py:1 error test pytest/test_collect.py: ImportError: cannot import name '",
        "test_app.py:43 error test pytest/test_setup: KeyError: 'db'",
        "test_app.py:15 error test pytest/test_plain: AssertionError: numbers differ",
        "test_app.py:7 error test pytest/test_nested: AssertionError: assert {'a': 1, 'b': 3}",
        "app.py:11 error test pytest/test_chained: RuntimeError: cannot parse",
        "/home/ada/demo/test_app.py:28 error test pytest/test_group: ExceptionGroup: several (2",
        "test_app.py:33 error test pytest/test_param[2]: assert 2 == 1",
        "test_app.py:37 error test pytest/test_raises: Failed: DID NOT RAISE ValueError",
        "app.py:20 error test pytest/TestStore::test_save: AttributeError: 'Store' object has n",
        "test_app.py:57 error test pytest/Old::test_equal: AssertionError: Lists differ: [1, 2]",
        "test_app.py:65 error test pytest/Old::test_error: LookupError",
        "test_app.py:62 error test pytest/Old::test_sub: AssertionError: 1 != 0",
    ]


def test_pytest_line() -> None:
    assert places("pytest_line") == [
        "test_collect.py:1 error test pytest/test_collect.py: ImportError: cannot import name '",
        "/home/ada/demo/test_app.py:15 error test pytest: AssertionError: numbers differ",
        "/home/ada/demo/test_app.py:7 error test pytest: AssertionError: assert {'a': 1, 'b': 3",
        "/home/ada/demo/app.py:11 error test pytest: RuntimeError: cannot parse",
        "/home/ada/demo/test_app.py:28 error runtime python: ExceptionGroup: several (2 sub-exc",
        "/home/ada/demo/test_app.py:33 error test pytest: assert 2 == 1",
        "/home/ada/demo/test_app.py:37 error test pytest: Failed: DID NOT RAISE ValueError",
        "/home/ada/demo/app.py:20 error test pytest: AttributeError: 'Store' object has no at",
        "/home/ada/demo/test_app.py:65 error test pytest: LookupError",
        "test_app.py error test pytest/Old::test_equal: AssertionError: Lists differ: [1, 2] !=",
        "test_app.py error test pytest/Old::test_sub: AssertionError: 1 != 0",
        "test_app.py error test pytest/test_setup: KeyError: 'db'",
    ]


def test_pytest_native() -> None:
    assert places("pytest_native") == [
        "/home/ada/demo/test_app.py:15 error test pytest/test_plain: AssertionError: numbers di",
        "/home/ada/demo/app.py:11 error test pytest/test_chained: RuntimeError: cannot parse",
        "/home/ada/demo/app.py:20 error test pytest/TestStore::test_save: AttributeError: 'Stor",
    ]


def test_pytest_no() -> None:
    assert places("pytest_no") == [
        "test_app.py error test pytest/test_plain: AssertionError: numbers differ",
        "test_app.py error test pytest/test_nested: AssertionError: assert {'a': 1, 'b': 3}",
        "test_app.py error test pytest/test_chained: RuntimeError: cannot parse",
        "test_app.py error test pytest/test_group: ExceptionGroup: several (2 sub-exception",
        "test_app.py error test pytest/test_param[2]: assert 2 == 1",
        "test_app.py error test pytest/test_raises: Failed: DID NOT RAISE ValueError",
        "test_app.py error test pytest/TestStore::test_save: AttributeError: 'Store' object has",
        "test_app.py error test pytest/Old::test_equal: AssertionError: Lists differ: [1, 2] !=",
        "test_app.py error test pytest/Old::test_error: LookupError",
        "test_app.py error test pytest/Old::test_sub: AssertionError: 1 != 0",
        "test_collect.py error test pytest/test_collect.py: test_collect.py error",
        "test_app.py error test pytest/test_setup: KeyError: 'db'",
    ]


def test_unittest_more() -> None:
    assert places("unittest_more") == [
        "/home/ada/demo/test_app.py:65 error test unittest/test_app.Old.test_error: LookupError",
        "/home/ada/demo/test_app.py:57 error test unittest/test_app.Old.test_equal: AssertionEr",
        "/home/ada/demo/test_app.py:62 error test unittest/test_app.Old.test_sub: AssertionErro",
        "/home/ada/demo/test_collect.py:1 error test unittest/unittest.loader._FailedTest.test_",
    ]


def test_a_syntax_error_is_where_its_words_say() -> None:
    output = (
        b"ImportError while loading conftest '/home/ada/demo/tests/conftest.py'.\n"
        b"tests/conftest.py:12: in <module>\n    import demo\n"
        b'E     File "/home/ada/demo/src/demo.py", line 128\n'
        b"E       x = = 1\nE           ^\nE   SyntaxError: invalid syntax\n"
    )
    assert [described(each) for each in extract_complaints(output)] == [
        "/home/ada/demo/src/demo.py:128 error test pytest/conftest.py: SyntaxError: invalid syn"
    ]


def test_a_conftest_that_cannot_be_imported() -> None:
    output = (
        b"ImportError while loading conftest '/home/ada/demo/tests/conftest.py'.\n"
        b"tests/conftest.py:5: in <module>\n    from tests import base\n"
        b"tests/base.py:9: in <module>\n    import simplejson\n"
        b"E   ModuleNotFoundError: No module named 'simplejson'\n"
    )
    assert [described(each) for each in extract_complaints(output)] == [
        "tests/base.py:9 error test pytest/conftest.py: ModuleNotFoundError: No module named 's"
    ]


def test_a_setting_that_pytest_does_not_know() -> None:
    (found,) = extract_complaints(b"ERROR: Unknown config option: asyncio_mode\n\n")
    assert (found.category.value, found.path) == ("config", None)


def test_the_docstring_of_a_test_of_unittest_is_passed_over() -> None:
    said = """\
======================================================================
FAIL: test_first (test_u.T.test_first)
The first item comes first.
----------------------------------------------------------------------
Traceback (most recent call last):
  File "/home/ada/demo/test_u.py", line 16, in test_first
    self.assertEqual(first([4]), 5)
AssertionError: 4 != 5

----------------------------------------------------------------------
Ran 1 test in 0.000s
"""
    (found,) = extract_complaints(said.encode())
    assert (found.tool, found.category, found.line) == ("unittest", Category.TEST, 16)
    assert found.rule == "test_u.T.test_first"


def test_modules_that_cannot_be_collected_for_one_fault_are_that_fault_alone() -> None:
    section = """\
____________________ ERROR collecting {name} ____________________
{name}:7: in <module>
    from shop.cart import total
E     File "/home/ada/demo/shop/cart.py", line 7
E       for item in items
E                        ^
E   SyntaxError: expected ':'
"""
    names = ("test_a.py", "test_b.py")
    said = "= ERRORS =\n" + "".join(section.format(name=name) for name in names)
    said += "===== short test summary info =====\nERROR test_a.py\nERROR test_b.py\n"
    (found,) = extract_complaints(said.encode())
    assert (found.path, found.line) == (b"/home/ada/demo/shop/cart.py", 7)


def test_a_traceback_below_a_heading_is_no_test_of_unittest() -> None:
    lines = ["==========", "Summary", "----------", "Traceback (most recent call last):"]
    lines += ['  File "a.py", line 3, in run', "    go()", "ValueError: no", ""]
    assert list(python_tests.read_diagnostics(lines)) == []
    lines[1] = "ERROR: test_run (test_a.A.test_run)"
    (found,) = python_tests.read_diagnostics(lines)
    assert (found.path, found.line, found.message) == (b"a.py", 3, "ValueError: no")


def test_examples_in_docstrings_and_pages_that_pytest_runs() -> None:
    assert places("pytest_doctest") == [
        "/home/ada/shop/shop/__init__.py:7 error test pytest/shop.total: Failed example",
        "/home/ada/shop/docs/index.rst:9 error test pytest/index.rst: Failed example",
        "/home/ada/shop/shop/more.py:4 error test pytest/shop.more.half: TypeError: unsupported",
    ]
