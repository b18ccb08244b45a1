"""Files that say what a project needs installed: manifests and lock files of every ecosystem."""

import fnmatch

_NAMES = frozenset(
    {
        b"pyproject.toml", b"setup.py", b"setup.cfg", b"requirements.txt", b"pipfile",
        b"pipfile.lock", b"poetry.lock", b"uv.lock", b"pdm.lock", b"pylock.toml", b"conda-lock.yml",
        b"environment.yml", b"tox.ini",
        b"package.json", b"package-lock.json", b"npm-shrinkwrap.json", b"yarn.lock",
        b"pnpm-lock.yaml", b"pnpm-workspace.yaml", b"bun.lock", b"bun.lockb", b"deno.lock",
        b"cargo.toml", b"cargo.lock", b"rust-toolchain", b"rust-toolchain.toml",
        b"go.mod", b"go.sum", b"go.work", b"go.work.sum",
        b"pom.xml", b"build.gradle", b"build.gradle.kts", b"settings.gradle",
        b"settings.gradle.kts", b"gradle.properties", b"gradle.lockfile", b"libs.versions.toml",
        b"gemfile", b"gemfile.lock", b"composer.json", b"composer.lock", b"mix.exs", b"mix.lock",
        b"pubspec.yaml", b"pubspec.lock", b"package.swift", b"package.resolved",
        b"conanfile.txt", b"conanfile.py", b"vcpkg.json", b"cmakelists.txt", b"meson.build",
        b"stack.yaml", b"stack.yaml.lock", b"cabal.project", b"rebar.config", b"rebar.lock",
        b"flake.nix", b"flake.lock", b".tool-versions", b".python-version", b".nvmrc",
        b".node-version", b".ruby-version",
    }
)  # fmt: skip
_PATTERNS = ("requirements*.txt", "requirements*.in", "constraints*.txt", "*.csproj", "*.fsproj",
             "*.cabal", "*.gemspec", "packages.lock.json", "directory.packages.props")  # fmt: skip


def is_manifest(path: bytes) -> bool:
    """Whether a change of this file can change what has to be installed."""
    name = path.rpartition(b"/")[2].lower()
    if name in _NAMES:
        return True
    text = name.decode("utf-8", "replace")
    return any(fnmatch.fnmatchcase(text, pattern) for pattern in _PATTERNS)
