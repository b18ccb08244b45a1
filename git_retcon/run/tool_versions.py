"""Which tools are on PATH, in which versions, by asking them.

Nothing of a repository takes part: a tool inside of ``without`` (a working tree, say) is passed
over, and no tool is asked in a folder whose files could choose its version or have it downloaded.
"""

import contextlib
import functools
import hashlib
import os
import re
import shutil
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from git_retcon.run.environment import command_environment
from git_retcon.run.process_group import end_group

_SECONDS = 10.0
_LONGEST = 64 * 1024  # bytes of what a tool prints
# A launcher that would first download the version that it takes for the wanted one.
_NO_DOWNLOADS = {
    "COREPACK_ENABLE_NETWORK": "0", "GOTOOLCHAIN": "local", "RUSTUP_AUTO_INSTALL": "0",
}  # fmt: skip
_PLAIN = ("--version",)


class Tool(NamedTuple):
    """A program, and the version it says it has (``3.12.3``). ``variables`` are those that choose
    it where one program is several versions.
    """

    path: str
    version: str
    variables: tuple[tuple[str, str], ...] = ()


class Question(NamedTuple):
    """How a tool is asked for its version: its programs, the best first, and their arguments."""

    programs: tuple[str, ...]
    arguments: tuple[str, ...] = _PLAIN


_QUESTIONS: Mapping[str, Question] = {
    "buf": Question(("buf",)),
    "bun": Question(("bun",)),
    "bundler": Question(("bundle",)),
    "c++": Question(("c++", "g++", "clang++")),
    "cargo-deny": Question(("cargo-deny",)),
    "cffconvert": Question(("cffconvert",)),
    "chrome": Question(("google-chrome", "google-chrome-stable", "chromium", "chrome")),
    "cmake": Question(("cmake",)),
    "codespell": Question(("codespell",)),
    "dart": Question(("dart",)),
    "deno": Question(("deno",)),
    "dotnet": Question(("dotnet",)),
    "erlang": Question(
        ("erl",),
        ("-noshell", "-eval", "io:put_chars(erlang:system_info(otp_release)), halt()."),
    ),
    "firefox": Question(("firefox",)),
    "ghc": Question(("ghc",), ("--numeric-version",)),
    "go": Question(("go",), ("version",)),
    "golangci-lint": Question(("golangci-lint",)),
    "gosec": Question(("gosec",)),
    "gradle": Question(("gradle",)),
    "java": Question(("java",), ("-version",)),
    "julia": Question(("julia",)),
    "just": Question(("just",)),
    "lua": Question(("lua",), ("-v",)),
    "meson": Question(("meson",)),
    "mise": Question(("mise",)),
    "ninja": Question(("ninja",)),
    "nix": Question(("nix",)),
    "node": Question(("node", "nodejs")),
    "ocaml": Question(("ocaml",), ("-version",)),
    "pandoc": Question(("pandoc",)),
    "php": Question(("php",)),
    "pnpm": Question(("pnpm",)),
    "poetry": Question(("poetry",)),
    "prek": Question(("prek",)),
    "protoc": Question(("protoc",)),
    "python": Question(("python3", "python")),
    "r": Question(("Rscript",)),
    "ruby": Question(("ruby",)),
    "rubygems": Question(("gem",)),
    "ruff": Question(("ruff",)),
    "rust": Question(("rustc",)),
    "staticcheck": Question(("staticcheck",), ("-version",)),
    "swift": Question(("swift",)),
    "terraform": Question(("terraform",), ("version",)),
    "typos": Question(("typos",)),
    "uv": Question(("uv",)),
    "yamllint": Question(("yamllint",)),
    "zig": Question(("zig",), ("version",)),
    "zizmor": Question(("zizmor",)),
}

