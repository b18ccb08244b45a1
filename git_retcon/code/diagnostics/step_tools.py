"""Which readers a step's commands call for: those of its tools, where all of them are known."""

import re

_PYTHON = ("python", "python tests", "python linters")
_GO = ("go", "go tests")
_RUST = ("rust", "native tests")
_NATIVE = ("c", "make", "native tests")
_JVM = ("java", "java tests")
_SCRIPT = (
    *("typescript", "javascript tests", "ava tests", "jasmine tests", "javascript linters", "tap"),
)
_FAMILIES = {
    **dict.fromkeys(
        ("pytest", "py.test", "unittest", "mypy", "dmypy", "pyright", "basedpyright", "ruff"),
        _PYTHON,
    ),
    **dict.fromkeys(("flake8", "pylint", "black", "isort", "bandit", "compileall"), _PYTHON),
    **dict.fromkeys(("coverage", "doctest", "pyflakes", "pycodestyle", "pydocstyle"), _PYTHON),
    **dict.fromkeys(("go", "golangci-lint", "staticcheck", "govulncheck", "gofmt", "gofumpt"), _GO),
    **dict.fromkeys(("cargo", "rustc", "rustfmt", "clippy-driver", "cargo-clippy"), _RUST),
    **dict.fromkeys(
        ("gcc", "g++", "cc", "c++", "clang", "clang++", "clang-tidy", "ctest"), _NATIVE
    ),
    **dict.fromkeys(("javac", "kotlinc", "mvn", "mvnw", "gradle", "gradlew"), _JVM),
    **dict.fromkeys(("tsc", "vue-tsc", "eslint", "jest", "vitest", "mocha", "biome"), _SCRIPT),
    **dict.fromkeys(("prettier", "stylelint", "oxlint", "ava", "tap", "jasmine", "node"), _SCRIPT),
}
# They print no complaint about the code, or one that every reading looks for.
_QUIET = frozenset(
    (
        *("echo", "cd", "export", "set", "mkdir", "cp", "mv", "rm", "ls", "true", "cat", "pwd"),
        *("touch", "chmod", "printf", "which", "source", ".", "sleep", "date", "env", "git"),
    )
)
# What is before the program that does the work; with the words that belong to it.
_PREFIX = re.compile(
    r"^(?:\w+=\S*\s+|(?:sudo|time|nice|npx|bunx|exec|command|xvfb-run)\s+(?:-\S+\s+)*"
    r"|timeout\s+\S+\s+|(?:uv|poetry|pipenv|hatch|pdm|rye|bundle|pnpm|yarn|npm|bun)\s+(?:run|exec|x)\s+"
    r"(?:--?\S+\s+)*|(?:pnpm|yarn|bun)\s+(?=(?:tsc|eslint|jest|vitest|mocha|prettier|biome)\b)"
    r"|(?:\S*/)?python[\d.]*\s+(?:-[IPBbEsSuv]+\s+)*-m\s+)"
)
# What a command prints means something only with these.
_MEANT = (
    (re.compile(r"\bgit diff\b.*--(?:exit-code|check)\b"), "diffs"),
    (re.compile(r"\b(?:gofmt|gofumpt|goimports|shfmt)\b.* -\w*d"), "diffs"),
    (re.compile(r"\b(?:black|isort|yapf|autopep8|ruff format|clang-format)\b.*--?diff\b"), "diffs"),
    (re.compile(r"\bterraform fmt\b.* -diff\b"), "diffs"),
    (re.compile(r"\b(?:gofmt|gofumpt|goimports|shfmt|rustfmt)\b.* -\w*l"), "file lists"),
    (re.compile(r"\bprettier\b.* (?:-l|--list-different)\b"), "file lists"),
    (re.compile(r"\b(?:terraform|tofu) fmt\b.* -check\b"), "file lists"),
)
_SEPARATORS = re.compile(r"&&|\|\||[;|\n]")
_TOO_CLEVER = re.compile(r"\$\(|`|<<|\b(?:for|while|if|case|eval|xargs|find)\b")


def choose_families(script: str) -> frozenset[str]:
    """The names of the readers for what the script runs.

    Where it may run anything, only those that a command must call for; none means all the rest.
    """
    script = script.replace("\\\n", " ")
    meant = {family for pattern, family in _MEANT if pattern.search(script)}
    return frozenset(meant | _find_families(script))


def _find_families(script: str) -> set[str]:
    # Loops and substitutions hide what runs; guessing wrong would lose complaints.
    if _TOO_CLEVER.search(script):
        return set()
    families: set[str] = set()
    for command in _SEPARATORS.split(script):
        program = _find_program(command)
        if program in _QUIET or not program:
            continue
        # One unknown program may print anything: then every reader is asked.
        if program not in _FAMILIES:
            return set()
        families.update(_FAMILIES[program])
    return families


def _find_program(command: str) -> str:
    """The name of the program that does the work; "" for a comment or nothing."""
    rest = command.strip()
    while found := _PREFIX.match(rest):
        rest = rest[found.end() :].lstrip()
    name = rest.split(maxsplit=1)[0] if rest and not rest.startswith("#") else ""
    return name.rpartition("/")[2]
