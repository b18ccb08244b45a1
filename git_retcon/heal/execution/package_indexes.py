"""Where packages come from on this machine: what the user's HOME says of it, for a HOME of ours.

Only addresses, certificates and proxies are taken; tokens, passwords and addresses that hold one
are not.
"""

import io
import re
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

from git_retcon.code.lazy_pattern import LazyPattern
from git_retcon.lazy_named_tuple import NamedTuple

_PIP = frozenset(
    {
        "cert", "extra-index-url", "find-links", "index-url", "no-index", "proxy", "retries",
        "timeout", "trusted-host",
    }
)  # fmt: skip
_NPM = frozenset(
    {
        "ca", "cafile", "https-proxy", "nodedir", "noproxy", "proxy", "registry", "strict-ssl",
    }
)  # fmt: skip
_CARGO = frozenset({"http", "net", "registries", "registry", "source"})
_UV = frozenset(
    {
        "default-index", "extra-index-url", "find-links", "index", "index-url", "native-tls",
        "no-index", "allow-insecure-host",
    }
)  # fmt: skip
_GO = ("GOINSECURE", "GONOPROXY", "GONOSUMDB", "GOPRIVATE", "GOPROXY", "GOSUMDB")
_YARN = ("httpProxy", "httpsCaFilePath", "httpsProxy", "npmRegistryServer", "registry")
_WITH_CREDENTIALS = LazyPattern(r"(?i)[a-z][a-z0-9+.-]*://[^/@\s\"']+@")
_SECRET = LazyPattern("(?i)token|password|_auth|username|credential|secret")


class FilteredText(NamedTuple):
    """A file's text without secrets, and what was left out, as a person would name it."""

    text: str
    left_out: tuple[str, ...]


Filter = Callable[[str], FilteredText]


def copy_indexes(home: Path, config: Path, target: Path) -> list[str]:
    """Write what counts into the HOME ``target``; the addresses that only credentials open.

    ``config`` is the user's XDG_CONFIG_HOME. What cannot be read is as if it were not there.
    """
    left_out: list[str] = []
    for source, place, keep in _list_files(home, config):
        try:
            text = source.read_text("utf-8")
            kept = keep(text)
        except (OSError, ValueError):
            continue
        left_out += [f"{one} (in {source.name})" for one in kept.left_out]
        if kept.text.strip():
            path = target / place
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(kept.text, "utf-8")
    return left_out


def has_credentials(address: str) -> bool:
    """Whether an address holds a name or a password before its host."""
    return "@" in address and _WITH_CREDENTIALS.search(address) is not None


def hide_credentials(text: str) -> str:
    """The same text with no name or password before a host."""
    return re.sub(r"(://)[^/@\s\"']+@", r"\1", text)


def _list_files(home: Path, config: Path) -> Iterator[tuple[Path, str, Filter]]:
    """Each file with its place in a HOME; of two for the same place the later one counts."""
    yield home / ".pip/pip.conf", ".config/pip/pip.conf", _keep_pip
    yield config / "pip/pip.conf", ".config/pip/pip.conf", _keep_pip
    yield config / "uv/uv.toml", ".config/uv/uv.toml", _keep_uv
    yield config / "go/env", ".config/go/env", _keep_go
    yield home / ".npmrc", ".npmrc", _keep_npm
    yield home / ".yarnrc.yml", ".yarnrc.yml", _keep_yarn
    yield home / ".cargo/config.toml", ".cargo/config.toml", _keep_cargo
    yield home / ".m2/settings.xml", ".m2/settings.xml", _keep_maven


def _keep_pip(text: str) -> FilteredText:
    """Raises ValueError for what pip cannot read."""
    import configparser  # late: most machines have no such file

    found = configparser.RawConfigParser()
    try:
        found.read_string(text)
    except configparser.Error as error:
        raise ValueError(str(error)) from error
    kept, left_out = configparser.RawConfigParser(), []
    for section in found.sections():
        for key, value in found.items(section):
            if key in _PIP and has_credentials(value):
                left_out.append(f"{key} {hide_credentials(value).strip()}")
            elif key in _PIP:
                if not kept.has_section(section):
                    kept.add_section(section)
                kept.set(section, key, value)
    written = io.StringIO()
    kept.write(written)
    return FilteredText(written.getvalue(), tuple(left_out))


