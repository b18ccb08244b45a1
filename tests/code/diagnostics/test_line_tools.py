"""What the table of line tools reads from real output, and that each entry is sound."""

import pytest

from git_retcon.code.diagnostics.complaints import extract_complaints
from git_retcon.code.diagnostics.errorformat import compile_format
from git_retcon.code.diagnostics.line_tools import HINTS, TOOLS
from tests.code.diagnostics.sample import described, places, sample


def test_eslint_compact() -> None:
    assert places("eslint_compact") == [
        "/home/ada/demo/src/lint.js:1:5 error lint eslint/no-unused-vars: 'unused' is assigned",
        "/home/ada/demo/src/lint.js:3:9 warning lint eslint/eqeqeq: Expected '===' and instead",
        "/home/ada/demo/src/lint.js:3:20 error lint eslint/no-undef: 'missing' is not defined.",
        "/home/ada/demo/src/lint.js:3:30 error lint eslint/semi: Missing semicolon.",
        "/home/ada/demo/src/lint.js:4:11 error lint eslint/semi: Missing semicolon.",
        "/home/ada/demo/src/lint.js:6:3 error lint eslint/quotes: Strings must use doublequote.",
        "/home/ada/demo/src/parse.js:1:10 error lint eslint: Parsing error: Unexpected token (",
    ]


def test_standard() -> None:
    assert places("standard") == [
        "/home/ada/demo/packages/a/index.js:1:7 error lint standard/no-unused-vars: 'unused' is",
        "/home/ada/demo/packages/a/index.js:2:13 error lint standard/quotes: Strings must use s",
        "/home/ada/demo/packages/a/index.js:2:18 error lint standard/semi: Extra semicolon.",
        "/home/ada/demo/packages/a/index.js:4:1 warning lint standard/prefer-const: Prefer cons",
    ]


def test_without_standards_name_an_indented_place_is_no_complaint() -> None:
    lines = sample("standard").splitlines(keepends=True)
    assert extract_complaints(b"".join(lines[2:])) == ()


def test_eslint_unix() -> None:
    assert places("eslint_unix") == [
        "/home/ada/demo/src/lint.js:1:5 error lint eslint/no-unused-vars: 'unused' is assigned",
        "/home/ada/demo/src/lint.js:3:9 warning lint eslint/eqeqeq: Expected '===' and instead",
        "/home/ada/demo/src/lint.js:3:20 error lint eslint/no-undef: 'missing' is not defined.",
        "/home/ada/demo/src/lint.js:3:30 error lint eslint/semi: Missing semicolon.",
        "/home/ada/demo/src/lint.js:4:11 error lint eslint/semi: Missing semicolon.",
        "/home/ada/demo/src/lint.js:6:3 error lint eslint/quotes: Strings must use doublequote.",
        "/home/ada/demo/src/parse.js:1:10 error lint eslint: Parsing error: Unexpected token (",
    ]


def test_eslint_vs() -> None:
    assert places("eslint_vs") == [
        "/home/ada/demo/src/lint.js:1:5 error lint eslint/no-unused-vars: 'unused' is assigned",
        "/home/ada/demo/src/lint.js:3:9 warning lint eslint/eqeqeq: Expected '===' and instead",
        "/home/ada/demo/src/lint.js:3:20 error lint eslint/no-undef: 'missing' is not defined.",
        "/home/ada/demo/src/lint.js:3:30 error lint eslint/semi: Missing semicolon.",
        "/home/ada/demo/src/lint.js:4:11 error lint eslint/semi: Missing semicolon.",
        "/home/ada/demo/src/lint.js:6:3 error lint eslint/quotes: Strings must use doublequote.",
        "/home/ada/demo/src/parse.js:1:10 error lint eslint: Parsing error: Unexpected token (",
    ]


def test_stylelint_unix() -> None:
    assert places("stylelint_unix") == [
        "/home/ada/demo/bad.css:1:12 error lint stylelint/declaration-property-value-no-unknown",
        "/home/ada/demo/bad.css:2:1 error lint stylelint/no-duplicate-selectors: Duplicate sele",
        "/home/ada/demo/bad.css:2:5 error lint stylelint/property-no-unknown: Unknown property",
    ]


