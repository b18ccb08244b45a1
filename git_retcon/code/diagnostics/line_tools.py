"""Tools whose every message is a line, or a few of a fixed form: a table in Vim's errorformat.

To add one, add an entry: its name, what sort of work it does, literals of which one is in every
output, and its formats (``errorformat.py``). ``files`` are the endings of the files it reads:
without them a format that is common to many tools would claim the lines of all.
"""

from collections.abc import Iterator, Sequence

from git_retcon.code.diagnostics.diagnostic import Category, Diagnostic, Severity
from git_retcon.code.diagnostics.errorformat import LineTool, read_with

_LINT = Category.LINT
_TEST = Category.TEST
_COMPILE = Category.COMPILE
_TYPES = Category.TYPE_CHECK
_RUNTIME = Category.RUNTIME
_CONFIG = Category.CONFIG
_WARNING = Severity.WARNING

_RUBY = (".rb", ".rake", ".gemspec", "Rakefile", "Gemfile", ".ru")
_SHELL = (".sh", ".bash", ".zsh", ".ksh", ".bats")
_TYPESCRIPT = (".ts", ".tsx", ".mts", ".cts")


def _rubocop_severity(letter: str) -> Severity:
    return Severity.ERROR if letter in ("E", "F") else Severity.WARNING


