"""The locks pin what pyproject.toml asks for, by hash, and name no registry."""

import re
import tomllib
from dataclasses import dataclass
from pathlib import Path

import pytest
from packaging.markers import Marker
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).parent.parent
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())
RUN = PROJECT["project"]["dependencies"]
DEV = PROJECT["dependency-groups"]["dev"]
RENEW = "run requirements/renew"


@dataclass(frozen=True)
class Pin:
    """One pinned release and its hashes."""

    version: str
    marker: Marker | None
    hashes: tuple[str, ...]


def read(name: str) -> dict[str, list[Pin]]:
    """Every pin of a lock by its project's name (one name may have several, by marker)."""
    pins: dict[str, list[Pin]] = {}
    text = (ROOT / "requirements" / f"{name}.txt").read_text()
    logical = re.sub(r"^ *#.*\n", "", text, flags=re.MULTILINE).replace("\\\n", " ")
    for line in logical.splitlines():
        wanted, *hashes = re.split(r"\s+--hash=", line.strip())
        requirement = Requirement(wanted)
        (exact,) = requirement.specifier
        assert exact.operator == "=="
        pin = Pin(exact.version, requirement.marker, tuple(hashes))
        pins.setdefault(canonicalize_name(requirement.name), []).append(pin)
    return pins


@pytest.mark.parametrize(("name", "asked"), [("run", RUN), ("dev", [*RUN, *DEV])])
def test_every_dependency_is_pinned_to_a_release_it_allows(name: str, asked: list[str]) -> None:
    pins = read(name)
    for text in asked:
        requirement = Requirement(text)
        found = pins.get(canonicalize_name(requirement.name))
        assert found, f"{text} is not in requirements/{name}.txt: {RENEW}"
        for pin in found:
            allowed = requirement.specifier.contains(pin.version, prereleases=True)
            assert allowed, f"{text} does not allow the pinned {pin.version}: {RENEW}"


def test_tests_run_with_the_very_releases_that_users_get() -> None:
    run, dev = read("run"), read("dev")
    assert {name: dev.get(name) for name in run} == run


@pytest.mark.parametrize("name", ["run", "dev"])
def test_every_pin_has_hashes_and_no_registry_is_named(name: str) -> None:
    for pins in read(name).values():
        for pin in pins:
            assert pin.hashes
            assert all(re.fullmatch(r"sha256:[0-9a-f]{64}", digest) for digest in pin.hashes)
    text = (ROOT / "requirements" / f"{name}.txt").read_text()
    assert "://" not in text
    assert not re.search(r"^\s*-", text.replace("    --hash", ""), re.MULTILINE)


def test_each_dependency_is_earned_in_writing() -> None:
    contributing = (ROOT / "CONTRIBUTING.md").read_text()
    for text in RUN:
        assert f"`{Requirement(text).name}`" in contributing