def test_checkstyle_of_a_file_that_it_cannot_parse() -> None:
    # The frames of its own stack are in no tree of its users.
    assert [each for each in places("checkstyle_parse") if "puppycrawl" not in each] == [
        "/home/ada/demo/src/A.java:4:13 error compile checkstyle: unexpected token: ;",
        "/home/ada/demo/src/A.java:2:8 error lint checkstyle/UnusedImports: Unused import - jav",
    ]


def test_scalac() -> None:
    assert places("scalac") == [
        "/home/ada/demo/src/App.scala:3 error compile scala: object Nothing2 is not a member of",
        "/home/ada/demo/src/App.scala:7 error compile scala: type mismatch;",
        "/home/ada/demo/src/App.scala:9 error compile scala: not found: value missing",
        "/home/ada/demo/src/App.scala:10 error compile scala: type mismatch;",
        "/home/ada/demo/src/Broken.scala:2 error compile scala: identifier expected but '=' fou",
        "/home/ada/demo/src/Broken.scala:3 error compile scala: ':' expected but '}' found.",
        "/home/ada/demo/src/Old.scala:4 warning compile scala: match may not be exhaustive.",
        "/home/ada/demo/src/Old.scala:3 warning compile scala: method f in object Old is deprec",
    ]


def test_monos_compiler_of_c_sharp() -> None:
    assert places("mcs") == [
        "/home/ada/demo/Program.cs:2:14 error compile dotnet/CS0234: The type or namespace name",
        "/home/ada/demo/Broken.cs:2:12 error compile dotnet/CS1525: Unexpected symbol `{'",
        "/home/ada/demo/Warn.cs:2:30 error compile dotnet/CS0168: Warning as Error: The variabl",
    ]


def test_a_build_of_dot_net_says_its_errors_twice() -> None:
    assert [place.partition(": ")[0] for place in places("xbuild")] == [
        "Program.cs:6:27 error compile dotnet/CS0103",
        "Program.cs:7:23 error compile dotnet/CS0029",
        "Program.cs:8:21 error compile dotnet/CS1061",
        "src/Store.cs:2:32 error compile dotnet/CS0029",
    ]


def test_checkstyle() -> None:
    found = [
        place.removeprefix("/home/ada/demo/src/main/java/app/") for place in places("checkstyle")
    ]
    assert [place.partition(": ")[0] for place in found] == [
        "Store.java:1 error lint checkstyle/JavadocPackage",
        "Store.java:4:5 error lint checkstyle/DesignForExtensi",
        "Store.java:4:5 warning lint checkstyle/Indentation",
        "Store.java:5:9 warning lint checkstyle/Indentation",
        "Store.java:6:9 warning lint checkstyle/Indentation",
        "Store.java:7:5 warning lint checkstyle/Indentation",
    ]


def test_phpunit() -> None:
    assert places("phpunit") == [
        "/home/ada/demo/tests/StoreTest.php:26 error test phpunit/StoreTest::testBreaks: Error:",
        "/home/ada/demo/tests/StoreTest.php:8 error test phpunit/StoreTest::testAdds: sum Faile",
    ]


def test_phpcs() -> None:
    found = extract_complaints(sample("phpcs"))
    assert {each.path for each in found} == {b"/home/ada/demo/bad.php"}
    assert [each.line for each in found] == [1, *[2] * 3, *[3] * 3, *[4] * 3, *[5] * 5, 6]
    assert found[0].message == "Header blocks must be separated by a single blank line"


def test_perlcritic() -> None:
    found = [place.partition(": ")[0] for place in places("perlcritic")]
    # It names no file, but where its form is changed.
    assert found[:4] == [
        "-:1:1 error lint perlcritic/4",
        "-:1:1 error lint perlcritic/5",
        "-:1:1 error lint perlcritic/4",
        "-:2:1 error lint perlcritic/5",
    ]


def test_remark() -> None:
    assert [place.partition(": ")[0] for place in places("remark")] == [
        "a.md:8:1 warning lint remark/no-undefined-references",
        "a.md:9:1 warning lint remark/no-undefined-references",
    ]


def test_ocaml_is_not_python() -> None:
    assert places("ocaml") == [
        "a.ml:1:24 error compile ocaml: This expression has type string but an e",
        "b.ml:3 error compile ocaml: Syntax error",
    ]


