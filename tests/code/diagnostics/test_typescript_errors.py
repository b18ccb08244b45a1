"""What is read from real output of tsc, node, eslint and bundlers."""

from git_retcon.code.diagnostics.build_failures import read_failures
from git_retcon.code.diagnostics.complaints import extract_complaints
from tests.code.diagnostics.sample import described, places, told


def test_tsc() -> None:
    assert told("tsc") == [
        "import a.ts:1 gone of ./util",
        "import a.ts:2 keap of ./util",
        "import a.ts:3 default of /home/ada/demo/src/util",
        "file a.ts:4 <./missing>",
        "file a.ts:5 <left-pad-none>",
        "import a.ts:7 default of fs",
        "member a.ts:9 sise of Store",
        "member a.ts:9 length of Store",
        "member a.ts:10 bee of Opt",
        "undefined a.ts:11 TokenStore",
        "undefined a.ts:11 parseToken",
        "member a.ts:12 nothing of /home/ada/demo/src/util",
        "undefined a.ts:13 two",
        "import a.ts:14 Missing of /home/ada/demo/src/util",
        "undefined a.ts:15 keeep",
        "mismatch a.ts:17 a of Opt",
        "undefined a.ts:19 process2",
        "mismatch a.ts:20",
        "undefined a.ts:21 stre",
        "member a.ts:23 q of N",
        "undefined a.ts:23 Store2",
        "import a.ts:24 zed of ./util",
        "file <nope>",
        "file </home/ada/demo/src/none.ts>",
    ]


def test_tsc_pretty() -> None:
    assert told("tsc_pretty") == [
        "import a.ts:1 gone of ./util",
        "unused a.ts:2 keap",
        "import a.ts:2 keap of ./util",
        "unused a.ts:3 def",
        "import a.ts:3 default of /home/ada/demo/src/util",
        "unused a.ts:4 x",
        "file a.ts:4 <./missing>",
    ]


def test_node() -> None:
    assert told("node") == [
        "file n1.cjs <./token>",
        "undefined n2.cjs:1 parseToken",
        "import n3.mjs:1 a of ./b.mjs",
        "file n4.mjs </home/ada/demo/js/nope.mjs>",
        "file n5.mjs <nope-pkg>",
        "member n6.cjs:1 go of u",
        "syntax n10.cjs:1",
        "member n11.cjs:1 K of u",
    ]


def test_eslint() -> None:
    assert told("eslint") == [
        "unused e.js:1 a",
        "undefined e.js:1 missing",
        "unused e.js:1 q",
        "undefined e.js:1 Zed",
    ]


def test_bundlers() -> None:
    assert told("bundlers") == [
        "file w.mjs:1 <./nothere>",
        "file w.mjs:1 <nopkg>",
        "import w.mjs:1 a of ./b.mjs",
        "file w.js <./nothere>",
    ]


def test_tsc_that_says_why_below() -> None:
    assert told("tsc_more") == [
        "import main.ts:8 readFil of node:fs",
        "mismatch main.ts:10 save,id of Saver",
        "mismatch main.ts:17 secret of Store",
        "mismatch main.ts:18",
        "mismatch a.ts:4 f of B",
        "mismatch a.ts:5 f of C",
        "undefined b.tsx:1 React",
        "member main.ts:28 nothing of /home/ada/demo/p/src/store",
    ]


def test_node_names_what_was_undefined() -> None:
    assert told("node_values") == [
        "member l.cjs:1 s",
        "member m.cjs:1 deep",
        "member n.cjs:1 Base",
        "member p.cjs:1 gone",
    ]


def test_node_test_spec() -> None:
    assert told("node_test_spec") == [
        "test t.test.mjs:2",
        "member t.test.mjs:3 save",
        "test t.test.mjs:4",
        "other t.test.mjs:5",
    ]


def test_a_frame_in_a_package_is_not_where_it_was_thrown() -> None:
    output = b"""ReferenceError: a is not defined
    at run (/x/node_modules/lib/run.js:9:9)
    at main (/x/main.js:5:3)
"""
    assert [(item.path, item.line) for item in read_failures(output)] == [(b"/x/main.js", 5)]


def test_an_error_thrown_once_more_is_where_it_comes_from() -> None:
    output = b"""/x/test/colours.js:70
\t\tthrow error
\t\t^

AssertionError [ERR_ASSERTION]: 1 == 2
    at /x/test/colours.js:11:9
    at test (/x/test/colours.js:66:3)
    at Object.<anonymous> (/x/test/colours.js:9:1)
    at Module._compile (node:internal/modules/cjs/loader:1521:14) {
  code: 'ERR_ASSERTION',
"""
    error = "/x/test/colours.js:11:9 error runtime node: AssertionError [ERR_ASSERTION]: 1 == 2"
    assert [described(each) for each in extract_complaints(output)] == [error]
    by_a_package = output.replace(b"/x/test/colours.js:70", b"/x/node_modules/runner/run.js:3")
    assert [described(each) for each in extract_complaints(by_a_package)] == [error]


def test_what_cannot_be_parsed_is_no_fault_of_the_file_that_loads_it() -> None:
    output = b"""/x/parse.js:1
function ( {
         ^

SyntaxError: Function statements require a function name
    at wrapSafe (node:internal/modules/cjs/loader:1464:18)
    at Object.<anonymous> (/x/main.js:1:11)
"""
    assert [(item.path, item.line) for item in read_failures(output)] == [(b"/x/parse.js", 1)]


def test_every_record_of_node_stack() -> None:
    assert places("node_stack") == [
        "/home/ada/demo/src/sum.js:4:12 error runtime node: TypeError: Cannot read properties o",
        "/home/ada/demo/src/parse.js:1 error compile node: SyntaxError: Function statements req",
    ]


def test_every_record_of_tsc_pretty() -> None:
    assert places("tsc_pretty") == [
        "src/a.ts:1:1 error metadata tsc/TS6192: All imports in import declaration are un",
        "src/a.ts:1:10 error type-check tsc/TS2305: Module '\"./util\"' has no exported member",
        "src/a.ts:2:1 error metadata tsc/TS6133: 'keap' is declared but its value is neve",
        "src/a.ts:2:10 error type-check tsc/TS2305: Module '\"./util\"' has no exported member",
        "src/a.ts:3:1 error metadata tsc/TS6133: 'def' is declared but its value is never",
        "src/a.ts:3:8 error compile tsc/TS1192: Module '\"/home/ada/demo/src/util\"' has n",
        "src/a.ts:4:1 error metadata tsc/TS6133: 'x' is declared but its value is never r",
        "src/a.ts:4:15 error type-check tsc/TS2307: Cannot find module './missing' or its co",
    ]


def test_what_a_module_throws() -> None:
    output = (
        b'file:///home/ada/demo/index.js:1\nthrow new Error("broken");\n      ^\n\nError: broken\n'
        b"    at file:///home/ada/demo/index.js:1:7\n"
        b"    at ModuleJob.run (node:internal/modules/esm/module_job:325:25)\n"
    )
    assert [described(each) for each in extract_complaints(output)] == [
        "/home/ada/demo/index.js:1:7 error runtime node: Error: broken"
    ]
