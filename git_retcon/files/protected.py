"""Names that a feature protects from a model, in every spelling of the gate ``untrusted_paths``.

What the specification of ``git code-commit`` protects; what git or a forge obeys, which no bridge
of ``git retcon`` may write; and what builds and tests read before any other file, which no model
may write that they judge (``run/judges.py`` adds what a command names).
"""

from git_retcon.files.lockfiles import is_lock_file, is_manifest
from git_retcon.files.untrusted_paths import fold_name, fold_path, is_in_git_folder, is_short_name

_PROTECTED_FOLDERS = frozenset({"agent-config", "target"})
_PROTECTED_AT_TOP = frozenset({"build.sh", "coderollup.sh", "llminstructions.md"})
_PROTECTED_ANYWHERE = frozenset(
    {".gitignore", ".gitattributes", ".gitmodules", "userspecification.md"}
)
# NTFS shortens `.gitignore` to GITIGN~1 … GITIGN~4, and from the fifth on by a hash: GI250A~1.
_SHORT = ("gitign", "gitatt", "gitmod", "gi250a", "gi7d29", "gi7eba")

# Files and folders that run commands once they are pushed. What begins with `.git` is refused
# as well: `.gitattributes` starts the user's own filters at a checkout, `.github` runs elsewhere.
_OBEYED = frozenset(
    {
        ".appveyor.yml", ".buildkite", ".build.yml", ".builds", ".circleci", ".cirrus.yml",
        ".drone.yml", ".forgejo", ".semaphore", ".travis.yml", ".woodpecker", ".woodpecker.yaml",
        ".woodpecker.yml", "appveyor.yml", "azure-pipelines.yml", "bitbucket-pipelines.yml",
        "jenkinsfile",
    }
)  # fmt: skip
# What builds, tests, linters and shells read by themselves, beside manifests and lock files.
_JUDGES = frozenset(
    {
        ".alexrc", ".ameba.yml", ".babelrc", ".bandit", ".bazelrc", ".buckconfig", ".busted",
        ".clang-format", ".clang-tidy", ".codespellrc", ".coveragerc", ".credo.exs",
        ".dependency-cruiser.js", ".djlintrc", ".dockerignore", ".editorconfig", ".envrc",
        ".errcheck_excludes.txt", ".eslintignore", ".fdignore", ".flake8", ".flake8-baseline",
        ".formatter.exs", ".hadolint.yaml", ".hadolint.yml", ".ignore", ".importlinter",
        ".isort.cfg", ".jshintrc", ".justfile", ".luacheckrc", ".lychee.toml", ".mlc_config.json",
        ".mypy.ini", ".noserc", ".nycrc", ".nycrc.json", ".oxlintrc.json", ".php-cs-fixer.dist.php",
        ".php-cs-fixer.php", ".pre-commit-config.yaml", ".prettierignore", ".pydocstyle",
        ".pylintrc", ".pytest.ini", ".remarkrc", ".revive.toml", ".rgignore", ".rspec",
        ".rubocop.yml", ".rubocop_todo.yml", ".ruff.toml", ".rustfmt.toml", ".scalafmt.conf",
        ".semgrepignore", ".shellcheckrc", ".solhint.json", ".sqlfluff", ".stestr.conf", ".swcrc",
        ".swiftlint.yml", ".taplo.toml", ".testr.conf", ".textlintrc", ".tflint.hcl",
        ".treefmt.toml", ".ty.toml", ".typos.toml", ".vale.ini", ".vulture", ".xo-config.json",
        ".yamllint", ".yamllint.yaml", ".yamllint.yml", "_typos.toml", "analysis_options.yaml",
        "ant.xml", "autogen.sh", "bandit.yaml", "buck", "buf.gen.yaml", "buf.work.yaml", "buf.yaml",
        "build", "build.bazel", "build.gradle", "build.gradle.kts", "build.rs", "build.xml",
        "build.zig", "checkstyle.xml", "clippy.toml", "compose.yaml", "compose.yml", "configure",
        "configure.ac", "conftest.py", "cspell.json", "dangerfile", "default.nix", "detekt.yml",
        "directory.build.targets", "docker-compose.yaml", "docker-compose.yml", "dockerfile",
        "dodo.py", "dprint.json", "dprint.jsonc", "earthfile", "fabfile.py", "foundry.toml",
        "gemfile", "gnumakefile", "gradlew", "gradlew.bat", "guardfile", "gulpfile.js", "jakefile",
        "justfile", "kbuild", "knip.json", "knip.jsonc", "lerna.json", "makefile", "makefile.am",
        "makefile.in", "mvnw", "mypy.ini", "nose.cfg", "noxfile.py", "nx.json", "pest.php",
        "phpcs.xml", "phpcs.xml.dist", "phpstan-baseline.neon", "phpstan.neon", "phpstan.neon.dist",
        "phpunit.xml", "phpunit.xml.dist", "pixi.toml", "procfile", "psalm-baseline.xml",
        "psalm.xml", "psalm.xml.dist", "pylintrc", "pyrefly.toml", "pyrightconfig.json",
        "pytest.ini", "pytype.cfg", "rails_helper.rb", "rakefile", "refurb.toml", "revive.toml",
        "ruff.toml", "runtests.py", "rustfmt.toml", "sconscript", "sconstruct", "selene.toml",
        "sitecustomize.py", "slither.config.json", "spec_helper.rb", "staticcheck.conf",
        "stylua.toml", "tach.toml", "taskfile.yaml", "taskfile.yml", "tasks.py", "test_helper.exs",
        "test_helper.rb", "testem.js", "tiltfile", "treefmt.toml", "tslint.json", "turbo.json",
        "ty.toml", "typos.toml", "unittest.cfg", "usercustomize.py", "uv.toml", "vagrantfile",
        "wallaby.js", "wscript", "xo.config.js", "xo.config.ts", "xunit.runner.json", "zuban.ini",
    }
)  # fmt: skip
# `jest.config.ts`, `.eslintrc.json`, `.golangci.yml`: a name, then anything.
_JUDGE_BEGINNINGS = (
    ".babelrc.", ".eslintrc", ".golangci.", ".lefthook.", ".markdownlint", ".mocharc",
    ".prettierrc", ".stylelintrc", "ava.config.", "babel.config.", "biome.json", "cypress.config.",
    "esbuild.config.", "eslint.config.", "jest.config.", "jest.setup.", "karma.conf.", "lefthook.",
    "nightwatch.conf.", "playwright.config.", "prettier.config.", "rollup.config.", "tsconfig.",
    "tsup.config.", "vite.config.", "vitest.config.", "vitest.setup.", "vitest.workspace.",
    "web-test-runner.config.", "webpack.config.",
)  # fmt: skip
_JUDGE_ENDINGS = (".bzl", ".cmake", ".gradle", ".mak", ".mk", ".pth", ".rake")
_JUDGE_FOLDERS = frozenset(
    {
        ".basedpyright", ".cargo", ".config", ".devcontainer", ".husky", ".idea", ".mvn", ".vscode",
        "buildsrc",
    }
)  # fmt: skip
# Tools come and go faster than lists of their names; how settings are called stays.
_SETTING_ENDINGS = ("ignore", "rc", ".cfg", ".conf", ".ini", ".toml")
_DATA_ENDINGS = frozenset({"json", "json5", "jsonc", "xml", "yaml", "yml"})
_DATA_AT_TOP = (".dist", ".hcl", ".json", ".jsonc", ".neon", ".xml", ".yaml", ".yml")
_STUBS = (".d.cts", ".d.mts", ".d.ts", ".pyi", ".rbi", ".rbs")
# At the top of a tree: what a shell, an editor or an assistant runs by itself when it is opened.
_STARTED_BY_ITSELF = (
    ".bashrc", ".bash_profile", ".envrc", ".gitconfig", ".gitmodules", ".mcp.json", ".profile",
    ".ripgreprc", ".zprofile", ".zshrc", ".vscode", ".idea", ".claude/commands", ".claude/agents",
)  # fmt: skip
_OBEYED_SHORT = (*_SHORT, "github", "gitlab", "gitea", "gitkee")