def test_hlint_nim_verilator_and_zig() -> None:
    assert places("small_compilers") == [
        "A.hs:5:10 warning lint hlint: Use concatMap",
        "A.hs:6:3 warning lint hlint: Redundant if",
        "A.hs:6:3 warning lint hlint: Use when",
        "A.hs:6:6 warning lint hlint: Redundant bracket",
        "/home/ada/demo/a.nim:1:14 error compile nim: type mismatch: got 'string' for '\"a\"' bu",
        "m.v:2:12 error compile verilator: Can't find definition of variable: 'c'",
        "z.zig:5:5 error compile zig: use of undeclared identifier 'missing'",
    ]


def test_solc() -> None:
    assert places("solc") == [
        'A.sol:2:36 error compile solc: Type literal_string "a" is not implicitl'
    ]


def test_shellcheck_gcc() -> None:
    assert places("shellcheck_gcc") == [
        "a.sh:2:10 error lint shellcheck/SC2045: Iterating over ls output is fragile. Use",
        "a.sh:2:15 note lint shellcheck/SC2035: Use ./*glob* or -- *glob* so names with",
        "a.sh:3:8 note lint shellcheck/SC2086: Double quote to prevent globbing and wor",
        "a.sh:5:6 warning lint shellcheck/SC2154: x is referenced but not assigned.",
        "a.sh:5:6 note lint shellcheck/SC2086: Double quote to prevent globbing and wor",
        "a.sh:5:26 note lint shellcheck/SC2005: Useless echo? Instead of 'echo $(cmd)',",
        "a.sh:5:27 note lint shellcheck/SC2006: Use $(...) notation instead of legacy ba",
    ]


def test_bash() -> None:
    assert places("bash") == [
        "b.sh:3 error compile bash: unexpected EOF while looking for matchin",
        "c.sh:2 error infrastructure /exit-127: c.sh: line 2: nosuchcmd: command not fou",
        "- error config make: missing.txt: No such file or directory",
        "noexec.sh error infrastructure /exit-126: c.sh: line 4: ./noexec.sh: Permission de",
        "c.sh:2 error infrastructure /exit-127: c.sh: 2: nosuchcmd: not found",
        "noexec.sh error infrastructure /exit-126: c.sh: 4: ./noexec.sh: Permission denied",
        "b.sh:4 error compile bash: Syntax error: Unterminated quoted string",
    ]


def test_perl() -> None:
    assert places("perl") == [
        "a.pl:1 error compile perl: Can't find string terminator '\"' anywher",
        'b.pl:2 error compile perl: Global symbol "$x" requires explicit pac',
        "c.pl:1 error compile perl: Can't locate Nothere/Mod.pm in @INC (you",
        "c.pl:1 error compile perl: BEGIN failed--compilation aborted",
    ]


def test_lua() -> None:
    assert places("lua") == [
        "a.lua:1 error compile lua: unexpected symbol near '='",
        "b.lua:2 error compile lua: attempt to index a nil value (local 'x')",
    ]


def test_terraform() -> None:
    assert places("terraform") == [
        "main.tf:1 error config terraform: Unclosed configuration block",
        "main.tf:2 error config terraform: Unsupported argument",
    ]


def test_ruby() -> None:
    assert places("ruby") == [
        "a.rb:1 error compile ruby: syntax error, unexpected end-of-input, e",
        "b.rb:2 error runtime ruby: undefined local variable or method `gone",
    ]


def test_rspec() -> None:
    assert places("rspec") == [
        "x_spec.rb:3 error test rspec: x adds expect(1 + 1).to eq(3)",
        "x_spec.rb:6 error test rspec: x raises nil.gone",
    ]


def test_minitest() -> None:
    assert places("minitest") == [
        "t.rb:4 error test minitest/T#test_a: Expected: 1",
        "t.rb:7 error test minitest/test_b: undefined method `gone' for nil:NilClass",
    ]


def test_php() -> None:
    assert places("php") == [
        'a.php:2 error compile php: syntax error, unexpected token "{", expe',
        "/home/ada/demo/b.php:2 error compile php: Uncaught Exception: x",
    ]


