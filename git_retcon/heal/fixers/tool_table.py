"""The programs that fix what they or their kind complain of, as data.

A repository's own fixer is run as the failing step runs it, with the same settings and files; only
the words that make it look and not touch are exchanged.
"""

from git_retcon.lazy_named_tuple import NamedTuple


class ToolFixer(NamedTuple):
    """A program that fixes. ``calls`` are the words by which a step calls it to look; ``fix`` are
    those that take their place, ``drop`` are options that must go (with ``=value`` or a value).

    ``reports`` are the tools whose complaints it answers, as diagnostics name them, and
    ``endings`` those of its files.
    """

    calls: tuple[str, ...]
    fix: tuple[str, ...]
    reports: tuple[str, ...]
    endings: tuple[bytes, ...]
    drop: tuple[str, ...] = ()
    drop_with_value: tuple[str, ...] = ()
    whole: bool = False  # it takes no files: all of a project is fixed at once

    @property
    def name(self) -> str:
        return " ".join(self.fix)


_PYTHON = (b".py", b".pyi")
_SCRIPT = (
    b".js",
    b".jsx",
    b".ts",
    b".tsx",
    b".mjs",
    b".cjs",
    b".mts",
    b".cts",
    b".vue",
    b".svelte",
)
_STYLED = (*_SCRIPT, b".css", b".scss", b".less", b".json", b".md", b".yaml", b".yml", b".html")
_C = (b".c", b".h", b".cc", b".cpp", b".cxx", b".hh", b".hpp", b".m", b".mm", b".cu")
_LOOK = ("--check", "--diff", "-c", "-d", "--quiet", "-q")

TOOL_FIXERS = (
    ToolFixer(
        ("ruff", "check"), ("ruff", "check", "--fix"), ("ruff",), _PYTHON,
        ("--diff", "--no-fix", "--exit-zero", "--statistics", "--show-fixes"),
        ("--output-format", "--format"),
    ),
    ToolFixer(
        ("ruff", "format"), ("ruff", "format"), ("ruff", "black", "formatter"), _PYTHON,
        ("--check", "--diff"), ("--output-format",),
    ),
    ToolFixer(("isort",), ("isort",), ("isort",), _PYTHON, ("--check", "--check-only", *_LOOK)),
    ToolFixer(("black",), ("black",), ("black", "formatter"), _PYTHON, _LOOK),
    ToolFixer(("yapf",), ("yapf", "-i"), ("formatter",), _PYTHON, ("-d", "--diff", "-q")),
    ToolFixer(("autopep8",), ("autopep8", "-i"), ("formatter",), _PYTHON,
              ("-d", "--diff", "--exit-code")),
    ToolFixer(
        ("eslint",), ("eslint", "--fix"), ("eslint",), _SCRIPT,
        ("--quiet", "--no-fix", "--fix-dry-run"), ("-f", "--format", "--max-warnings"),
    ),
    ToolFixer(("stylelint",), ("stylelint", "--fix"), ("stylelint",), _STYLED, (),
              ("-f", "--formatter")),
    ToolFixer(
        ("prettier",), ("prettier", "--write"), ("prettier", "formatter"), _STYLED,
        ("--check", "-c", "-l", "--list-different"),
    ),
    ToolFixer(("biome", "check"), ("biome", "check", "--write"), ("biome",), _STYLED),
    ToolFixer(("biome", "ci"), ("biome", "check", "--write"), ("biome",), _STYLED),
    ToolFixer(("biome", "format"), ("biome", "format", "--write"), ("biome",), _STYLED),
    ToolFixer(("goimports",), ("goimports", "-w"), ("formatter",), (b".go",), ("-l", "-d", "-e")),
    ToolFixer(("gofmt",), ("gofmt", "-w"), ("formatter", "gofmt"), (b".go",), ("-l", "-d", "-e")),
    ToolFixer(("gofumpt",), ("gofumpt", "-w"), ("formatter",), (b".go",), ("-l", "-d", "-e")),
    ToolFixer(("cargo", "fmt"), ("cargo", "fmt"), ("rustfmt", "cargo"), (b".rs",), ("--check",),
              whole=True),
    ToolFixer(("rustfmt",), ("rustfmt",), ("rustfmt", "formatter"), (b".rs",), ("--check", "-l")),
    ToolFixer(
        ("cargo", "clippy"),
        ("cargo", "clippy", "--fix", "--allow-dirty", "--allow-staged", "--offline"),
        ("clippy", "rustc", "cargo"), (b".rs",), (), ("--message-format",), whole=True,
    ),
    ToolFixer(
        ("cargo", "check"), ("cargo", "fix", "--allow-dirty", "--allow-staged", "--offline"),
        ("rustc", "cargo"), (b".rs",), (), ("--message-format",), whole=True,
    ),
    ToolFixer(
        ("cargo", "build"), ("cargo", "fix", "--allow-dirty", "--allow-staged", "--offline"),
        ("rustc", "cargo"), (b".rs",), (), ("--message-format",), whole=True,
    ),
    ToolFixer(
        ("clang-format",), ("clang-format", "-i"), ("clang-format", "clang", "formatter"), _C,
        ("--dry-run", "-n", "-Werror", "--Werror", "-output-replacements-xml"),
    ),
    ToolFixer(("clang-tidy",), ("clang-tidy", "--fix"), ("clang-tidy", "clang"), _C),
    ToolFixer(("rubocop",), ("rubocop", "-a"), ("rubocop",), (b".rb",), ("--parallel", "-P"),
              ("-f", "--format")),
    ToolFixer(("shfmt",), ("shfmt", "-w"), ("formatter", "shfmt"), (b".sh", b".bash"),
              ("-d", "-l", "--diff", "--list")),
    ToolFixer(("terraform", "fmt"), ("terraform", "fmt"), ("formatter", "terraform"),
              (b".tf", b".tfvars"), ("-check", "-diff", "--check", "--diff"), whole=True),
    ToolFixer(("pre-commit", "run"), ("pre-commit", "run"), ("pre-commit",), (), whole=True),
)  # fmt: skip

# Those that only lay a file out: they run behind another fix too, where the job calls them.
LAYOUT_FIXERS = frozenset(
    {
        "autopep8 -i", "biome format --write", "black", "cargo fmt", "clang-format -i", "gofmt -w",
        "gofumpt -w", "goimports -w", "isort", "prettier --write", "ruff format", "rustfmt",
        "shfmt -w", "terraform fmt", "yapf -i",
    }
)  # fmt: skip