def protected_reason(path: bytes) -> str | None:
    """Why ``git code-commit`` protects a clean path by its name alone; None where it does not."""
    if is_in_git_folder(path):
        return "it is in git's own folder"
    parts = fold_path(path).split("/")
    if parts[0] in _PROTECTED_FOLDERS:
        return f"everything in '{parts[0]}/' is protected"
    name = parts[-1]
    if len(parts) == 1 and name in _PROTECTED_AT_TOP:
        return "this file is protected"
    if name in _PROTECTED_ANYWHERE or is_short_name(name, *_SHORT):
        return "files of this name are protected"
    if is_lock_file(name.encode("utf-8", "surrogateescape")):
        return "lock files are protected"
    return None


def is_obeyed(path: bytes) -> bool:
    """Whether git or a forge acts on a file by its name, wherever it is."""
    for part in path.decode("utf-8", "surrogateescape").split("/"):
        name = fold_name(part)
        if name.startswith(".git") or name in _OBEYED:
            return True
        if is_short_name(name.partition(".")[0], *_OBEYED_SHORT):  # GITLAB~1.YML
            return True
    return False


def is_started_by_itself(path: bytes) -> bool:
    """Whether some program runs a file of a tree, or what it names, once somebody works there."""
    name = fold_path(path)
    return any(name == each or name.startswith(f"{each}/") for each in _STARTED_BY_ITSELF)


def started_places() -> tuple[bytes, ...]:
    """The files and folders at the top of a tree that ``is_started_by_itself`` knows."""
    return tuple(each.encode() for each in _STARTED_BY_ITSELF)


def is_judge(path: bytes) -> bool:
    """Whether what proves a change reads a file by its name: scripts and settings of builds,
    tests and linters, manifests, what a forge runs, and what an editor or a shell runs when
    somebody opens the folder.
    """
    parts = fold_path(path).split("/")
    name = parts[-1]
    return (
        name in _JUDGES
        or name.startswith(_JUDGE_BEGINNINGS)
        or name.endswith(_JUDGE_ENDINGS)
        or not _JUDGE_FOLDERS.isdisjoint(parts)
        or is_manifest(name.encode("utf-8", "surrogateescape"))
        or is_obeyed(path)
    )


def is_hidden(path: bytes) -> bool:
    """Whether a file is a dotfile or in a dot folder: nearly all of these are settings."""
    return any(part.startswith(".") for part in fold_path(path).split("/"))


def is_stub(path: bytes) -> bool:
    """Whether type checkers read a file in the place of the source of its name."""
    return fold_path(path).endswith(_STUBS)


def is_setting(path: bytes, *, is_new: bool) -> bool:
    """Whether a file is called as settings of tools are, known or not: a judge for a model that
    heals, unless the error is in it. New data at the top of a tree is taken for settings too.
    """
    folder, _, name = fold_path(path).rpartition("/")
    stem, _, ending = name.rpartition(".")
    return (
        is_hidden(path)
        or name.endswith(_SETTING_ENDINGS)
        or stem.endswith(".config")
        or (stem.endswith("rc") and ending in _DATA_ENDINGS)
        or (is_new and not folder and name.endswith(_DATA_AT_TOP))
    )