def test_yamllint_parsable() -> None:
    assert places("yamllint_parsable") == [
        'bad.yml:1:1 warning lint yamllint/document-start: missing document start "---"',
        'bad.yml:2:1 error lint yamllint/key-duplicates: duplication of key "a" in mapping',
        "bad.yml:3:5 error lint yamllint/colons: too many spaces after colon",
        "bad.yml:3:9 error lint yamllint/commas: too few spaces after comma",
    ]


def test_sqlfluff() -> None:
    assert places("sqlfluff") == [
        "q.sql:1:1 error lint sqlfluff/LT09: Select targets should be on a new line u",
        "q.sql:1:10 error lint sqlfluff/LT01: Expected single whitespace between comma",
        "q.sql:1:12 error lint sqlfluff/CP01: Keywords must be consistently upper case",
        "q.sql:1:19 error lint sqlfluff/CP01: Keywords must be consistently upper case",
        "q.sql:1:19 error lint sqlfluff/LT14: The 'where' keyword should always start",
        "q.sql:1:24 error lint sqlfluff/LT01: Expected only single space before naked",
        "q.sql:1:27 error lint sqlfluff/LT01: Expected single whitespace between naked",
        "q.sql:1:28 error lint sqlfluff/LT01: Expected single whitespace between raw c",
        "bad.sql:1:1 error lint sqlfluff/PRS: Line 1, Position 1: Found unparsable sec",
    ]


def test_codespell() -> None:
    assert places("codespell") == [
        "text.md:1 error lint codespell: teh ==> the",
        "text.md:2 error lint codespell: recieve ==> receive",
    ]


def test_ansible_lint() -> None:
    assert places("ansible_lint") == [
        "site.yml:1:3 error lint ansible-lint/name[play]: All plays should be named.",
        "site.yml:3 error lint ansible-lint/command-instead-of-shell: Use shell only when shell",
        "site.yml:3:7 error lint ansible-lint/fqcn[action-core]: Use FQCN for builtin module ac",
        "site.yml:3 error lint ansible-lint/name[missing]: All tasks should be named.",
        "site.yml:3 error lint ansible-lint/no-changed-when: Commands should not change things",
    ]


def test_markdownlint() -> None:
    assert places("markdownlint") == [
        "bad.md:1:1 error lint markdownlint/MD018/no-missing-space-atx: No space after hash on",
        "bad.md:1 error lint markdownlint/MD041/first-line-heading/first-line-h1: First line in",
        "bad.md:3 error lint markdownlint/MD012/no-multiple-blanks: Multiple consecutive blank",
        "bad.md:4 error lint markdownlint/MD012/no-multiple-blanks: Multiple consecutive blank",
        "bad.md:6 error lint markdownlint/MD032/blanks-around-lists: Lists should be surrounded",
        "bad.md:7:1 error lint markdownlint/MD004/ul-style: Unordered list style [Expected: ast",
        "bad.md:7 error lint markdownlint/MD032/blanks-around-lists: Lists should be surrounded",
    ]


def test_cspell() -> None:
    assert places("cspell") == [
        "words.txt:1:1 warning lint cspell: Unknown word (recieve) fix: (receive)",
        "words.txt:2:1 warning lint cspell: Unknown word (qwzxy)",
    ]


def test_make_errors() -> None:
    assert places("make_errors") == [
        "Makefile:4 error config make: missing separator.  Stop.",
        "- error config make: No rule to make target 'nothere.c', need",
    ]


def test_cmake() -> None:
    assert places("cmake") == [
        'CMakeLists.txt:4 error config make: By not providing "FindNothere.cmake" in',
        "CMakeLists.txt:8 warning config cmake: take care",
    ]


def test_typos() -> None:
    assert places("typos") == [
        "t.txt:1:1 error lint typos: `teh` should be `the`",
        "t.txt:1:11 error lint typos: `recieve` should be `receive`",
    ]


def test_cpplint() -> None:
    assert places("cpplint") == [
        "a.cc warning lint cpplint/legal/copyright: No copyright message found.  You should",
        "a.cc:1 warning lint cpplint/build/include_subdir: Include the directory when naming he",
    ]


def test_djlint() -> None:
    assert places("djlint") == [
        "a.html:1 error lint djlint/H025: Tag seems to be an orphan. <div>",
        "a.html:2 error lint djlint/H013: Img tag should have an alt attribute. <i",
        "a.html:3 error lint djlint/H025: Tag seems to be an orphan. </p>",
    ]


