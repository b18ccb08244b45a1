"""The environment that every step of a job begins with.

A list of what may come from the caller, since nobody can list what may not: proxies, certificates,
package indexes, and where tool managers keep the user's tools. Everything else that a tool would
find in or write to the user's HOME lies in folders of the job.
"""

import os
from collections.abc import Mapping
from pathlib import Path

from git_retcon.heal.execution.own_programs import link_corepack, write_cargo
from git_retcon.heal.execution.package_indexes import copy_indexes, strip_addresses
from git_retcon.lazy_named_tuple import NamedTuple

_FROM_CALLER = frozenset(
    {
        # the machine and its language
        "HOSTNAME", "LANG", "LANGUAGE", "LOGNAME", "PATH", "SHELL", "TZ", "USER",
        # proxies
        "ALL_PROXY", "FTP_PROXY", "HTTPS_PROXY", "HTTP_PROXY", "NO_PROXY", "all_proxy",
        "ftp_proxy", "http_proxy", "https_proxy", "no_proxy",
        # certificates
        "AWS_CA_BUNDLE", "CARGO_HTTP_CAINFO", "CURL_CA_BUNDLE", "DENO_CERT", "GIT_SSL_CAINFO",
        "GIT_SSL_CAPATH", "GRPC_DEFAULT_SSL_ROOTS_FILE_PATH", "NIX_SSL_CERT_FILE",
        "NODE_EXTRA_CA_CERTS", "PIP_CERT", "REQUESTS_CA_BUNDLE", "SSL_CERT_DIR", "SSL_CERT_FILE",
        "UV_NATIVE_TLS", "UV_SYSTEM_CERTS",
        # package indexes
        "BUN_CONFIG_REGISTRY", "COREPACK_NPM_REGISTRY", "GOINSECURE", "GONOPROXY", "GONOSUMDB",
        "GOPRIVATE", "GOPROXY", "GOSUMDB", "NPM_CONFIG_CAFILE", "NPM_CONFIG_REGISTRY",
        "PIP_DEFAULT_TIMEOUT", "PIP_EXTRA_INDEX_URL", "PIP_FIND_LINKS", "PIP_INDEX_URL",
        "PIP_NO_INDEX", "PIP_RETRIES", "PIP_TRUSTED_HOST", "RUSTUP_DIST_SERVER",
        "RUSTUP_UPDATE_ROOT", "UV_DEFAULT_INDEX", "UV_EXTRA_INDEX_URL", "UV_FIND_LINKS",
        "UV_INDEX", "UV_INDEX_STRATEGY", "UV_INDEX_URL", "YARN_NPM_REGISTRY_SERVER",
        "YARN_REGISTRY", "npm_config_cafile", "npm_config_registry",
        # the tools that a build finds
        "ANDROID_HOME", "ANDROID_SDK_ROOT", "DOTNET_ROOT", "GOROOT", "JAVA_HOME", "LD_LIBRARY_PATH",
        "PKG_CONFIG_PATH", "PYENV_VERSION", "RBENV_VERSION", "RUSTUP_TOOLCHAIN",
    }
)  # fmt: skip
# Where tool managers keep what the user installed: by variable, else in HOME.
_TOOL_MANAGERS = {
    "ASDF_DATA_DIR": ".asdf",
    "FNM_DIR": ".local/share/fnm",
    "GHCUP_INSTALL_BASE_PREFIX": "",
    "GOENV_ROOT": ".goenv",
    "MISE_DATA_DIR": ".local/share/mise",
    "NODENV_ROOT": ".nodenv",
    "NVM_DIR": ".nvm",
    "PYENV_ROOT": ".pyenv",
    "RBENV_ROOT": ".rbenv",
    "RUSTUP_HOME": ".rustup",
    "SDKMAN_DIR": ".sdkman",
    "VOLTA_HOME": ".volta",
}
# rustup may not add to the user's toolchains what is missing, nor pip to the user's Python.
_UNATTENDED = {
    "CI": "true",
    "COREPACK_ENABLE_DOWNLOAD_PROMPT": "0",
    "DEBIAN_FRONTEND": "noninteractive",
    "GIT_CONFIG_NOSYSTEM": "1",
    "GIT_TERMINAL_PROMPT": "0",
    "GITHUB_ACTIONS": "true",
    "PIP_DISABLE_PIP_VERSION_CHECK": "1",
    "PIP_REQUIRE_VIRTUALENV": "1",
    "RUSTUP_AUTO_INSTALL": "0",
}

# Behind what npm installs: that may be a newer one.
_COREPACK = ".corepack/bin"


