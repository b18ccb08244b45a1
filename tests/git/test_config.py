"""git's configuration, read as git reads it."""

import os
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from git_retcon.errors import Fatal
from git_retcon.git.config import Config, Setting, list_config, parse_boolean
from git_retcon.git.repository import Repository, open_repository
from tests.repository import TestRepository


def test_the_last_value_counts_and_all_are_kept(repo: TestRepository) -> None:
    repo.git("config", "--add", "heal.trusted", "one")
    repo.git("config", "--add", "heal.trusted", "two\nlines")
    config = repo.open().config
    assert config.get("heal.trusted") == "two\nlines"
    assert config.all("heal.trusted") == ("one", "two\nlines")
    assert config.get("heal.nothing") is None
    assert config.all("heal.nothing") == ()


def test_sections_and_names_know_no_case_but_subsections_do(repo: TestRepository) -> None:
    repo.git("config", "Branch.My.Topic.mergeOptions", "x")
    repo.git("config", "retcon.worktreeDir", "/w")
    config = repo.open().config
    assert config.get("bRANCH.My.Topic.MERGEoptions") == "x"
    assert config.get("branch.my.topic.mergeoptions") is None
    assert config.get("Retcon.WorktreeDir") == "/w"


def test_what_only_the_users_own_files_say_is_known_apart(
    repo: TestRepository, sealed: Path
) -> None:
    repo.git("config", "--global", "--add", "heal.trusted", "mine")
    repo.git("config", "--local", "--add", "heal.trusted", "theirs")
    assert repo.open().config.users["heal.trusted"] == ("mine",)

    included = repo.path / "team.config"
    included.write_text("[heal]\n\ttrusted = theirs\n")
    repo.git("config", "--global", "includeIf.gitdir:/elsewhere/.path", str(included))
    assert not repo.open().config.users, "what an included file says is not told apart"


def test_a_key_without_a_value_is_true_and_bytes_survive() -> None:
    config = Config.parse(b"a.b\0a.c\n\0a.d\n\xff=\n\n\0")
    assert config.boolean("a.b") is True
    assert config.boolean("a.c") is False
    assert config.get("a.d") == "\udcff=\n\n"
    assert config.boolean("a.none", default=True) is True


spellings = st.one_of(
    st.sampled_from(["true", "YES", "On", "false", "No", "OFF", "", "maybe", "0x", "1 ", " true"]),
    st.from_regex(r"\A {0,1}[+-]?(0x)?[0-9a-f]{1,3}[kmgKMG]?\Z"),
)