def test_pydocstyle() -> None:
    assert places("pydocstyle") == [
        "m.py:1 error lint pydocstyle/D100: Missing docstring in public module",
        "m.py:1 error lint pydocstyle/D103: Missing docstring in public function",
    ]


def test_proselint() -> None:
    assert places("proselint") == [
        "/home/ada/demo/p.md:1:9 warning lint proselint/lexical_illusions:: There's a lexical i",
        "/home/ada/demo/p.md:1:9 warning lint proselint/weasel_words.very:: Substitute 'damn' e",
        "/home/ada/demo/p.md:1:14 warning lint proselint/weasel_words.very:: Substitute 'damn'",
    ]


def test_hadolint() -> None:
    assert places("hadolint") == [
        "Dockerfile:1 warning lint hadolint/DL3006: Always tag the version of an image expli",
        "Dockerfile:2 warning lint hadolint/DL3003: Use WORKDIR to switch to a directory",
        "Dockerfile:2 warning lint hadolint/DL3014: Use the `-y` switch to avoid manual inpu",
        "Dockerfile:2 note lint hadolint/DL3015: Avoid additional packages by specifying",
        "Dockerfile:2 warning lint hadolint/DL3008: Pin versions in apt get install. Instead",
    ]


def test_rstcheck() -> None:
    assert places("rstcheck") == [
        "a.rst:6 error lint rstcheck/3: (python) invalid syntax",
        "a.rst:2 error lint rstcheck/1: Possible title underline, too short for",
        'a.rst:8 error lint rstcheck/1: No role entry for "unknown" in module "d',
        'a.rst:8 error lint rstcheck/3: Unknown interpreted text role "unknown".',
    ]


def test_luacheck() -> None:
    assert places("luacheck") == [
        "a.lua:1:1 warning lint luacheck: setting non-standard global variable 'x'",
        "a.lua:2:7 warning lint luacheck: unused variable 'y'",
        "a.lua:3:10 warning lint luacheck: setting non-standard global variable 'f'",
        "a.lua:3:12 warning lint luacheck: unused argument 'a'",
        "a.lua:3:22 warning lint luacheck: accessing undefined variable 'z'",
    ]


def test_erlc() -> None:
    assert places("erlc") == [
        "a.erl:3:8 error compile erlc: function g/0 undefined",
        "a.erl:4:1 warning compile erlc: function h/0 is unused",
        "a.erl:4:8 warning compile erlc: variable 'X' is unused",
    ]


def test_elixir() -> None:
    assert places("elixir") == [
        'a.ex:3 warning compile elixir: variable "y" is unused (if the variable',
        "a.ex:4 error compile elixir: undefined function gone/1 (expected A to",
    ]


def test_exunit() -> None:
    assert places("exunit") == [
        "t.exs:5 error test exunit: adds (T)",
        "t.exs:8 error test exunit: raises (T)",
    ]


def test_gfortran() -> None:
    assert places("gfortran") == [
        "a.f90:3:3 error compile fortran: Symbol ‘x’ at (1) has no IMPLICIT type",
    ]


def test_swift() -> None:
    assert places("swift") == [
        "/home/sw/Sources/Demo/main.swift:5:16 error compile swift: cannot find 'valu' in scope",
        "/home/sw/Sources/Demo/main.swift:7:12 error compile swift: cannot convert return expre",
        "/home/shop/Sources/Demo/Store.swift:2:9 warning compile swift/no-usage: initialization",
    ]
    assert places("swift_trap") == [
        "Sources/Demo/main.swift:1:21 error runtime swift: Index out of range"
    ]
    assert places("xctest") == [
        'StoreTests.swift:6 error test xctest/StoreTests.testTotal: XCTAssertEqual failed: ("2"',
        'StoreTests.swift:10 error test xctest/StoreTests.testEmpty: XCTAssertNil failed: "0" -',
        '- error test xctest/StoreTests.testEmpty: threw error "Odd()"',
    ]


