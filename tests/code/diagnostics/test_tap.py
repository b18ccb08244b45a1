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


def test_what_ends_a_file_before_its_tests_is_found_in_the_comments_above() -> None:
    said = """\
TAP version 13
# /home/ada/demo/js/sum.js:2
#   return a + ;
#              ^
# SyntaxError: Unexpected token ';'
#     at wrapSafe (node:internal/modules/cjs/loader:1464:18)
#     at Object.<anonymous> (/home/ada/demo/js/node.test.js:3:17)
# Node.js v20.20.2
# Subtest: /home/ada/demo/js/node.test.js
not ok 1 - /home/ada/demo/js/node.test.js
  ---
  duration_ms: 540.572736
  location: '/home/ada/demo/js/node.test.js:1:1'
  failureType: 'testCodeFailure'
  exitCode: 1
  error: 'test failed'
  code: 'ERR_TEST_FAILURE'
  ...
1..1
# tests 1
# fail 1
"""
    (found,) = extract_complaints(said.encode())
    assert (found.path, found.line) == (b"/home/ada/demo/js/sum.js", 2)
    assert found.message == "SyntaxError: Unexpected token ';'"
