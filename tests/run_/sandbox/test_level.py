"""Which sandbox is in force is said, and what is required is never quietly left out."""

import subprocess
from pathlib import Path

import pytest

from git_retcon.errors import Refused
from git_retcon.run.sandbox.bubblewrap import Bubblewrap, Missing, find_bubblewrap
from git_retcon.run.sandbox.confinement import Confinement
from git_retcon.run.sandbox.landlock import Landlock, find_landlock, landlock_of
from git_retcon.run.sandbox.landlock_rules import landlock_abi
from git_retcon.run.sandbox.level import Level, Policy, best_of, choose
from git_retcon.run.sandbox.namespaces import Namespaces, find_namespaces

BUBBLEWRAP = Bubblewrap("/usr/bin/bwrap", "0.8.0", layers=False)
NAMESPACES = Namespaces("/usr/bin/setpriv", "/usr/bin/unshare", "2.38.1", layers=True)
NO_BUBBLEWRAP = Missing("bubblewrap is not installed")
NO_NAMESPACES = Missing("'unshare' does not work here (Operation not permitted)")


def test_bubblewrap_is_preferred() -> None:
    sandbox = best_of(Policy.AUTO, BUBBLEWRAP, NAMESPACES, Landlock(7))
    assert (sandbox.level, sandbox.record) == (Level.BUBBLEWRAP, "bubblewrap 0.8.0")
    assert "no network" in sandbox.description


@pytest.mark.parametrize("policy", [Policy.AUTO, Policy.REQUIRE])
def test_namespaces_are_as_good(policy: Policy) -> None:
    sandbox = best_of(policy, NO_BUBBLEWRAP, NAMESPACES, Landlock(7))
    assert (sandbox.level, sandbox.record, sandbox.gaps) == (
        Level.NAMESPACES,
        "unshare 2.38.1",
        "",
    )
    assert sandbox.description == (
        "sandboxed by unshare: no network, writes only in the worktree, caches copied on write"
    )


@pytest.mark.parametrize("abi", range(1, 8))
def test_landlock_states_what_it_cannot_stop(abi: int) -> None:
    sandbox = best_of(Policy.AUTO, NO_BUBBLEWRAP, NO_NAMESPACES, Landlock(abi))
    assert (sandbox.level, sandbox.record) == (Level.LANDLOCK, f"landlock {abi}")
    assert sandbox.description.endswith(f"it cannot stop {sandbox.gaps}")
    assert "changes to '.git'" in sandbox.gaps and "secrets in the tree" in sandbox.gaps
    assert ("signals" in sandbox.gaps) == (abi < 6)


def test_a_kernel_without_landlock_is_none() -> None:
    class Libc:
        def syscall(self, *_: object) -> int:
            return -1

    assert landlock_abi(Libc) == 0
    found = landlock_of(0)
    assert isinstance(found, Missing)
    sandbox = best_of(Policy.AUTO, NO_BUBBLEWRAP, NO_NAMESPACES, found)
    assert (sandbox.level, sandbox.record) == (Level.NONE, "none")
    assert sandbox.description == (
        "no sandbox: bubblewrap is not installed, and 'unshare' does not work here "
        "(Operation not permitted), and this kernel has no Landlock"
    )
    assert sandbox.wrap(["make"], Confinement(Path("/tmp"))) == ["make"]


@pytest.mark.parametrize("landlock", [Landlock(7), Missing("this kernel has no Landlock")])
def test_require_takes_nothing_less_than_namespaces(landlock: Landlock | Missing) -> None:
    with pytest.raises(Refused, match="there is none that protects everything") as raised:
        best_of(Policy.REQUIRE, NO_BUBBLEWRAP, NO_NAMESPACES, landlock)
    assert "install the package 'bubblewrap'" in str(raised.value.hint)


def test_off_is_off_even_where_there_is_one() -> None:
    assert choose(Policy.OFF).level is Level.NONE
    assert choose(Policy("off")).description == "no sandbox: switched off"


def test_what_is_chosen_here_is_what_was_found_here() -> None:
    kinds = {
        find_bubblewrap: Level.BUBBLEWRAP,
        find_namespaces: Level.NAMESPACES,
        find_landlock: Level.LANDLOCK,
    }
    found = [level for find, level in kinds.items() if not isinstance(find(), Missing)]
    assert choose(Policy.AUTO).level is (found[0] if found else Level.NONE)


def test_a_bubblewrap_that_does_not_work_is_not_used(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    broken = tmp_path / "broken-bwrap"
    broken.write_text("#!/bin/sh\necho 'bwrap: No permissions to create namespace' >&2; exit 1\n")
    broken.chmod(0o755)
    found = find_bubblewrap(str(broken))
    assert isinstance(found, Missing)
    # The second: where the kernel forbids namespaces, which is found out first.
    assert found.reason in (
        "bubblewrap does not work here (No permissions to create namespace)",
        "bubblewrap does not work here ([Errno 1] unshare: Operation not permitted)",
    )
    assert find_bubblewrap("no-such-bwrap") == NO_BUBBLEWRAP


def test_an_unshare_that_does_not_work_is_not_used(tmp_path: Path) -> None:
    broken = tmp_path / "broken-unshare"
    broken.write_text(
        "#!/bin/sh\necho 'unshare: unshare failed: Operation not permitted' >&2\nexit 1\n"
    )
    broken.chmod(0o755)
    found = find_namespaces(str(broken))
    assert isinstance(found, Missing)
    said = "'unshare' does not work here (unshare failed: Operation not permitted)"
    assert found.reason == said
    absent = find_namespaces("no-such-unshare")
    assert absent == Missing("util-linux' 'unshare' and 'setpriv' are not installed")


def test_layers_are_used_where_bubblewrap_has_them() -> None:
    """A cache is read either way; with layers it can be written to, privately."""
    cache = Path("/cache")
    confinement = Confinement(Path("/tree"), caches=(cache,))
    plain = Bubblewrap("bwrap", "0.8.0", layers=False).prefix(confinement)
    layered = Bubblewrap("bwrap", "0.11.0", layers=True).prefix(confinement)
    at = plain.index("/cache")
    assert plain[at - 1 : at + 2] == ["--ro-bind-try", "/cache", "/cache"]
    at = layered.index("/cache")
    assert layered[at - 1 : at + 3] == ["--overlay-src", "/cache", "--tmp-overlay", "/cache"]
    found = find_bubblewrap()
    if isinstance(found, Bubblewrap):
        usage = subprocess.run([found.program, "--help"], capture_output=True, check=True).stdout
        assert not found.layers or b"--tmp-overlay" in usage