def test_dart() -> None:
    said = places("dart")
    # by `dart analyze`; by its form for machines, with absolute paths; by a run; by a throw
    assert said[:1] + said[6:8] == [
        "bin.dart:1:8 error compile dart/uri_does_not_exist: Target of URI doesn't exist: 'lib/",
        "lib/store.dart:8:10 error compile dart/expected_token: Expected to find ';'.",
        "lib/store.dart:5:14 warning compile dart/unused_local_variable: The value of the local",
    ]
    assert [each[:40] for each in said[14:16]] == [
        "/home/ada/demo/lib/store.dart:8:10 error",
        "/home/ada/demo/lib/store.dart:5:14 warni",
    ]
    assert said[16:] == [
        "bin.dart:1:8 error compile dart: Error when reading 'lib/gone.dart': No s",
        "bin.dart:5:9 error compile dart: Method not found: 'missing'.",
        "bin.dart:4:21 error compile dart: A value of type 'String' can't be assign",
        "/home/ada/demo/throws.dart:2:20 error runtime dart: Bad state: odd: 3",
    ]
    formatted = b"line 8, column 10 of lib/store.dart: Expected to find ';'.\n"
    assert [described(each) for each in extract_complaints(formatted)] == [
        "lib/store.dart:8:10 error compile dart: Expected to find ';'."
    ]


@pytest.mark.parametrize("tool", TOOLS, ids=lambda tool: tool.name)
def test_every_format_compiles_and_has_a_place_for_a_message(tool) -> None:  # type: ignore[no-untyped-def]
    kinds = {compile_format(text).kind for text in tool.formats}
    assert tool.hints
    assert kinds & {"", "E", "W", "I", "N", "A"}
    patterns = [compile_format(text).pattern.compiled for text in tool.formats]
    groups = {name for pattern in patterns for name in pattern.groupindex}
    assert groups & {"m", "s"} or tool.message or any("%+" in text for text in tool.formats)


def test_the_hints_are_those_of_the_tools() -> None:
    assert set(HINTS) == {hint for tool in TOOLS for hint in tool.hints}


@pytest.mark.parametrize(
    ("line", "read"),
    [
        (
            "lib/a.rb:3:5: C: [Correctable] Style/StringLiterals: Prefer single-quoted strings",
            "lib/a.rb:3:5 warning lint rubocop/Style/StringLiterals: Prefer single-quoted strings",
        ),
        (
            "lib/a.rb:3:5: E: Lint/Syntax: unexpected",
            "lib/a.rb:3:5 error lint rubocop/Lint/Syntax: unexpected",
        ),
        (
            "src/App.php:12:Call to an undefined method App::gone()",
            "src/App.php:12 error type-check phpstan: Call to an undefined method App::gone()",
        ),
        (
            "/home/ada/demo/Program.cs(5,13): error CS0103: The name 'x' does"
            " [/home/ada/demo/demo.csproj]",
            "/home/ada/demo/Program.cs:5:13 error compile dotnet/CS0103: The name 'x' does",
        ),
        (
            "Sources/a.swift:3:9: error: cannot find 'x' in scope",
            "Sources/a.swift:3:9 error compile swift: cannot find 'x' in scope",
        ),
        (
            "[error] /home/ada/src/Main.scala:5:3: not found: value x",
            "/home/ada/src/Main.scala:5:3 error compile scala: not found: value x",
        ),
        (
            "** (CompileError) lib/a.ex:3: undefined function x/0",
            "lib/a.ex:3 error compile elixir: undefined function x/0",
        ),
        (
            "src/a.erl:7:5: function x/0 undefined",
            "src/a.erl:7:5 error compile erlc: function x/0 undefined",
        ),
        (
            "lib/a.lua:3:1: (W111) setting non-standard global variable x",
            "lib/a.lua:3:1 warning lint luacheck: setting non-standard global variable x",
        ),
        (
            "  error • Undefined name 'x' • lib/a.dart:3:5 • undefined_identifier",
            "lib/a.dart:3:5 error compile dart/undefined_identifier: Undefined name 'x'",
        ),
        (
            "Dockerfile:3 DL3008 warning: Pin versions in apt get install",
            "Dockerfile:3 warning lint hadolint/DL3008: Pin versions in apt get install",
        ),
        (
            "api/a.proto:3:1:Expected top-level statement",
            "api/a.proto:3:1 error compile protoc: Expected top-level statement",
        ),
        (
            "docs/a.md:3:1:Vale.Spelling:Did you really mean 'foo'?",
            "docs/a.md:3:1 warning lint vale/Vale.Spelling: Did you really mean 'foo'?",
        ),
        (
            "main.tf:2:1: Warning - Missing version (terraform_required_version)",
            "main.tf:2:1 warning lint tflint/terraform_required_version: Missing version",
        ),
        (
            "[ERROR] src/main/java/A.java:3:5: No Javadoc. [MissingJavadoc]",
            "src/main/java/A.java:3:5 error lint checkstyle/MissingJavadoc: No Javadoc.",
        ),
        (
            ".github/workflows/ci.yml:3:5: unknown key [syntax-check]",
            ".github/workflows/ci.yml:3:5 error lint actionlint/syntax-check: unknown key",
        ),
        (
            "docs/index.rst:12: WARNING: unknown document: 'x'",
            "docs/index.rst:12 warning lint sphinx: unknown document: 'x'",
        ),
        (
            "src/main.zig:3:5: error: use of undeclared identifier 'x'",
            "src/main.zig:3:5 error compile zig: use of undeclared identifier 'x'",
        ),
    ],
    ids=lambda value: value[:20],
)
def test_lines_as_the_manuals_of_tools_give_them(line: str, read: str) -> None:
    """Tools that cannot be installed here."""
    assert [described(each) for each in extract_complaints(line.encode())] == [read[:86]]