class JobFolders(NamedTuple):
    """What one job has for itself beside the tree, below ``root``. ``short`` is a folder for
    TMPDIR that lasts as long as the job: the path of a socket in it may have only 100 characters.
    """

    root: Path
    short: Path

    @property
    def home(self) -> Path:
        return self.root / "home"

    @property
    def temporary(self) -> Path:
        """RUNNER_TEMP, emptied before the job."""
        return self.root / "temp"

    @property
    def workspace(self) -> Path:
        """GITHUB_WORKSPACE of a job that checks everything out by itself, emptied before it."""
        return self.root / "workspace"

    @property
    def actions(self) -> Path:
        """The commit, for its actions that run before a checkout."""
        return self.root / "actions"

    @property
    def virtual_environment(self) -> Path:
        return self.root / "venv"

    @property
    def programs(self) -> Path:
        """Programs of the job's own, before all others."""
        return self.root / "programs"

    @property
    def python(self) -> Path:
        """The Python that the virtual environment was made with."""
        return self.root / "python"

    @property
    def tool_cache(self) -> Path:
        return self.root / "tools"

    @property
    def origin(self) -> Path:
        """What the job fetches from, where it does."""
        return self.root / "origin.git"

    @property
    def logs(self) -> Path:
        return self.root / "logs"


class StepEnvironment(NamedTuple):
    """The variables, and what works only with credentials, which no step gets."""

    variables: Mapping[str, str]
    without_credentials: tuple[str, ...]


def make_environment(caller: Mapping[str, str], folders: JobFolders) -> StepEnvironment:
    """The variables for a job, whose folders are made."""
    allowed = {
        name: value
        for name, value in caller.items()
        if name in _FROM_CALLER or name.startswith("LC_")
    }
    kept, refused = strip_addresses(allowed)
    # A path that is not there: without HOME nothing of a user is read.
    user = Path(caller.get("HOME") or "/nonexistent")
    config = Path(caller.get("XDG_CONFIG_HOME") or user / ".config")
    home = folders.home
    home.mkdir(parents=True, exist_ok=True)
    refused += copy_indexes(user, config, home)
    own = {**_make_folders(folders), **_name_prefixes(home)}
    variables = {**kept, **_find_managers(caller, user), **_UNATTENDED, **own}
    path = kept.get("PATH", os.defpath)
    variables["PATH"] = os.pathsep.join([*_list_programs(home), path])
    link_corepack(home / _COREPACK, path)
    write_cargo(home, path)
    return StepEnvironment(variables, tuple(dict.fromkeys(refused)))


def _make_folders(folders: JobFolders) -> dict[str, str]:
    home = folders.home
    places = {
        "TMPDIR": folders.short / "tmp",
        "XDG_CACHE_HOME": home / ".cache",
        "XDG_CONFIG_HOME": home / ".config",
        "XDG_DATA_HOME": home / ".local/share",
        "XDG_RUNTIME_DIR": folders.short / "run",
        "XDG_STATE_HOME": home / ".local/state",
        "RUNNER_TEMP": folders.temporary,
        "RUNNER_TOOL_CACHE": folders.tool_cache,
    }
    for place in places.values():
        place.mkdir(parents=True, exist_ok=True)
    # What XDG_RUNTIME_DIR must be; some programs refuse any other mode.
    (folders.short / "run").chmod(0o700)
    return {"HOME": str(home), **{name: str(place) for name, place in places.items()}}


def _name_prefixes(home: Path) -> dict[str, str]:
    """Where tools install things for the user by default, so that it is not the user's own."""
    return {
        "CARGO_HOME": str(home / ".cargo"),
        "GEM_HOME": str(home / ".gem"),
        "GIT_CONFIG_GLOBAL": str(home / ".gitconfig"),
        "GOPATH": str(home / "go"),
        "NPM_CONFIG_PREFIX": str(home / ".npm-global"),
        "PYTHONUSERBASE": str(home / ".local"),
    }


def _list_programs(home: Path) -> list[str]:
    places = (".local/bin", ".npm-global/bin", ".cargo/bin", "go/bin", ".gem/bin", _COREPACK)
    return [str(home / place) for place in places]


def _find_managers(caller: Mapping[str, str], user: Path) -> dict[str, str]:
    found = {}
    for name, place in _TOOL_MANAGERS.items():
        path = Path(caller.get(name) or user / place) if place or caller.get(name) else None
        # Not is_dir() of Path, which raises where a folder above is another user's.
        if path is not None and os.path.isdir(path):  # noqa: PTH112
            found[name] = str(path)
    return found
