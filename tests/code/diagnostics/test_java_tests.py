"""What is read from Surefire, Gradle and JUnit's own runners."""

from git_retcon.code.diagnostics.complaints import extract_complaints
from git_retcon.code.diagnostics.java_tests import find_place
from tests.code.diagnostics.sample import described, places

_STACK = (
    "org.opentest4j.AssertionFailedError: expected: <4> but was: <3>\n"
    "\tat org.junit.jupiter.api.AssertionUtils.fail(AssertionUtils.java:55)\n"
    "\tat app.SumTest.adds(SumTest.java:12)\n"
    "\tat java.base/java.lang.reflect.Method.invoke(Method.java:568)\n"
)


def test_surefire() -> None:
    output = (
        "[ERROR] Tests run: 2, Failures: 1, Errors: 0, Skipped: 0 <<< FAILURE! -- in app.SumTest\n"
        "[ERROR] app.SumTest.adds -- Time elapsed: 0.012 s <<< FAILURE!\n"
        + _STACK
        + "\n[ERROR] Failures: \n[ERROR]   SumTest.adds:12 expected: <4> but was: <3>\n"
    )
    assert [described(each) for each in extract_complaints(output.encode())] == [
        "app/SumTest.java:12 error test surefire/SumTest.adds: org.opentest4j.AssertionFailedEr",
    ]


def test_a_summary_alone_is_read() -> None:
    output = b"[ERROR] Failures: \n[ERROR]   SumTest.adds:12 expected: <4> but was: <3>\n"
    assert [described(each) for each in extract_complaints(output)] == [
        "SumTest.java:12 error test surefire/adds: expected: <4> but was: <3>"
    ]


def _name_places(name: str) -> list[str]:
    return [place.partition(": ")[0] for place in places(name)]


def test_what_runners_of_junit_print() -> None:
    assert _name_places("surefire") == [
        "app/StoreTest.java:10 error test surefire/StoreTest.adds",
        "app/StoreTest.java:15 error test surefire/StoreTest.sizes",
    ]
    assert _name_places("gradle_test") == [
        "app/StoreTest.java:10 error test gradle/StoreTest.adds",
        "app/StoreTest.java:15 error test gradle/StoreTest.sizes",
    ]
    assert _name_places("junit4") == [
        "app/StoreTest.java:10 error test junit/StoreTest.adds",
        "app/Store.java:6 error test junit/StoreTest.sizes",
    ]
    assert _name_places("junit_console") == [
        "app/FiveTest.java:15 error test junit/FiveTest.throwsOne",
        "app/FiveTest.java:10 error test junit/FiveTest.multiplies",
    ]


def test_what_ant_prints_of_tests_and_of_compilers() -> None:
    failed = [
        "com/shop/Order.java:13 error test ant/OrderTest.refusesNull",
        "com/shop/OrderTest.java:11 error test ant/OrderTest.addsPrices",
    ]
    assert _name_places("ant_junit") == failed
    assert _name_places("ant_junit_brief") == failed
    # With formatters that write files, the name of the class is all that it prints.
    assert _name_places("ant_summary") == ["com/shop/OrderTest.java error test ant/OrderTest"]
    assert _name_places("ant_javac") == [
        "/home/ada/shop/src/main/java/com/shop/Order.java:13:16 error compile javac"
    ]


def test_surefire_before_version_three() -> None:
    output = "[ERROR] adds(app.SumTest)  Time elapsed: 0.012 s  <<< FAILURE!\n" + _STACK
    (found,) = extract_complaints(output.encode())
    assert (found.path, found.line, found.rule) == (b"app/SumTest.java", 12, "SumTest.adds")


def test_gradle() -> None:
    output = (
        "app.SumTest > adds() FAILED\n"
        "    org.opentest4j.AssertionFailedError: expected: <4> but was: <3>\n"
        "        at app.SumTest.adds(SumTest.java:12)\n\n2 tests completed, 1 failed\n"
    )
    assert [described(each) for each in extract_complaints(output.encode())] == [
        "app/SumTest.java:12 error test gradle/SumTest.adds(): org.opentest4j.AssertionFailedEr"
    ]


def test_gradle_with_short_stacks() -> None:
    output = (
        "app.SumTest > adds() FAILED\n    org.opentest4j.AssertionFailedError at SumTest.java:12\n"
    )
    (found,) = extract_complaints(output.encode())
    assert found.line == 12


def test_the_place_in_a_stack_is_the_projects_own() -> None:
    assert find_place(_STACK.split("\n")) == ("app/SumTest.java", 12, None)
    assert find_place(["no stack"]) is None
