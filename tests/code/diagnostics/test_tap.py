"""What is read from the protocol that ``node --test`` prints where there is no terminal."""

from git_retcon.code.diagnostics.build_failures import read_failures
from git_retcon.code.diagnostics.complaints import extract_complaints
from tests.code.diagnostics.sample import described, sample, told


def test_node_test_tap() -> None:
    assert told("node_test_tap") == [
        "test t.test.mjs:2",
        "member t.test.mjs:3 save",
        "test t.test.mjs:4",
        "other t.test.mjs:5",
    ]


def test_a_place_in_a_package_is_not_the_test_s() -> None:
    output = b"""not ok 1 - adds
  ---
  error: 'a is not defined'
  name: 'ReferenceError'
  stack: |-
    run (/x/node_modules/lib/run.js:9:9)
    /x/sum.test.js:5:3
  ...
"""
    assert [(item.path, item.line) for item in read_failures(output)] == [(b"/x/sum.test.js", 5)]


def test_tape_as_it_is_and_as_tap_spec_prints_it() -> None:
    raw, _, spec = sample("tape").partition(b"$ tape t/count.js | tap-spec")
    found = [
        "/home/ada/demo/t/count.js:5:5 error test tap/one more: one more",
        "/home/ada/demo/t/count.js:6:5 error test tap/should be deeply equivalent: should be de",
        "/home/ada/demo/t/count.js:11:5 error test tap/should throw: should throw",
        "/home/ada/demo/node_modules/tape/index.js:197:8 error test tap/plan != count: plan !=",
    ]
    assert [described(each) for each in extract_complaints(raw)] == found
    assert [described(each) for each in extract_complaints(spec)] == found


def test_qunit_and_the_nested_tests_of_tap() -> None:
    """A test that holds failed ones is none itself."""
    assert [described(each) for each in extract_complaints(sample("qunit"))] == [
        "/home/ada/demo/qunit/fail.mjs:5:5 error test tap/adds numbers: failed",
        "/home/ada/demo/src/good.mjs:6:14 error test tap/does not explode: Died on test #1: Can",
    ]
    assert [described(each) for each in extract_complaints(sample("tap_nested"))] == [
        "tap/fail.mjs:5:5 error test tap/should be equal: should be equal",
        "src/good.mjs:6:14 error test tap/Cannot read properties of undefined (reading 'z'): Ca",
    ]
