"""What is healed, and in which order."""

from types import SimpleNamespace
from typing import Any, cast

from git_retcon.code.diagnostics.diagnostic import Category
from git_retcon.heal.check_jobs import SeenJob
from git_retcon.heal.healing.work_items import (
    Aim,
    FailedJob,
    find_failed,
    is_of_machine,
    make_items,
    names_file,
    order_jobs,
)
from git_retcon.heal.results import StepVerdict
from tests.heal.records.databases import end_step, find_error


def test_files_come_by_their_worst_error_and_errors_without_a_file_last() -> None:
    unused = find_error("src/a.py", 1, "unused import", Category.LINT)
    typed = find_error("src/b.py", 1, "no such name", Category.TYPE_CHECK)
    failed = find_error("src/a.py", 2, "assert 1 == 2", Category.TEST)
    broken = find_error("", 0, "cannot build", Category.COMPILE)
    items = make_items([unused, broken, failed, typed])
    assert [one.path for one in items] == [b"src/b.py", b"src/a.py", None]
    assert items[1].errors == (failed, unused)


def test_what_does_not_compile_is_before_all_else() -> None:
    order = [Category.COMPILE, Category.TYPE_CHECK, Category.TEST, Category.RUNTIME, Category.LINT]
    errors = [find_error("src/a.py", 1, each.value, each) for each in reversed(order)]
    (item,) = make_items(errors)
    assert [one.finding.diagnostic.category for one in item.errors] == order


def fail_job(category: Category, *seconds: float) -> FailedJob:
    """A job whose steps took so long; the last but one failed."""
    steps = tuple(end_step("step", seconds=each) for each in seconds)
    seen = SeenJob(cast("Any", None), cast("Any", SimpleNamespace(steps=steps)))
    errors = make_items([find_error("src/a.py", 1, "x", category)])
    return FailedJob(seen, len(steps) - 2, errors)


def test_jobs_come_by_their_worst_error_and_those_that_take_long_behind_the_others() -> None:
    lint, suite = fail_job(Category.LINT, 1.0, 2.0, 600.0), fail_job(Category.TEST, 40.0, 560.0, 0)
    types, built = fail_job(Category.TYPE_CHECK, 9.0, 0), fail_job(Category.COMPILE, 90.0, 0)
    assert order_jobs([lint, suite, types, built]) == [types, lint, built, suite]


def test_an_aim_is_a_file_a_folder_or_the_beginning_of_an_id() -> None:
    one, other = find_error("src/a.py", 1, "x"), find_error("", 0, "y")
    assert Aim().means(one) and Aim().means(other)
    assert Aim((b"src",)).means(one) and Aim((b"src/a.py",)).means(one)
    assert not Aim((b"sr",)).means(one) and not Aim((b"src/b.py",)).means(one)
    assert not Aim((b"src",)).means(other)
    assert Aim(error=one.finding.fingerprint[:8]).means(one)
    assert not Aim(error=one.finding.fingerprint[1:9]).means(one)
    assert not Aim((b"src/b.py",), one.finding.fingerprint).means(one)


def test_errors_of_the_machine_are_none_of_a_file() -> None:
    assert is_of_machine(find_error("", 0, "no network", Category.INFRASTRUCTURE))
    assert not is_of_machine(find_error("", 0, "no network", Category.RUNTIME))


def test_the_step_that_failed_is_the_first_that_nothing_forgave() -> None:
    steps = [
        end_step("a"), end_step("b", StepVerdict.FORGIVEN), end_step("c", StepVerdict.FAILED),
        end_step("d", StepVerdict.FAILED),
    ]  # fmt: skip
    assert find_failed(steps) == 2
    assert find_failed(steps[:2]) is None


def test_an_item_names_the_files_of_its_errors_and_those_they_speak_of() -> None:
    (item,) = make_items([find_error("src/a.py", 1, "no table in '/x/data/a.toml', see my.ini")])
    assert names_file(item, b"src/a.py")
    assert names_file(item, b"data/a.toml") and names_file(item, b"my.ini")
    assert not names_file(item, b"a.to") and not names_file(item, b"y.ini")
    assert not names_file(item, b".ini")