TOOLS = (
    # JavaScript and TypeScript
    LineTool(
        "eslint",
        _LINT,
        (" problem", ": line "),
        (
            "%f: line %l, col %c, %trror - %m (%o)",
            "%f: line %l, col %c, %tarning - %m (%o)",
            "%f: line %l, col %c, %trror - %m",
            "%f: line %l, col %c, %tarning - %m",
        ),
        needle=": line ",
    ),
    LineTool(
        "eslint",
        _LINT,
        ("[Error", "[Warning"),
        ("%f:%l:%c: %m [%trror/%o]", "%f:%l:%c: %m [%tarning/%o]", "%f:%l:%c: %m [%trror]"),
    ),
    LineTool(
        "eslint",
        _LINT,
        (" : ",),
        ("%f(%l,%c): %trror %o : %m", "%f(%l,%c): %tarning %o : %m", "%f(%l,%c): %trror : %m"),
        files=(".js", ".jsx", ".mjs", ".cjs", ".ts", ".tsx", ".vue", ".svelte"),
        needle=" : ",
    ),
    LineTool(
        "tsc",
        _TYPES,
        ("ts(", "tsx(", "ts:", "tsx:"),
        (
            "%f(%l,%c): %trror %m",
            "%f(%l,%c): %tarning %m",
            "%f(%l,%c): %m",
            "%f:%l:%c - %trror %m",
            "%f:%l:%c - %tarning %m",
        ),
        files=_TYPESCRIPT,
    ),
    LineTool(
        "stylelint",
        _LINT,
        ("[error]", "[warning]"),
        ("%f:%l:%c: %m (%o) [%trror]", "%f:%l:%c: %m (%o) [%tarning]"),
        files=(".css", ".scss", ".sass", ".less", ".vue", ".html"),
    ),
    LineTool(
        "oxlint",
        _LINT,
        ("eslint(", "oxc("),
        ("%f:%l:%c: %m [%trror/%o]", "%f:%l:%c: %m [%tarning/%o]"),
    ),
    LineTool(
        "deno", _TYPES, ("    at file://",), ("%ETS%n [ERROR]: %m", "%Z    at file://%f:%l:%c")
    ),
    # Ruby
    LineTool(
        "rubocop",
        _LINT,
        (": C: ", ": W: ", ": E: ", ": F: ", ": R: "),
        (
            "%f:%l:%c: %t: [Correctable] %o: %m",
            "%f:%l:%c: %t: [Corrected] %o: %m",
            "%f:%l:%c: %t: %o: %m",
        ),
        severity=_WARNING,
    ),
    LineTool(
        "ruby",
        _COMPILE,
        ("syntax error", "SyntaxError"),
        (
            "%+E%f:%l: syntax error%.%#",
            "%E%f: %f:%l: %m (SyntaxError)",
            "%E%f:%l: %m (SyntaxError)",
        ),
    ),
    LineTool(
        "ruby",
        _RUNTIME,
        (":in `", ":in '"),
        ("%f:%l:in %.%#: %m (%*[A-Z]%*[A-Za-z:])", "%f:%l:in %.%#: %*[a-z]%m"),
        files=_RUBY,
    ),
    LineTool(
        "minitest",
        _TEST,
        (") Failure:",),
        ("%E %#%*\\d) Failure:", "%C%o [%f:%l]:", "%C%o [%f:%l] %.%#", "%Z%m"),
    ),
    LineTool(
        "minitest",
        _TEST,
        (") Error:",),
        (
            "%E %#%*\\d) Error:",
            "%Z    %f:%l:in %.%#",
            "%C%*[A-Za-z0-9_:]#%o:",
            "%C%*[A-Za-z]Error: %m",
            "%C%.%#",
        ),
    ),
    LineTool(
        "rspec",
        _TEST,
        ("Failure/Error:",),
        (
            "%E %#%*\\d) %m",
            "%C %#Failure/Error: %m",
            "%Z %## %f:%l:in %.%#",
            "%Z %## %f:%l",
            "%C%.%#",
        ),
        files=_RUBY,
    ),
    LineTool("reek", _LINT, ("[line",), ("%f:%l: %o: %m",), severity=_WARNING, files=_RUBY),
    # PHP
    LineTool(
        "php",
        _COMPILE,
        ("Parse error:", "Fatal error:"),
        (
            "PHP %*[A-Za-z] error: %m in %f on line %l",
            "%*[A-Za-z] error: %m in %f on line %l",
            "PHP %*[A-Za-z] error:  %m in %f on line %l",
            "PHP %*[A-Za-z] error:  %m in %f:%l",
            "%*[A-Za-z] error: %m in %f:%l",
        ),
        needle=" error: ",
        files=(".php", ".inc", ".phtml"),
    ),
    LineTool(
        "phpcs",
        _LINT,
        (".php:",),
        ("%f:%l:%c: %trror - %m", "%f:%l:%c: %tarning - %m"),
        files=(".php",),
    ),
    LineTool("phpstan", _TYPES, (".php:",), ("%f:%l:%m",), files=(".php",)),
    LineTool("psalm", _TYPES, (".php:",), ("%f:%l:%c:%trror - %o: %m",), files=(".php",)),
    LineTool(
        "phpunit",
        _TEST,
        (".php:",),
        ("%E%*\\d) %o", "%-C", "%C%m", "%Z%f:%l"),
        files=(".php",),
    ),
    # Shell
    LineTool(
        "shellcheck",
        _LINT,
        ("[SC",),
        ("%f:%l:%c: %trror: %m [%o]", "%f:%l:%c: %tarning: %m [%o]", "%f:%l:%c: %tote: %m [%o]"),
        needle="[SC",
    ),
    LineTool(
        "bash",
        _COMPILE,
        (": line ", "yntax error"),
        (
            "%+E%f: line %l: syntax error%.%#",
            "%+E%f: line %l: unexpected EOF%.%#",
            "%+E%f: %l: Syntax error: %.%#",
        ),
        files=_SHELL,
    ),
    LineTool("bash", _RUNTIME, (": line ",), ("%f: line %l: %m",), files=_SHELL, needle=": line "),
    # .NET
    LineTool(
        "dotnet",
        _COMPILE,
        (": error ", ": warning "),
        (
            "%*[ 0-9>]%f(%l,%c): %trror %o: %m [%*[^]]]",
            "%*[ 0-9>]%f(%l,%c): %tarning %o: %m [%*[^]]]",
            "%f(%l,%c): %trror %o: %m [%*[^]]]",
            "%f(%l,%c): %tarning %o: %m [%*[^]]]",
            "%f(%l,%c): %trror %o: %m",
            "%f(%l,%c): %tarning %o: %m",
            "%f(%l,%c,%e,%k): %trror %o: %m",
            "%f : %trror %o: %m [%*[^]]]",
        ),
        files=(
            ".cs",
            ".vb",
            ".fs",
            ".csproj",
            ".fsproj",
            ".vbproj",
            ".sln",
            ".razor",
            ".cshtml",
            ".xaml",
        ),
    ),
    LineTool(
        "swift",
        _COMPILE,
        (".swift:",),
        (
            "%f:%l:%c: %trror: %m",
            "%f:%l:%c: %tarning: %m (%o)",
            "%f:%l:%c: %tarning: %m",
            "%f:%l: %trror: %m",
        ),
        files=(".swift",),
    ),
    LineTool(
        "ghc",
        _COMPILE,
        (".hs:", ".lhs:"),
        (
            "%E%f:%l:%c: error: [%o]%m",
            "%E%f:%l:%c: error: [%o]",
            "%E%f:%l:%c: error:%m",
            "%E%f:%l:%c: error:",
            "%W%f:%l:%c: warning: [%o]%m",
            "%W%f:%l:%c: warning: [%o]",
            "%W%f:%l:%c: warning:",
            "%-Z  %#|%.%#",
            "%-Z",
            "%C    %m",
        ),
        files=(".hs", ".lhs"),
    ),
    LineTool(
        "hlint",
        _LINT,
        (".hs:",),
        (
            "%f:%l:%c-%*\\d: %tarning: %m",
            "%f:%l:%c-%*\\d: %trror: %m",
            "%f:(%l,%c)-(%e,%k): %tarning: %m",
        ),
        files=(".hs",),
    ),
    LineTool(
        "scala",
        _COMPILE,
        (".scala",),
        (
            "[%trror] %f:%l:%c: %m",
            "[%tarn] %f:%l:%c: %m",
            "[%trror] %f:%l: %m",
            "%f:%l: %trror: %m",
            "-- [%o] %.%# Error: %f:%l:%c -%#",
        ),
        files=(".scala", ".sbt", ".sc"),
    ),
    LineTool(
        "elixir",
        _COMPILE,
        (".ex:", ".exs:"),
        (
            "** (%*[A-Za-z.]Error) %f:%l:%c: %m",
            "** (%*[A-Za-z.]Error) %f:%l: %m",
            "%E%*\\serror: %m",
            "%W%*\\swarning: %m",
            "%Eerror: %m",
            "%Wwarning: %m",
            "%Z  %f:%l: %.%#",
            "%Z  %f:%l",
            "%Z    %#└─ %f:%l:%c%.%#",
            "%Z    %#└─ %f:%l%.%#",
            "%C%.%#",
        ),
        files=(".ex", ".exs", ".eex", ".heex"),
    ),
    LineTool(
        "exunit",
        _TEST,
        (".exs:",),
        ("%E %#%*\\d) test %m", "%Z     %f:%l", "%-C%.%#"),
        files=(".exs",),
    ),
    LineTool(
        "credo",
        _LINT,
        ("┃",),
        ("%.%#┃%*\\s%f:%l:%c #%m", "%f:%l:%c: %t: %m"),
        severity=_WARNING,
        files=(".ex", ".exs"),
    ),
    LineTool(
        "erlc",
        _COMPILE,
        (".erl:", ".hrl:"),
        ("%f:%l:%c: %tarning: %m", "%f:%l: %tarning: %m", "%f:%l:%c: %m", "%f:%l: %m"),
        files=(".erl", ".hrl", ".yrl"),
    ),
    LineTool(
        "luacheck",
        _LINT,
        (".lua:",),
        (
            "%f:%l:%c: (%t%*\\d) %m",
            "%*\\s%f:%l:%c: (%t%*\\d) %m",
            "%f:%l:%c-%k: (%t%*\\d) %m",
            "%*\\s%f:%l:%c: %m",
        ),
        severity=_WARNING,
        files=(".lua",),
    ),
    LineTool(
        "lua",
        _COMPILE,
        (".lua:",),
        ("%*[^: ]: %f:%l: %m", "%f:%l: %m"),
        files=(".lua",),
    ),
    LineTool(
        "perl",
        _COMPILE,
        (" at ",),
        ("%m at %f line %l.", "%m at %f line %l, near %.%#", "%m at %f line %l, at EOF"),
        files=(".pl", ".pm", ".t", ".cgi", ".psgi"),
        needle=" line ",
    ),
    LineTool("perlcritic", _LINT, ("everity",), ("%m at line %l, column %c.  %.%#(Severity: %n)",)),
    LineTool(
        "dart",
        _COMPILE,
        (".dart:",),
        (
            "%*\\s%trror • %m • %f:%l:%c • %o",
            "%*\\s%tarning • %m • %f:%l:%c • %o",
            "%*\\s%tnfo • %m • %f:%l:%c • %o",
            "%*\\s%trror - %f:%l:%c - %m - %o",
            "%*\\s%tarning - %f:%l:%c - %m - %o",
            "%*\\s%tnfo - %f:%l:%c - %m - %o",
            "%f:%l:%c: Error: %m",
            "%f:%l:%c: Warning: %m",
        ),
        files=(".dart",),
    ),
    LineTool("zig", _COMPILE, (".zig:",), ("%f:%l:%c: %trror: %m",), files=(".zig",)),
    LineTool(
        "nim",
        _COMPILE,
        (".nim(",),
        ("%f(%l, %c) %trror: %m", "%f(%l, %c) %tarning: %m"),
        files=(".nim",),
    ),
    LineTool("crystal", _COMPILE, (".cr:",), ("In %f:%l:%c", "Error in %f:%l: %m"), files=(".cr",)),
    LineTool(
        "ocaml",
        _COMPILE,
        ('File "',),
        (
            '%EFile "%f", line %l, characters %c-%k:',
            '%EFile "%f", lines %l-%e, characters %c-%k:',
            "%ZError: %m",
            "%C%.%#",
        ),
        files=(".ml", ".mli"),
    ),
    LineTool(
        "fortran",
        _COMPILE,
        (".f90:", ".f:"),
        ("%E%f:%l:%c:", "%ZError: %m", "%C%.%#"),
        files=(".f90", ".f", ".F90", ".f95"),
    ),
    LineTool("latex", _COMPILE, (".tex:",), ("%f:%l: %m",), files=(".tex", ".sty", ".cls")),
    LineTool(
        "verilator",
        _COMPILE,
        ("%Error", "%Warning"),
        ("%%Error: %f:%l:%c: %m", "%%Error-%o: %f:%l:%c: %m", "%%Warning-%o: %f:%l:%c: %m"),
        files=(".v", ".sv"),
    ),
    LineTool(
        "solc",
        _COMPILE,
        ("--> ",),
        ("%E%trror: %m", "%WWarning: %m", "%Z%*\\s--> %f:%l:%c:"),
        files=(".sol",),
    ),
    LineTool(
        "julia",
        _RUNTIME,
        (".jl:",),
        ("%EERROR: %m", "%-CStacktrace:", "%Z%.%# at %f:%l", "%Z%.%# @ %f:%l", "%C%.%#"),
        files=(".jl",),
    ),
    LineTool(
        "lintr",
        _LINT,
        (": style: ", ": warning: ["),
        ("%f:%l:%c: %*[a-z]: [%o] %m", "%f:%l:%c: %*[a-z]: %m"),
        severity=_WARNING,
        files=(".R", ".r", ".Rmd"),
    ),
    # Java's and Kotlin's linters
    LineTool(
        "checkstyle",
        _LINT,
        ("[ERROR] ", "[WARN] ", "[INFO] "),
        (
            "[%tRROR] %f:%l:%c: %m [%o]",
            "[%tRROR] %f:%l: %m [%o]",
            "[%tARN] %f:%l:%c: %m [%o]",
            "[%tARN] %f:%l: %m [%o]",
            "[%tRROR] %f:[%l,%c] (%*[a-z]) %o: %m",
            "[%tARNING] %f:[%l,%c] (%*[a-z]) %o: %m",
            "[%tRROR] %f:[%l] (%*[a-z]) %o: %m",
            "[ant:checkstyle] [%tRROR] %f:%l:%c: %m [%o]",
            "[ant:checkstyle] [%tARN] %f:%l:%c: %m [%o]",
        ),
        files=(".java", ".kt", ".xml", ".properties"),
    ),
    LineTool("ktlint", _LINT, (".kt:", ".kts:"), ("%f:%l:%c: %m (%o)",), files=(".kt", ".kts")),
    LineTool(
        "detekt",
        _LINT,
        (".kt:",),
        ("%f:%l:%c: %m [%o]", "%*\\s%o - %*[^a]at %f:%l:%c"),
        severity=_WARNING,
        files=(".kt", ".kts"),
    ),
    LineTool(
        "pmd",
        _LINT,
        (".java:",),
        ("%f:%l:\t%o:\t%m", "%f:%l:%m"),
        files=(".java",),
        severity=_WARNING,
        needle=":\t",
    ),
    # YAML, Markdown, text
    LineTool(
        "yamllint",
        _LINT,
        ("[error]", "[warning]"),
        ("%f:%l:%c: [%trror] %m (%o)", "%f:%l:%c: [%tarning] %m (%o)"),
    ),
    LineTool(
        "actionlint", _LINT, (".yml:", ".yaml:"), ("%f:%l:%c: %m [%o]",), files=(".yml", ".yaml")
    ),
    LineTool(
        "ansible-lint",
        _LINT,
        (".yml:", ".yaml:"),
        ("%f:%l:%c: %o: %m", "%f:%l: %o: %m"),
        files=(".yml", ".yaml"),
    ),
    LineTool(
        "ansible-lint",
        _LINT,
        ("violation(s)",),
        ("%E%o: %m", "%Z%f:%l:%c", "%Z%f:%l:%c %.%#", "%Z%f:%l %.%#", "%Z%f:%l"),
        files=(".yml", ".yaml"),
    ),
    LineTool(
        "markdownlint",
        _LINT,
        (" MD0", " MD1"),
        (
            "%f:%l:%c %*[a-z] %o %m",
            "%f:%l %*[a-z] %o %m",
            "%f:%l:%c %o %m",
            "%f:%l %o %m",
            "%f: %l: %o %m",
        ),
        files=(".md", ".markdown", ".mdx"),
        needle=" MD",
    ),
    LineTool(
        "remark",
        _LINT,
        ("remark-lint",),
        ("%P%f", "%*\\s%l:%c-%*[0-9:] %tarning %m", "%*\\s%l:%c %tarning %m", "%-Q"),
        severity=_WARNING,
    ),
    LineTool(
        "sphinx",
        _COMPILE,
        (": WARNING: ", ": ERROR: "),
        (
            "%f:%l: %tARNING: %m",
            "%f:%l: %tRROR: %m",
            "%f:%*[a-z]docstring of %.%#:%l: %tARNING: %m",
        ),
    ),
    LineTool(
        "rstcheck", _LINT, (".rst:",), ("%f:%l: (%*[A-Z]/%n) %m", "%f:%l: %m"), files=(".rst",)
    ),
    LineTool("codespell", _LINT, (" ==> ",), ("%f:%l: %m",), needle=" ==> "),
    LineTool(
        "cspell",
        _LINT,
        ("Unknown word",),
        ("%f:%l:%c - %m",),
        severity=_WARNING,
        needle="Unknown word",
    ),
    LineTool("typos", _LINT, ("should be", "-> "), ("%f:%l:%c: %m",), needle=" -> "),
    LineTool(
        "vale",
        _LINT,
        (".md:", ".rst:", ".adoc:", ".txt:"),
        ("%f:%l:%c:%o:%m",),
        severity=_WARNING,
        files=(".md", ".rst", ".adoc", ".txt", ".html"),
    ),
    LineTool(
        "proselint",
        _LINT,
        (".md:",),
        ("%f:%l:%c: %o %m",),
        severity=_WARNING,
        files=(".md", ".txt"),
        needle=".",
    ),
    LineTool("editorconfig-checker", _LINT, ("editorconfig",), ("%P%f:", "%*\\s%l: %m", "%-Q")),
    # Infrastructure as code, containers, schemas, SQL
    LineTool(
        "terraform",
        _CONFIG,
        ("Error: ", "Warning: "),
        (
            "%E%*[│ ]Error: %m",
            "%EError: %m",
            "%W%*[│ ]Warning: %m",
            "%WWarning: %m",
            "%C%*[│ ]on %f line %l%.%#",
            "%C  on %f line %l%.%#",
            "%-C%*[│ ]%*\\d: %.%#",
            "%-C%*[│ ]",
            "%-C",
            "%Z╵",
        ),
        files=(".tf", ".tfvars", ".hcl", ".tofu"),
    ),
    LineTool(
        "tflint",
        _LINT,
        (" on ",),
        (
            "%ENotice: %m (%o)",
            "%EError: %m (%o)",
            "%WWarning: %m (%o)",
            "%-C",
            "%Z  on %f line %l:",
        ),
        files=(".tf",),
    ),
    LineTool(
        "tflint",
        _LINT,
        (".tf:",),
        (
            "%f:%l:%c: %trror - %m (%o)",
            "%f:%l:%c: %tarning - %m (%o)",
            "%f:%l:%c: %totice - %m (%o)",
        ),
        files=(".tf",),
    ),
    LineTool(
        "hadolint",
        _LINT,
        ("DL3", "DL4", "DL1", "SC"),
        (
            "%f:%l %o %trror: %m",
            "%f:%l %o %tarning: %m",
            "%f:%l %o %tnfo: %m",
            "%f:%l %o %ttyle: %m",
            "%f:%l %o %m",
        ),
        files=("ockerfile", ".dockerfile", "ontainerfile"),
    ),
    LineTool(
        "docker", _COMPILE, ("ockerfile:",), ("%f:%l", "ERROR: %f:%l: %m"), files=("ockerfile",)
    ),
    LineTool(
        "protoc",
        _COMPILE,
        (".proto:",),
        ("%f:%l:%c: %tarning: %m", "%f:%l:%c: %m", "%f:%l:%c:%m", "%f:%l: %m"),
        files=(".proto",),
    ),
    LineTool(
        "sqlfluff",
        _LINT,
        ("L: ", "L:  "),
        ("%P== [%f] FAIL", "%EL:%*\\s%l | P:%*\\s%c |%*\\s%o | %m", "%C%*\\s| %m"),
    ),
    LineTool(
        "squawk",
        _LINT,
        (".sql:",),
        ("%f:%l:%c: %tarning: %o %m", "%f:%l:%c: %trror: %o %m"),
        files=(".sql",),
    ),
    LineTool(
        "kubeconform",
        _CONFIG,
        (" is invalid",),
        ("%f - %m is invalid: %.%#",),
        files=(".yml", ".yaml", ".json"),
    ),
    LineTool("jsonlint", _LINT, (".json:",), ("%f: line %l, col %c, %m",), files=(".json",)),
    LineTool("taplo", _LINT, (".toml:",), ("%f:%l:%c: %m",), files=(".toml",)),
    LineTool(
        "xmllint",
        _LINT,
        (": parser error",),
        ("%f:%l: parser error : %m", "%f:%l: %*[A-Za-z ]error : %m", "%f:%l: element %.%#: %m"),
        needle=" error",
    ),
    LineTool(
        "tidy",
        _LINT,
        ("line ",),
        ("%f:%l:%c: %trror: %m", "%f:%l:%c: %tarning: %m"),
        files=(".html", ".htm"),
    ),
    LineTool(
        "djlint",
        _LINT,
        (".html",),
        ("%P%f", "%o %l:%c %m", "%-Q"),
        files=(".html", ".j2", ".jinja"),
    ),
    LineTool(
        "pre-commit",
        _LINT,
        ("files were modified by this hook",),
        ("Fixing %f", "Sorting %f", "Rewriting %f", "reformatted %f", "[INFO] Formatting %f"),
        message="changed by a hook",
    ),
    # What drives builds
    LineTool(
        "make",
        _CONFIG,
        ("***",),
        ("%f:%l: *** %m", "%*[a-z]make%.%#: *** [%f:%l: %.%#] Error %n"),
        files=("akefile", ".mk", ".mak"),
        needle=": *** ",
    ),
    LineTool(
        "cmake",
        _CONFIG,
        ("CMake Warning",),
        ("%WCMake Warning at %f:%l (%*[^)]):", "%C  %m", "%Z"),
        files=("CMakeLists.txt", ".cmake"),
    ),
    LineTool("bazel", _COMPILE, ("BUILD", ".bzl"), ("ERROR: %f:%l:%c: %m",)),
    LineTool(
        "meson",
        _CONFIG,
        ("meson.build:",),
        ("%f:%l:%c: %tARNING: %m", "%f:%l:%c: ERROR: %m"),
        files=("meson.build",),
    ),
    LineTool(
        "gradle",
        _CONFIG,
        ("Build file '", "Script '"),
        (
            "%EBuild file '%f' line: %l",
            "%EScript '%f' line: %l",
            "%-C",
            "%-C* What went wrong:",
            "%Z%m",
        ),
    ),
    LineTool(
        "nix",
        _COMPILE,
        (" at /",),
        ("%Eerror: %m", "%Z%*\\s at %f:%l:%c:", "%C%.%#"),
        files=(".nix",),
    ),
)

HINTS = tuple(sorted({hint for tool in TOOLS for hint in tool.hints}))


def read(lines: Sequence[str]) -> Iterator[Diagnostic]:
    """What the tools of the table complain of: the first that reads a line has it."""
    text = "\n".join(lines)
    taken = bytearray(len(lines))
    for tool in TOOLS:
        if not any(hint in text for hint in tool.hints):
            continue
        for each in read_with(tool, lines):
            if not taken[each.first] and not taken[each.last]:
                taken[each.first : each.last + 1] = b"\1" * (each.last + 1 - each.first)
                yield each