def _keep_npm(text: str) -> FilteredText:
    """Lines ``key=value``; ``//host/:_authToken=…`` opens a registry that is named elsewhere."""
    kept, left_out = [], []
    for line in text.splitlines():
        key, _, value = (part.strip() for part in line.partition("="))
        if _SECRET.search(key) and key.startswith("//"):
            left_out.append(f"registry {key.rpartition(':')[0].strip('/')}")
        elif key in _NPM or (key.startswith("@") and key.endswith(":registry")):
            if has_credentials(value):
                left_out.append(f"{key} {hide_credentials(value)}")
            else:
                kept.append(f"{key}={value}")
    return FilteredText("".join(line + "\n" for line in kept), tuple(left_out))


def _keep_yarn(text: str) -> FilteredText:
    return _keep_lines(text, _YARN, ":")


def _keep_go(text: str) -> FilteredText:
    return _keep_lines(text, _GO, "=")


def _keep_lines(text: str, keys: tuple[str, ...], sign: str) -> FilteredText:
    kept, left_out = [], []
    for line in text.splitlines():
        key, _, value = line.partition(sign)
        if key in keys and has_credentials(value):
            left_out.append(f"{key} {hide_credentials(value).strip()}")
        elif key in keys:
            kept.append(line)
    return FilteredText("".join(line + "\n" for line in kept), tuple(left_out))


def _keep_cargo(text: str) -> FilteredText:
    return _keep_toml(text, _CARGO)


def _keep_uv(text: str) -> FilteredText:
    return _keep_toml(text, _UV)


def _keep_toml(text: str, keys: frozenset[str]) -> FilteredText:
    import tomlkit

    document = tomlkit.parse(text)
    left_out: list[str] = []
    for key in [key for key in document if key not in keys]:
        del document[key]
    _remove_secrets(document, left_out)
    return FilteredText(tomlkit.dumps(document), tuple(left_out))


def _remove_secrets(table: Any, left_out: list[str]) -> None:
    """Remove secrets from a table or a list of tables, at any depth."""
    pairs = list(table.items()) if isinstance(table, dict) else list(enumerate(table))
    for key, value in reversed(pairs):
        if isinstance(value, dict | list):
            _remove_secrets(value, left_out)
        elif isinstance(key, str) and _SECRET.search(key):
            del table[key]
        elif isinstance(value, str) and has_credentials(value):
            left_out.append(f"{key} {hide_credentials(value)}")
            del table[key]


def _keep_maven(text: str) -> FilteredText:
    """Mirrors and proxies. Servers hold the credentials of both."""
    from xml.etree import ElementTree

    try:
        root = ElementTree.fromstring(text)
    except ElementTree.ParseError as error:
        raise ValueError(str(error)) from error
    left_out: list[str] = []
    for child in list(root):
        if child.tag.rpartition("}")[2] not in ("mirrors", "proxies"):
            root.remove(child)
    for parent in root.iter():
        for child in list(parent):
            name = child.tag.rpartition("}")[2]
            if name in ("username", "password") or has_credentials(child.text or ""):
                left_out.append(f"{name} {hide_credentials(child.text or '')}".strip())
                parent.remove(child)
    named = tuple(one for one in left_out if not _SECRET.match(one))
    return FilteredText(ElementTree.tostring(root, encoding="unicode"), named)


def strip_addresses(env: Mapping[str, str]) -> tuple[dict[str, str], list[str]]:
    """Variables less those whose address holds credentials, and the names of these."""
    kept = {name: value for name, value in env.items() if not has_credentials(value)}
    return kept, [name for name in env if name not in kept]