@settings(
    max_examples=40,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(spellings)
def test_truth_is_what_git_says(repo: TestRepository, value: str) -> None:
    said = subprocess.run(
        ["git", "-C", str(repo.path), "-c", f"a.b={value}", "config", "--type=bool", "a.b"],
        capture_output=True,
        text=True,
        check=False,
    )
    if said.returncode == 0:
        assert parse_boolean("a.b", value) is (said.stdout == "true\n")
    else:
        with pytest.raises(Fatal, match=r"'a\.b'"):
            parse_boolean("a.b", value)


def test_a_later_scope_counts_in_any_order_of_reading() -> None:
    config = Config.collect([Setting("global", "a.b", "1"), Setting("local", "a.b", "2")])
    assert config.all("a.b") == ("1", "2")


# Keys and subsections as people and tools write them, and some that nobody would.
NAMES = ["a", "B", "build", "worktreeDir", "x-1"]
HEADERS = [
    b"[a]", b"[A]", b"[a.Sub]", b'[a "Sub"]', b'[a "x.y z"]', b'[a "q\\"uo\\\\te"]', b'[a ""]',
    b'[a "\xc3\xbc"]', b"[b-1]", b'[Remote "Origin"]', b"[a] # why\n", b'[a "]"]', b"[core]",
]  # fmt: skip
VALUES = [
    b"", b" =", b" = ", b" = x", b"=x", b" = X y  z", b'= "  x  "', b'= "x # y" # z', b" = x ; y",
    b' = "a" b "c"', b" = \\\"x\\\"", b" = a\\\\b", b" = a\\tb", b" = a\\nb", b" = \xff\xc3",
    b" = x\ty", b" = x\ry", b" = x \\\n  y", b' = "x\\\ny"', b" = \\\n x", b" = true", b' = ""',
    b" = x\\", b" = caf\xc3\xa9", b" = 'x'", b" = \x7f", b" = !f() { echo; }; f",
]  # fmt: skip
PLACES = ["local", "global", "xdg", "worktree", "linked"]
CONDITIONS = [
    "gitdir:{repo}/", "gitdir:{repo}", "gitdir:repo/", "gitdir:~/", "gitdir:**/repo/**",
    "gitdir/i:REPO/", "gitdir:./", "gitdir:", "gitdir:re?o/", "gitdir:**/worktrees/**",
    "onbranch:main", "onbranch:topic/", "onbranch:topic/**", "onbranch:*", "onbranch:",
    "hasconfig:remote.*.url:**", "hasconfig:remote.*.url:none", "nonesuch:x", "nonesuch",
]  # fmt: skip

setting = st.builds(
    lambda name, value: b"\t" + name.encode() + value + b"\n",
    st.sampled_from(NAMES),
    st.sampled_from(VALUES),
)
comment = st.sampled_from([b"\n", b"# [a]\n", b" ; x = 1\n", b"\t# caf\xc3\xa9\n", b"\r\n"])
section = st.builds(
    lambda header, lines, end: header + end + b"".join(lines),
    st.sampled_from(HEADERS),
    st.lists(st.one_of(setting, setting, comment), max_size=4),
    st.sampled_from([b"\n", b"\n", b" ", b"\r\n"]),
)
include = st.builds(
    lambda condition, name: (
        (b"[include]\n" if condition is None else f'[includeIf "{condition}"]\n'.encode())
        + f"\tpath = {name}\n".encode()
    ),
    st.one_of(st.none(), st.sampled_from(CONDITIONS)),
    st.sampled_from(["one", "./one", "~/two", "{repo}/../home/two", "absent"]),
)
written = st.builds(
    lambda parts, crlf: b"".join(parts).replace(b"\n", b"\r\n" if crlf else b"\n"),
    st.lists(st.one_of(section, section, include), max_size=5),
    st.sampled_from([False, False, False, True]),
)
# What is included includes at most one more, so that no circle comes about.
included = st.builds(
    lambda parts, more: b"".join(parts) + more,
    st.lists(section, max_size=2),
    st.sampled_from([b"", b"[include]\n\tpath = two\n"]),
)
contents = st.fixed_dictionaries(
    {}, optional={**dict.fromkeys(PLACES, written), "one": included, "two": section}
)
variables = st.fixed_dictionaries(
    {},
    optional={
        "GIT_CONFIG_PARAMETERS": st.sampled_from(["'a.b'='-c'", "'A.X-1'"]),
        "GIT_CONFIG_GLOBAL": st.sampled_from(["{repo}/../home/two", "", "/dev/null"]),
        "GIT_CONFIG_SYSTEM": st.sampled_from(["{repo}/../home/two", ""]),
        "GIT_CONFIG_NOSYSTEM": st.sampled_from(["0", "false", "1", "yes"]),
        "XDG_CONFIG_HOME": st.sampled_from(["", "{repo}/../home/.config", "/nowhere"]),
        "GIT_CONFIG_COUNT": st.just("0"),
    },
)


@pytest.fixture
def linked(repo: TestRepository) -> TestRepository:
    repo.commit("one")
    other = repo.path.parent / "linked"
    repo.git("worktree", "add", "-q", "-b", "topic/x", str(other))
    return TestRepository(other)


@dataclass(frozen=True)
class Scene:
    """A repository with a linked worktree, and the files that its configuration comes from."""

    repo: TestRepository
    linked: TestRepository
    home: Path

    def write(self, contents: Mapping[str, bytes]) -> None:
        git_dir = self.repo.path / ".git"
        files = {
            "local": git_dir / "config",
            "global": self.home / ".gitconfig",
            "xdg": self.home / ".config/git/config",
            "worktree": git_dir / "config.worktree",
            "linked": git_dir / "worktrees/linked/config.worktree",
        }
        for name, path in files.items():
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(self.place(contents.get(name, b"")))
            for neighbour in ("one", "two"):
                inner = contents.get(neighbour, b"") + b"[a]\n\tfrom = " + name.encode() + b"\n"
                (path.parent / neighbour).write_bytes(inner)

    def place(self, text: bytes) -> bytes:
        return text.replace(b"{repo}", os.fsencode(self.repo.path))

    def open(self, *, is_linked: bool, **env: str) -> Repository:
        plain = {
            name: value
            for name, value in os.environ.items()
            if name not in ("GIT_CONFIG_NOSYSTEM", "XDG_CONFIG_HOME")
        }
        placed = {name: os.fsdecode(self.place(value.encode())) for name, value in env.items()}
        where = self.linked if is_linked else self.repo
        return open_repository(where.path, plain | placed)


@pytest.fixture
def scene(repo: TestRepository, sealed: Path) -> Scene:
    repo.commit("one")
    other = repo.path.parent / "linked"
    repo.git("worktree", "add", "-q", "-b", "topic/x", str(other))
    return Scene(repo, TestRepository(other), sealed)


PLAIN = b"[core]\n\trepositoryformatversion = 0\n"
WITH_WORKTREES = PLAIN + b"[extensions]\n\tworktreeConfig = true\n"


@pytest.mark.slow
@settings(max_examples=250)
@given(
    contents,
    variables,
    st.sampled_from([PLAIN, WITH_WORKTREES]),
    st.booleans(),
    st.sampled_from(["main", "topic/y", None]),
)
def test_both_readers_see_the_same(
    scene: Scene,
    contents: Mapping[str, bytes],
    env: Mapping[str, str],
    plain: bytes,
    is_linked: bool,
    branch: str | None,
) -> None:
    oid = scene.repo.rev("refs/heads/topic/x")
    head = f"ref: refs/heads/{branch}\n" if branch else f"{oid}\n"
    (scene.repo.path / ".git/HEAD").write_text(head)
    scene.write({**contents, "local": plain + contents.get("local", b"")})
    opened = scene.open(is_linked=is_linked, **env)
    assert not isinstance(opened._pygit2_or_error, Exception)
    assert opened.config.values == list_config(opened.git).values


ORDINARY = (
    b'[user]\n\tname = Ada\n[alias]\n\tx = "!f() { echo \\"a\\"; }; f"\n[include]\n\tpath = one\n'
    b'[includeIf "gitdir:{repo}/"]\n\tpath = two\n[includeIf "onbranch:main"]\n\tpath = two\n'
    b'[remote "origin"]\n\tfetch = +refs/heads/*:refs/remotes/origin/*\n[b]\n\tvalueless\n'
)


@pytest.mark.parametrize(
    ("extra", "env", "asks"),
    [
        ({}, {}, False),
        ({}, {"GIT_CONFIG_NOSYSTEM": "1"}, False),
        ({"worktree": b"[a]\n\tb = 1\n"}, {}, False),
        ({}, {"GIT_CONFIG_PARAMETERS": "'a.b'='c'"}, True),
        ({}, {"GIT_CONFIG_COUNT": "1", "GIT_CONFIG_KEY_0": "a.b", "GIT_CONFIG_VALUE_0": ""}, True),
        ({}, {"GIT_CONFIG_GLOBAL": "/dev/null"}, True),
        ({}, {"GIT_CONFIG_SYSTEM": "/dev/null"}, True),
        ({"global": b'[includeIf "hasconfig:remote.*.url:**"]\n\tpath = one\n'}, {}, True),
        ({"one": b"[a]\n\tb = x \\\n\n\ty\n"}, {}, True),
        ({"worktree": b"[a]\r\n b =\\\r\n x\r\n"}, {}, True),
        ({"global": b"[include]\n\tpath = ~root/one\n"}, {}, True),
        ({"global": b"[include]\n\tpath = %(prefix)/one\n"}, {}, True),
        ({}, {"XDG_CONFIG_HOME": "{repo}:/nowhere"}, True),
        ({}, {"XDG_CONFIG_HOME": "{repo}/../home/.config", "HOME": "/nowhere"}, False),
        ({}, {"PATH": "{repo}/bin:/usr/bin:/bin"}, True),
    ],
)
def test_git_is_asked_only_for_what_libgit2_cannot_see(
    scene: Scene,
    tmp_path: Path,
    extra: Mapping[str, bytes],
    env: Mapping[str, str],
    asks: bool,
) -> None:
    scene.write({"local": WITH_WORKTREES + ORDINARY, "global": ORDINARY, "xdg": ORDINARY, **extra})
    (scene.repo.path / "bin").mkdir()
    (scene.repo.path / "bin/git").symlink_to("/usr/bin/git")
    trace = tmp_path / "trace"
    opened = scene.open(is_linked=False, GIT_TRACE2=str(trace), **env)
    before = trace.read_text().count("config -z")
    _ = opened.config
    assert (trace.read_text().count("config -z") > before) is asks
    assert opened.config.values == list_config(opened.git).values


@pytest.mark.parametrize("pattern", ["main", "topic/x", "**"])
@pytest.mark.parametrize("is_detached", [False, True])
def test_the_branch_of_an_include_is_that_of_the_worktree(
    scene: Scene, pattern: str, is_detached: bool
) -> None:
    condition = f'[includeIf "onbranch:{pattern}"]\n\tpath = one\n'.encode()
    scene.write({"local": PLAIN + condition})
    for is_linked, own, where in ((False, "main", scene.repo), (True, "topic/x", scene.linked)):
        if is_detached:
            where.git("checkout", "-q", "--detach")
        included = scene.open(is_linked=is_linked).config.get("a.from") is not None
        assert included is (pattern in (own, "**") and not is_detached)


def test_the_callers_home_counts_and_not_that_of_the_first_reader(
    repo: TestRepository, tmp_path: Path
) -> None:
    for name in ("one", "two", "one"):
        home = tmp_path / f"home {name}"
        home.mkdir(exist_ok=True)
        (home / ".gitconfig").write_text(f"[retcon]\n\tbuild = {name}\n[include]\n\tpath = ~/x\n")
        (home / "x").write_text(f"[retcon]\n\ttest = {name}\n")
        config = open_repository(repo.path, {"PATH": os.environ["PATH"], "HOME": str(home)}).config
        assert (config.get("retcon.build"), config.get("retcon.test")) == (name, name)
