"""Actions that set up tools: which tool, in which version, a step asks for."""

from collections.abc import Callable

from git_retcon.lazy_named_tuple import NamedTuple


class ToolRequest(NamedTuple):
    """A tool that a step wants. ``version`` is as the workflow says it, empty for any; ``file`` is
    one of the repository that says it instead.
    """

    tool: str
    version: str
    file: str = ""


class _SetUp(NamedTuple):
    """What an action sets up, the inputs that say its version, and the one that names a file of
    the repository which says it.
    """

    tool: str
    version: tuple[str, ...] = ()
    file: str = ""
    # dtolnay/rust-toolchain@1.75: the version is the action's own.
    by_ref: bool = False


_SET_UPS = {
    "actions-rs/toolchain": _SetUp("rust", ("toolchain",)),
    "abatilo/actions-poetry": _SetUp("poetry", ("poetry-version",)),
    "actions-rust-lang/setup-rust-toolchain": _SetUp("rust", ("toolchain",)),
    "actions/setup-dotnet": _SetUp("dotnet", ("dotnet-version",), file="global-json-file"),
    "actions/setup-go": _SetUp("go", ("go-version",), file="go-version-file"),
    "actions/setup-java": _SetUp("java", ("java-version",), file="java-version-file"),
    "actions/setup-node": _SetUp("node", ("node-version", "version"), file="node-version-file"),
    "actions/setup-python": _SetUp("python", ("python-version",), file="python-version-file"),
    "actions/setup-ruby": _SetUp("ruby", ("ruby-version",)),
    "arduino/setup-task": _SetUp("task", ("version",)),
    "arduino/setup-protoc": _SetUp("protoc", ("version",)),
    "astral-sh/ruff-action/setup": _SetUp("ruff", ("version",)),
    "astral-sh/setup-uv": _SetUp("uv", ("version",), file="version-file"),
    "aminya/setup-cpp": _SetUp("c++", ("compiler",)),
    "browser-actions/setup-chrome": _SetUp("chrome", ("chrome-version",)),
    "browser-actions/setup-firefox": _SetUp("firefox", ("firefox-version",)),
    "bufbuild/buf-setup-action": _SetUp("buf", ("version",)),
    "anchore/sbom-action/download-syft": _SetUp("syft", ("syft-version",)),
    "aquasecurity/setup-trivy": _SetUp("trivy", ("version",)),
    "ashutoshvarma/setup-ninja": _SetUp("ninja", ("version",)),
    "azure/setup-helm": _SetUp("helm", ("version",)),
    "azure/setup-kubectl": _SetUp("kubectl", ("version",)),
    "bazel-contrib/setup-bazel": _SetUp("bazel"),
    "bazelbuild/setup-bazelisk": _SetUp("bazel"),
    "cachix/install-nix-action": _SetUp("nix"),
    "cargo-bins/cargo-binstall": _SetUp("cargo-binstall"),
    "coursier/setup-action": _SetUp("java", ("jvm",)),
    "crystal-lang/install-crystal": _SetUp("crystal", ("crystal",)),
    "dart-lang/setup-dart": _SetUp("dart", ("sdk",)),
    "denolib/setup-deno": _SetUp("deno", ("deno-version",)),
    "denoland/setup-deno": _SetUp("deno", ("deno-version",), file="deno-version-file"),
    "dtolnay/rust-toolchain": _SetUp("rust", ("toolchain",), by_ref=True),
    "egor-tensin/setup-clang": _SetUp("clang", ("version",)),
    "egor-tensin/setup-gcc": _SetUp("gcc", ("version",)),
    "eifinger/setup-rye": _SetUp("rye", ("version",)),
    "erlef/setup-beam": _SetUp("erlang", ("otp-version", "elixir-version"), file="version-file"),
    "extractions/setup-just": _SetUp("just", ("just-version",)),
    "go-task/setup-task": _SetUp("task", ("version",)),
    "goto-bus-stop/setup-zig": _SetUp("zig", ("version",)),
    "gradle/actions/setup-gradle": _SetUp("gradle", ("gradle-version",)),
    "gradle/gradle-build-action": _SetUp("gradle", ("gradle-version",)),
    "haskell-actions/setup": _SetUp("ghc", ("ghc-version",)),
    "haskell/actions/setup": _SetUp("ghc", ("ghc-version",)),
    "graalvm/setup-graalvm": _SetUp("java", ("java-version",)),
    "gr1n/setup-poetry": _SetUp("poetry", ("poetry-version",)),
    "hashicorp/setup-terraform": _SetUp("terraform", ("terraform_version",)),
    "hynek/setup-cached-uv": _SetUp("uv"),
    "ilammy/setup-nasm": _SetUp("nasm", ("version",)),
    "jetli/trunk-action": _SetUp("trunk", ("version",)),
    "jetli/wasm-bindgen-action": _SetUp("wasm-bindgen", ("version",)),
    "jetli/wasm-pack-action": _SetUp("wasm-pack", ("version",)),
    "jiro4989/setup-nim-action": _SetUp("nim", ("nim-version",)),
    "joschi/setup-jdk": _SetUp("java", ("java-version",)),
    "julia-actions/setup-julia": _SetUp("julia", ("version",)),
    "jdx/mise-action": _SetUp("mise", ("version",)),
    "leafo/gh-actions-lua": _SetUp("lua", ("luaVersion",)),
    "lukka/get-cmake": _SetUp("cmake", ("cmakeVersion",)),
    "jwlawson/actions-setup-cmake": _SetUp("cmake", ("cmake-version",)),
    "mlugg/setup-zig": _SetUp("zig", ("version",)),
    "ko-build/setup-ko": _SetUp("ko", ("version",)),
    "moonrepo/setup-rust": _SetUp("rust", ("channel",)),
    "mymindstorm/setup-emsdk": _SetUp("emcc", ("version",)),
    "nanasess/setup-chromedriver": _SetUp("chromedriver", ("chromedriver-version",)),
    "ocaml/setup-ocaml": _SetUp("ocaml", ("ocaml-compiler",)),
    "opam/setup-ocaml": _SetUp("ocaml", ("ocaml-compiler",)),
    "opentofu/setup-opentofu": _SetUp("tofu", ("tofu_version",)),
    "oracle-actions/setup-java": _SetUp("java", ("release",)),
    "oven-sh/setup-bun": _SetUp("bun", ("bun-version",), file="bun-version-file"),
    "pdm-project/setup-pdm": _SetUp("python", ("python-version",), file="python-version-file"),
    "pnpm/setup": _SetUp("pnpm", ("version",), file="package_json_file"),
    "pnpm/action-setup": _SetUp("pnpm", ("version",), file="package_json_file"),
    "r-lib/actions/setup-pandoc": _SetUp("pandoc", ("pandoc-version",)),
    "r-lib/actions/setup-r": _SetUp("r", ("r-version",)),
    "ruby/setup-ruby": _SetUp("ruby", ("ruby-version",)),
    "sbt/setup-sbt": _SetUp("sbt", ("sbt-runner-version",)),
    "seanmiddleditch/gha-setup-ninja": _SetUp("ninja", ("version",)),
    "shivammathur/setup-php": _SetUp("php", ("php-version",), file="php-version-file"),
    "sigstore/cosign-installer": _SetUp("cosign", ("cosign-release",)),
    "snok/install-poetry": _SetUp("poetry", ("version",)),
    "stcarolas/setup-maven": _SetUp("mvn", ("maven-version",)),
    "subosito/flutter-action": _SetUp("flutter", ("flutter-version",), file="flutter-version-file"),
    "swift-actions/setup-swift": _SetUp("swift", ("swift-version",)),
    "terraform-linters/setup-tflint": _SetUp("tflint", ("tflint_version",)),
    "turtlesec-no/get-ninja": _SetUp("ninja", ("version",)),
    "willabides/setup-go-faster": _SetUp("go", ("go-version",), file="go-version-file"),
    "volta-cli/action": _SetUp("node", ("node-version",)),
}
_RUST = ("toolchain",)
# taiki-e/install-action@nextest, or `with: tool: nextest,cargo-hack`.
_LISTS = {
    "dtolnay/install": "crate",
    "git-heal/tool": "tool",
    "taiki-e/cache-cargo-install-action": "tool",
    "taiki-e/install-action": "tool",
}


def sets_up_tools(uses: str) -> bool:
    """Whether a ``uses`` names such an action."""
    action = uses.partition("@")[0].lower()
    return action in _SET_UPS or action in _LISTS


def read_tools(
    action: str, ref: str, read_input: Callable[[str], str]
) -> tuple[ToolRequest, ...] | None:
    """The tools that an action sets up; None if it is no such action.

    ``action`` is ``owner/name[/path]`` in lower case, ``ref`` what follows ``@``.
    """
    if action in _LISTS:
        return _read_list(read_input(_LISTS[action]) or ref)
    row = _SET_UPS.get(action)
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