# Programs that are not asked, whose change may change what a job says.
_OTHERS = (
    "actionlint", "bandit", "bazel", "black", "cargo", "cargo-audit",
    "cargo-binstall", "cargo-clippy", "cargo-hack", "cargo-llvm-cov", "cargo-nextest",
    "cargo-semver-checks", "clang", "clang-format", "composer", "crystal", "dprint", "emcc",
    "eslint", "flake8", "gcc", "git", "govulncheck", "hadolint", "hatch", "helm", "isort",
    "make", "mvn", "mypy", "nasm", "nim", "nox", "npm", "pdm", "pip", "pre-commit", "prettier",
    "pylint", "pyright", "pytest", "rustfmt", "rye", "shellcheck", "shfmt", "sphinx-build",
    "task", "tox", "trivy", "tsc", "wasm-pack", "yarn",
)  # fmt: skip


class ToolFinder:
    """Finds tools on a PATH, each asked once."""

    def __init__(self, env: Mapping[str, str] | None = None, without: Path | None = None) -> None:
        """``without``: a folder whose programs are not taken, nor those of folders in it."""
        self._env = command_environment(env) | _NO_DOWNLOADS
        self._path = choose_folders(self._env.get("PATH", os.defpath), without)
        self._found: dict[tuple[str, ...], Tool | None] = {}

    def fingerprint(self) -> str:
        """Changes when one of the tools that this module knows is another one.

        No tool is asked: a program is known by its real path, size and time, and what chooses
        among the versions of a manager's by the file that says so.
        """
        digest = hashlib.sha256(self._path.encode("utf-8", "surrogateescape"))
        asked = {one for question in _QUESTIONS.values() for one in question.programs}
        programs = asked.union(_OTHERS)
        places = [shutil.which(one, path=self._path) for one in sorted(programs)]
        for place in [*filter(None, places), *_list_choices(self._env)]:
            real = os.path.realpath(place)
            with contextlib.suppress(OSError):
                state = os.stat(real)  # noqa: PTH116
                line = f"{place} {real} {state.st_size} {state.st_mtime_ns}\n"
                digest.update(line.encode("utf-8", "surrogateescape"))
        digest.update("".join(self._env.get(name, "") + "\n" for name in _CHOOSE).encode())
        return digest.hexdigest()[:16]

    def find(self, tool: str, wanted: str = "") -> Sequence[Tool]:
        """The versions of a tool that are here, the one that its name alone runs first.

        ``wanted`` is a version as somebody asked for it: a program of just that one is looked for
        too. A tool that this module does not know is not run, and has no version.
        """
        question = _QUESTIONS.get(tool)
        if question is None:
            return self._find_unknown(tool)
        usual = next(
            filter(None, (self._ask_tool(one, question) for one in question.programs)), None
        )
        others = [self._ask_tool(one, question) for one in _list_versioned(tool, wanted, self._env)]
        if tool == "rust" and wanted:
            others.append(self._ask_rustup(wanted))
        return [one for one in (usual, *others) if one is not None]

    def _ask_rustup(self, toolchain: str) -> Tool | None:
        """The compiler of an installed toolchain; a variable tells rustup's programs."""
        place = shutil.which("rustup", path=self._path)
        if place is None or not _is_plain_name(toolchain):
            return None
        version = self._read_version(place, ("run", toolchain, "rustc", "--version"))
        compiler = shutil.which("rustc", path=self._path) or place
        return Tool(compiler, version, (("RUSTUP_TOOLCHAIN", toolchain),)) if version else None

    def _find_unknown(self, tool: str) -> Sequence[Tool]:
        if not _is_plain_name(tool):
            return ()
        names = (tool, f"cargo-{tool}")  # `cargo nextest` is cargo-nextest
        places = (shutil.which(name, path=self._path) for name in names)
        return [Tool(place, "") for place in places if place][:1]

    def _ask_tool(self, program: str, question: Question) -> Tool | None:
        asked = (program, *question.arguments)
        if asked not in self._found:
            place = shutil.which(program, path=self._path)
            version = self._read_version(place, question.arguments) if place else ""
            self._found[asked] = Tool(place, version) if place and version else None
        return self._found[asked]

    def _read_version(self, place: str, arguments: Sequence[str]) -> str:
        """The version a program prints; empty where it fails, prints none, or takes too long."""
        env = {**self._env, "PATH": self._path}
        try:
            process = subprocess.Popen(
                [place, *arguments], env=env, cwd="/", stdin=subprocess.DEVNULL,
                # java and some others print their version to standard error.
                stdout=subprocess.PIPE, stderr=subprocess.STDOUT, process_group=0,
            )  # fmt: skip
        except OSError:
            return ""
        with process:
            said = _read_answer(process)
        found = _version_pattern().search(said[:_LONGEST].decode("utf-8", "replace"))
        if not found or process.returncode != 0:
            return ""
        is_java = place.endswith("/java")
        return found[1].removeprefix("1.") if is_java else found[1]  # 1.8 is Java 8


