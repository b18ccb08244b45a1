"""Actions that set up tools: which tool, in which version, a step asks for."""

from collections.abc import Callable
from typing import NamedTuple


class ToolRequest(NamedTuple):
    """A tool that a step wants. ``version`` is as the workflow says it, empty for any; ``file`` is
    one of the repository that says it instead.
    """

    tool: str
    version: str
    file: str = ""


class _Row(NamedTuple):
    """What an action sets up, and the inputs that say which version."""

    tool: str
    version: tuple[str, ...] = ()
    file: str = ""
    # dtolnay/rust-toolchain@1.75: the version is the action's own.
    by_ref: bool = False


_RUST = ("toolchain",)
_ROWS: dict[str, _Row] = {
    "actions-rs/toolchain": _Row("rust", _RUST),
    "actions-rust-lang/setup-rust-toolchain": _Row("rust", _RUST),
    "actions/setup-dotnet": _Row("dotnet", ("dotnet-version",), "global-json-file"),
    "actions/setup-go": _Row("go", ("go-version",), "go-version-file"),
    "actions/setup-java": _Row("java", ("java-version",), "java-version-file"),
    "actions/setup-node": _Row("node", ("node-version", "version"), "node-version-file"),
    "actions/setup-python": _Row("python", ("python-version",), "python-version-file"),
    "arduino/setup-protoc": _Row("protoc", ("version",)),
    "astral-sh/ruff-action/setup": _Row("ruff", ("version",)),
    "astral-sh/setup-uv": _Row("uv", ("version",), "version-file"),
    "aminya/setup-cpp": _Row("c++", ("compiler",)),
    "browser-actions/setup-chrome": _Row("chrome", ("chrome-version",)),
    "browser-actions/setup-firefox": _Row("firefox", ("firefox-version",)),
    "bufbuild/buf-setup-action": _Row("buf", ("version",)),
    "cachix/install-nix-action": _Row("nix"),
    "coursier/setup-action": _Row("java", ("jvm",)),
    "dart-lang/setup-dart": _Row("dart", ("sdk",)),
    "denoland/setup-deno": _Row("deno", ("deno-version",), "deno-version-file"),
    "dtolnay/rust-toolchain": _Row("rust", _RUST, by_ref=True),
    "erlef/setup-beam": _Row("erlang", ("otp-version", "elixir-version"), "version-file"),
    "extractions/setup-just": _Row("just", ("just-version",)),
    "goto-bus-stop/setup-zig": _Row("zig", ("version",)),
    "gradle/actions/setup-gradle": _Row("gradle", ("gradle-version",)),
    "gradle/gradle-build-action": _Row("gradle", ("gradle-version",)),
    "haskell-actions/setup": _Row("ghc", ("ghc-version",)),
    "haskell/actions/setup": _Row("ghc", ("ghc-version",)),
    "graalvm/setup-graalvm": _Row("java", ("java-version",)),
    "hashicorp/setup-terraform": _Row("terraform", ("terraform_version",)),
    "hynek/setup-cached-uv": _Row("uv"),
    "julia-actions/setup-julia": _Row("julia", ("version",)),
    "jdx/mise-action": _Row("mise", ("version",)),
    "leafo/gh-actions-lua": _Row("lua", ("luaVersion",)),
    "lukka/get-cmake": _Row("cmake", ("cmakeVersion",)),
    "jwlawson/actions-setup-cmake": _Row("cmake", ("cmake-version",)),
    "mlugg/setup-zig": _Row("zig", ("version",)),
    "moonrepo/setup-rust": _Row("rust", ("channel",)),
    "ocaml/setup-ocaml": _Row("ocaml", ("ocaml-compiler",)),
    "opam/setup-ocaml": _Row("ocaml", ("ocaml-compiler",)),
    "oven-sh/setup-bun": _Row("bun", ("bun-version",), "bun-version-file"),
    "pdm-project/setup-pdm": _Row("python", ("python-version",), "python-version-file"),
    "pnpm/action-setup": _Row("pnpm", ("version",), "package_json_file"),
    "r-lib/actions/setup-pandoc": _Row("pandoc", ("pandoc-version",)),
    "r-lib/actions/setup-r": _Row("r", ("r-version",)),
    "ruby/setup-ruby": _Row("ruby", ("ruby-version",)),
    "sbt/setup-sbt": _Row("sbt", ("sbt-runner-version",)),
    "shivammathur/setup-php": _Row("php", ("php-version",), "php-version-file"),
    "snok/install-poetry": _Row("poetry", ("version",)),
    "subosito/flutter-action": _Row("flutter", ("flutter-version",), "flutter-version-file"),
    "swift-actions/setup-swift": _Row("swift", ("swift-version",)),
    "volta-cli/action": _Row("node", ("node-version",)),
}
# taiki-e/install-action@nextest, or `with: tool: nextest,cargo-hack`.
_LISTS = frozenset({"taiki-e/install-action", "taiki-e/cache-cargo-install-action"})


def sets_up_tools(uses: str) -> bool:
    """Whether a ``uses`` names such an action."""
    action = uses.partition("@")[0].lower()
    return action in _ROWS or action in _LISTS


def read_tools(
    action: str, ref: str, read_input: Callable[[str], str]
) -> tuple[ToolRequest, ...] | None:
    """The tools that an action sets up; None if it is no such action.

    ``action`` is ``owner/name[/path]`` in lower case, ``ref`` what follows ``@``.
    """
    if action in _LISTS:
        return _read_list(read_input("tool") or ref)
    row = _ROWS.get(action)
    if row is None:
        return None
    version = next((said for said in map(read_input, row.version) if said), "")
    if row.by_ref and not version:
        version = "" if ref in ("main", "master", "v1") else ref
    file = read_input(row.file) if row.file and not version else ""
    # Several versions, one a line: the last one is the default, but the first is wanted as much.
    versions = version.split("\n") if "\n" in version else [version]
    return tuple(ToolRequest(row.tool, one.strip(), file) for one in versions if one or not version)


def _read_list(text: str) -> tuple[ToolRequest, ...]:
    names = (name.strip() for name in text.split(","))
    parts = (name.partition("@") for name in names if name)
    return tuple(ToolRequest(tool, version) for tool, _, version in parts)
