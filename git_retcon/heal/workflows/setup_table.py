"""Actions that set up a tool: which one, and which of their inputs say its version."""

from git_retcon.lazy_named_tuple import NamedTuple


class SetUp(NamedTuple):
    """What an action sets up, the inputs that say its version, and the one that names a file of
    the repository which says it.
    """

    tool: str
    version: tuple[str, ...] = ()
    file: str = ""
    # dtolnay/rust-toolchain@1.75: the version is the action's own.
    by_ref: bool = False


SET_UPS = {
    "actions-rs/toolchain": SetUp("rust", ("toolchain",)),
    "actions-rust-lang/setup-rust-toolchain": SetUp("rust", ("toolchain",)),
    "actions/setup-dotnet": SetUp("dotnet", ("dotnet-version",), file="global-json-file"),
    "actions/setup-go": SetUp("go", ("go-version",), file="go-version-file"),
    "actions/setup-java": SetUp("java", ("java-version",), file="java-version-file"),
    "actions/setup-node": SetUp("node", ("node-version", "version"), file="node-version-file"),
    "actions/setup-python": SetUp("python", ("python-version",), file="python-version-file"),
    "arduino/setup-protoc": SetUp("protoc", ("version",)),
    "astral-sh/ruff-action/setup": SetUp("ruff", ("version",)),
    "astral-sh/setup-uv": SetUp("uv", ("version",), file="version-file"),
    "aminya/setup-cpp": SetUp("c++", ("compiler",)),
    "browser-actions/setup-chrome": SetUp("chrome", ("chrome-version",)),
    "browser-actions/setup-firefox": SetUp("firefox", ("firefox-version",)),
    "bufbuild/buf-setup-action": SetUp("buf", ("version",)),
    "cachix/install-nix-action": SetUp("nix"),
    "coursier/setup-action": SetUp("java", ("jvm",)),
    "dart-lang/setup-dart": SetUp("dart", ("sdk",)),
    "denolib/setup-deno": SetUp("deno", ("deno-version",)),
    "denoland/setup-deno": SetUp("deno", ("deno-version",), file="deno-version-file"),
    "dtolnay/rust-toolchain": SetUp("rust", ("toolchain",), by_ref=True),
    "erlef/setup-beam": SetUp("erlang", ("otp-version", "elixir-version"), file="version-file"),
    "extractions/setup-just": SetUp("just", ("just-version",)),
    "goto-bus-stop/setup-zig": SetUp("zig", ("version",)),
    "gradle/actions/setup-gradle": SetUp("gradle", ("gradle-version",)),
    "gradle/gradle-build-action": SetUp("gradle", ("gradle-version",)),
    "haskell-actions/setup": SetUp("ghc", ("ghc-version",)),
    "haskell/actions/setup": SetUp("ghc", ("ghc-version",)),
    "graalvm/setup-graalvm": SetUp("java", ("java-version",)),
    "hashicorp/setup-terraform": SetUp("terraform", ("terraform_version",)),
    "hynek/setup-cached-uv": SetUp("uv"),
    "julia-actions/setup-julia": SetUp("julia", ("version",)),
    "jdx/mise-action": SetUp("mise", ("version",)),
    "leafo/gh-actions-lua": SetUp("lua", ("luaVersion",)),
    "lukka/get-cmake": SetUp("cmake", ("cmakeVersion",)),
    "jwlawson/actions-setup-cmake": SetUp("cmake", ("cmake-version",)),
    "mlugg/setup-zig": SetUp("zig", ("version",)),
    "moonrepo/setup-rust": SetUp("rust", ("channel",)),
    "ocaml/setup-ocaml": SetUp("ocaml", ("ocaml-compiler",)),
    "opam/setup-ocaml": SetUp("ocaml", ("ocaml-compiler",)),
    "oracle-actions/setup-java": SetUp("java", ("release",)),
    "oven-sh/setup-bun": SetUp("bun", ("bun-version",), file="bun-version-file"),
    "pdm-project/setup-pdm": SetUp("python", ("python-version",), file="python-version-file"),
    "pnpm/setup": SetUp("pnpm", ("version",), file="package_json_file"),
    "pnpm/action-setup": SetUp("pnpm", ("version",), file="package_json_file"),
    "r-lib/actions/setup-pandoc": SetUp("pandoc", ("pandoc-version",)),
    "r-lib/actions/setup-r": SetUp("r", ("r-version",)),
    "ruby/setup-ruby": SetUp("ruby", ("ruby-version",)),
    "sbt/setup-sbt": SetUp("sbt", ("sbt-runner-version",)),
    "seanmiddleditch/gha-setup-ninja": SetUp("ninja", ("version",)),
    "shivammathur/setup-php": SetUp("php", ("php-version",), file="php-version-file"),
    "snok/install-poetry": SetUp("poetry", ("version",)),
    "subosito/flutter-action": SetUp("flutter", ("flutter-version",), file="flutter-version-file"),
    "swift-actions/setup-swift": SetUp("swift", ("swift-version",)),
    "willabides/setup-go-faster": SetUp("go", ("go-version",), file="go-version-file"),
    "volta-cli/action": SetUp("node", ("node-version",)),
}