# Variables, and files in the folders of tool managers, that choose a version.
_CHOOSE = ("PYENV_VERSION", "RBENV_VERSION", "RUSTUP_TOOLCHAIN", "NODENV_VERSION")
_CHOICES = (
    ("PYENV_ROOT", ".pyenv", "version"),
    ("PYENV_ROOT", ".pyenv", "versions"),
    ("RBENV_ROOT", ".rbenv", "version"),
    ("NODENV_ROOT", ".nodenv", "version"),
    ("RUSTUP_HOME", ".rustup", "settings.toml"),
    ("ASDF_DATA_DIR", "", ".tool-versions"),
)


def _list_choices(env: Mapping[str, str]) -> Iterator[str]:
    home = env.get("HOME", "/")
    for variable, folder, name in _CHOICES:
        yield os.path.join(env.get(variable) or os.path.join(home, folder), name)  # noqa: PTH118


def _read_answer(process: "subprocess.Popen[bytes]") -> bytes:
    """All a process prints; nothing where it takes too long, and is ended."""
    try:
        return process.communicate(timeout=_SECONDS)[0]
    except subprocess.TimeoutExpired:
        return b""
    finally:
        if process.returncode is None:
            end_group(process, grace=0)


def choose_folders(path: str, without: Path | None) -> str:
    """The folders of a PATH that do not depend on where one is, and are not within another."""
    inside = os.path.realpath(without) if without else ""
    chosen = []
    for folder in path.split(os.pathsep):
        real = os.path.realpath(folder)
        is_inside = bool(inside) and (real == inside or real.startswith(inside.rstrip("/") + "/"))
        if folder.startswith("/") and not is_inside:
            chosen.append(folder)
    return os.pathsep.join(chosen)


def _list_versioned(tool: str, wanted: str, env: Mapping[str, str]) -> Iterator[str]:
    """Programs of a version: python3.11 by its name, and those that pyenv has, the newest first."""
    named = re.match(r"v?(\d+\.\d+)", wanted) if tool == "python" else None
    if named is None:
        return
    yield f"python{named[1]}"
    root = env.get("PYENV_ROOT") or os.path.join(env.get("HOME", "/"), ".pyenv")  # noqa: PTH118
    try:
        installed = os.listdir(os.path.join(root, "versions"))  # noqa: PTH118, PTH208
    except OSError:
        return
    same = [
        one
        for one in installed
        if one.startswith(f"{named[1]}.") and one.rpartition(".")[2].isdigit()
    ]
    for version in sorted(same, key=lambda one: int(one.rpartition(".")[2]), reverse=True):
        # Itself, not the launcher on PATH: that one asks files of the folder it is in.
        yield os.path.join(root, "versions", version, "bin/python")  # noqa: PTH118


def _is_plain_name(tool: str) -> bool:
    return re.fullmatch(r"[A-Za-z0-9_][A-Za-z0-9_.+-]*", tool) is not None


@functools.cache
def _version_pattern() -> re.Pattern[str]:
    """The first number that is a version rather than part of a name, with what is joined to it."""
    return re.compile(r"(?<![\w.-])(?:go|v|V)?(\d+(?:\.\d+)*(?:[-+_][\w.+-]+)?)")