def test_what_pre_commits_hooks_change() -> None:
    output = (
        b"trim trailing whitespace.................................................Failed\n"
        b"- hook id: trailing-whitespace\n- exit code: 1\n- files were modified by this hook\n\n"
        b"Fixing docs/a.md\n"
    )
    assert [described(each) for each in extract_complaints(output)] == [
        "docs/a.md error lint pre-commit: changed by a hook"
    ]


def test_rubocop() -> None:
    """Version 1.39, as people see it and as editors do."""
    offences = [
        "broken.rb:4:3 error lint rubocop/Lint/Syntax: unexpected token tINTEGER",
        "store.rb:3:1 warning lint rubocop/Style/Documentation: Missing top-level documentation",
        "store.rb:4:18 warning lint rubocop/Style/MethodDefParentheses: Use def with parenthese",
        "store.rb:9:5 warning lint rubocop/Lint/UselessAssignment: Useless assignment to variab",
        "store.rb:10:17 warning lint rubocop/Style/BlockDelimiters: Prefer {...} over do...end",
    ]
    assert places("rubocop_progress") == offences
    alike = [place.partition(" ")[0] for place in offences]
    assert [place.partition(" ")[0] for place in places("rubocop_emacs")] == [
        f"/home/ada/demo/{place}" for place in alike
    ]


def test_ghc() -> None:
    """Version 9.0."""
    assert [place.partition(" ")[0] for place in places("ghc")] == [
        "Import.hs:3:1", "Store.hs:7:8", "Broken.hs:6:3", "Warn.hs:2:1", "Warn.hs:3:1",
        "Warn.hs:3:3",
    ]  # fmt: skip
    assert places("ghc")[1] == (
        "Store.hs:7:8 error compile ghc: Variable not in scope: missing :: String"
    )


def test_buf() -> None:
    """Version 1.75; its formatter's diff is read where a step calls for that."""
    assert [place.partition(" ")[0] for place in places("buf")] == [
        "store.proto:7:3", "store.proto:3:1", "store.proto:3:1", "store.proto:5:9",
        "store.proto:6:10", "store.proto:2:1", "store.proto:2:9",
    ]  # fmt: skip


def test_what_builders_of_pages_warn_of() -> None:
    # With -W and --strict they fail for it. The line of a docstring is none of its file.
    assert places("sphinx_docstrings") == [
        "/home/ada/shop/shop/__init__.py warning lint sphinx: Block quote ends without a blank",
        "/home/ada/shop/shop/__init__.py warning lint sphinx: undefined label: 'nowhere' [ref.r",
        "/home/ada/shop/docs/index.rst:7 warning lint sphinx: unknown document: 'gone' [ref.doc",
    ]
    assert places("mkdocs") == [
        "index.md warning lint mkdocs: contains a link 'gone.md', but the targe"
    ]


def test_the_scenario_that_failed() -> None:
    assert places("behave") == ["features/a.feature:2 error test behave: adds"]
