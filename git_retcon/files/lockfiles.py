"""Manifests and lock files of every ecosystem: what a project needs installed.

People write a manifest; a tool derives the lock file from it, with exact versions. A change of
either can change what ``setup`` has to install. One table serves all: what a model may not write,
what leaves a prompt out, when ``setup`` runs again, which manifest a lock file follows.
"""

import functools
from collections.abc import Mapping

from git_retcon.files.untrusted_paths import fold_name

# Lock file → the manifests that it is derived from, in the same folder. Compared without case.
_LOCK_FILES: Mapping[str, tuple[str, ...]] = {
    # Python
    "conda-lock.yml": ("environment.yml", "environment.yaml"),
    "pdm.lock": ("pyproject.toml",),
    "Pipfile.lock": ("Pipfile",),
    "pixi.lock": ("pixi.toml", "pyproject.toml"),
    "poetry.lock": ("pyproject.toml",),
    "pylock.toml": ("pyproject.toml",),
    "uv.lock": ("pyproject.toml",),
    # JavaScript
    "bun.lock": ("package.json",),
    "bun.lockb": ("package.json",),
    "deno.lock": ("deno.json", "deno.jsonc"),
    "npm-shrinkwrap.json": ("package.json",),
    "package-lock.json": ("package.json",),
    "pnpm-lock.yaml": ("package.json", "pnpm-workspace.yaml"),
    "yarn.lock": ("package.json",),
    # Rust, Go, Zig, C, C++, D, Swift, Objective-C
    "Cargo.lock": ("Cargo.toml",),
    "Cartfile.resolved": ("Cartfile",),
    "conan.lock": ("conanfile.txt", "conanfile.py"),
    "dub.selections.json": ("dub.json", "dub.sdl"),
    "go.sum": ("go.mod",),
    "go.work.sum": ("go.work",),
    "MODULE.bazel.lock": ("MODULE.bazel",),
    "Package.resolved": ("Package.swift",),
    "Podfile.lock": ("Podfile",),
    # JVM, .NET
    "buildscript-gradle.lockfile": ("build.gradle", "build.gradle.kts"),
    "gradle.lockfile": ("build.gradle", "build.gradle.kts"),
    "packages.lock.json": ("packages.config",),
    "paket.lock": ("paket.dependencies",),
    # Ruby, PHP, Perl, Crystal, Dart, R
    "composer.lock": ("composer.json",),
    "cpanfile.snapshot": ("cpanfile",),
    "Gemfile.lock": ("Gemfile",),
    "gems.locked": ("gems.rb",),
    "pubspec.lock": ("pubspec.yaml",),
    "renv.lock": ("DESCRIPTION",),
    "shard.lock": ("shard.yml",),
    # Erlang, Elixir, Haskell, Nim
    "cabal.project.freeze": ("cabal.project",),
    "mix.lock": ("mix.exs",),
    "nimble.lock": (),
    "rebar.lock": ("rebar.config",),
    "stack.yaml.lock": ("stack.yaml",),
    # systems
    ".terraform.lock.hcl": (),
    "Brewfile.lock.json": ("Brewfile",),
    "Chart.lock": ("Chart.yaml",),
    "devbox.lock": ("devbox.json",),
    "flake.lock": ("flake.nix",),
}
# Manifests without a lock file of their own; those of the table above are known from there.
_MANIFESTS = frozenset(
    {
        "setup.py", "setup.cfg", "tox.ini", "hatch.toml", ".npmrc", ".yarnrc.yml", "bunfig.toml",
        "rust-toolchain", "rust-toolchain.toml", "build.zig.zon", "vcpkg.json",
        "vcpkg-configuration.json", "cmakelists.txt", "meson.build", "workspace",
        "workspace.bazel", "pom.xml", "settings.gradle", "settings.gradle.kts",
        "gradle.properties", "gradle-wrapper.properties", "libs.versions.toml", "build.sbt",
        "deps.edn", "project.clj", "global.json", "nuget.config", "directory.build.props",
        "directory.packages.props", "makefile.pl", "elm.json", "dune-project", "gleam.toml",
        "project.toml", "manifest.toml", "shell.nix", "mise.toml", ".mise.toml", ".tool-versions",
        ".python-version", ".nvmrc", ".node-version", ".ruby-version", ".java-version",
        ".go-version",
    }
)  # fmt: skip
_MANIFEST_ENDINGS = (
    ".cabal", ".csproj", ".fsproj", ".gemspec", ".nimble", ".opam", ".podspec", ".rockspec",
    ".vbproj",
)  # fmt: skip
_PIN_LISTS = (".txt", ".in")


def is_lock_file(path: bytes) -> bool:
    """Whether a file is a lock file by its name, in every spelling that a file system may know."""
    name = fold_name(path.rpartition(b"/")[2].decode("utf-8", "surrogateescape"))
    return name in _by_lock() or _is_named_pylock(name)


def is_manifest(path: bytes) -> bool:
    """Whether a change of this file can change what has to be installed: lock files as well."""
    folder, _, last = path.lower().rpartition(b"/")
    name = last.decode("utf-8", "surrogateescape")
    if name.endswith(_PIN_LISTS):  # requirements-dev.txt, requirements/dev.in, constraints.txt
        is_pin_list = "requirements" in name or name.startswith("constraints")
        return (
            is_pin_list
            or name in _list_manifests()
            or folder.rpartition(b"/")[2] == b"requirements"
        )
    return name in _list_manifests() or name.endswith(_MANIFEST_ENDINGS) or _is_named_pylock(name)


def manifests_of(path: bytes) -> tuple[bytes, ...]:
    """The paths of the manifests that a lock file is derived from; none for another file."""
    folder, slash, name = path.rpartition(b"/")
    found = _by_lock().get(name.decode("utf-8", "surrogateescape").lower(), ())
    return tuple(folder + slash + manifest.encode() for manifest in found)


@functools.cache
def _by_lock() -> Mapping[str, tuple[str, ...]]:
    return {name.lower(): manifests for name, manifests in _LOCK_FILES.items()}


@functools.cache
def _list_manifests() -> frozenset[str]:
    from_locks = {manifest.lower() for found in _LOCK_FILES.values() for manifest in found}
    return _MANIFESTS | from_locks | _by_lock().keys()


def _is_named_pylock(name: str) -> bool:
    """``pylock.dev.toml``: the standard lets a project have several, each with a name."""
    parts = name.split(".")
    return len(parts) == 3 and parts[0] == "pylock" and parts[1] != "" and parts[2] == "toml"
