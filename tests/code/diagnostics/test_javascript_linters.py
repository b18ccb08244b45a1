"""What is read from JavaScript's linters and formatters."""

from tests.code.diagnostics.sample import places


def test_eslint_stylish() -> None:
    assert places("eslint_stylish") == [
        "/home/ada/demo/src/lint.js:1:5 error lint eslint/no-unused-vars: 'unused' is assigned",
        "/home/ada/demo/src/lint.js:3:9 warning lint eslint/eqeqeq: Expected '===' and instead",
        "/home/ada/demo/src/lint.js:3:20 error lint eslint/no-undef: 'missing' is not defined",
        "/home/ada/demo/src/lint.js:3:30 error lint eslint/semi: Missing semicolon",
        "/home/ada/demo/src/lint.js:4:11 error lint eslint/semi: Missing semicolon",
        "/home/ada/demo/src/lint.js:6:3 error lint eslint/quotes: Strings must use doublequote",
        "/home/ada/demo/src/parse.js:1:10 error lint eslint: Parsing error: Unexpected token (",
    ]


def test_stylelint() -> None:
    assert places("stylelint") == [
        "bad.css:1:12 error lint stylelint/declaration-property-value-no-unknown: Unknown value",
        'bad.css:2:1 error lint stylelint/no-duplicate-selectors: Duplicate selector "a", first',
        'bad.css:2:5 error lint stylelint/property-no-unknown: Unknown property "colr"',
    ]


def test_biome() -> None:
    assert places("biome") == [
        "src/lint.js:1:5 warning lint biome/lint/correctness/noUnusedVariables: This variable u",
        "src/lint.js error lint biome/format: Formatter would have printed the followi",
    ]


def test_prettier() -> None:
    assert places("prettier") == [
        "src/app.ts error lint prettier: not formatted",
        "src/bad.ts:1:11 error compile prettier: SyntaxError: Expression expected.",
        "src/lint.js error lint prettier: not formatted",
        "src/parse.js:1:10 error compile prettier: SyntaxError: Unexpected token",
        "src/sum.js error lint prettier: not formatted",
        "src/sum.mjs error lint prettier: not formatted",
    ]


def test_eslint_as_xo_prints_it() -> None:
    assert places("eslint_pretty") == [
        "source/index.js:3:9 warning lint eslint/eqeqeq: Expected === and instead saw ==.",
        "source/index.js:1:7 error lint eslint/no-unused-vars: unused is assigned a value but n",
        "source/index.js:3:22 error lint eslint/no-undef: missing is not defined.",
        "source/more.js:2:20 warning lint eslint/eqeqeq: Expected === and instead saw ==.",
        "source/more.js:1:19 error lint eslint/semi: Missing semicolon.",
        "source/more.js:2:24 error lint eslint/semi: Missing semicolon.",
    ]
