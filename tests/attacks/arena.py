"""A place to attack: somebody's checkout, home and machine, and a command that runs what others
wrote: the build of ``git code-commit`` in the checkout itself, or that of ``git retcon`` (its
``run_build`` tool too) in a worktree of ours, or a step or tool of ``git heal``, all of a tree that
a model wrote into; or a step of a workflow, by ``git heal check``, which nothing confines once its
user has trusted it.

Everything that an attack could reach is there, with a value to steal or to change. Nothing in it
is real but the sandbox.
"""

import contextlib
import ctypes
import enum
import os
import shlex
import shutil
import signal
import socket
import sys
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from git_retcon.code_commit.builder import Builder, Verdict
from git_retcon.code_commit.working_tree import open_checkout
from git_retcon.errors import UserError
from git_retcon.git.graph import Commit, read_commit
from git_retcon.git.repository import Repository, open_repository
from git_retcon.git.trees import Entry
from git_retcon.heal.execution.step_environment import JobFolders, make_environment
from git_retcon.heal.healing.job_confinement import confine_job
from git_retcon.run.confined_worktree import ConfinedWorktree, Guard
from git_retcon.run.consent import Consent
from git_retcon.run.kept_worktrees import repository_key
from git_retcon.run.prepared_worktree import PreparedWorktree
from git_retcon.run.quarantine import Quarantine
from git_retcon.run.sandbox.level import Policy, Sandbox
from git_retcon.run.shell_command import Outcome
from git_retcon.run.worktree import open_worktree
from tests.heal.checks import check
from tests.heal.project import STEPS
from tests.repository import TestRepository, new_repository

SECRET = "the-secret-that-nobody-may-read"
_TRACKED = {
    "build.sh": "#!/bin/sh\ntrue\n",
    "docs/UserSpecification.md": "the specification\n",
    ".gitignore": "/agent-config\n/store\n.env\n*.pem\nloot*\n",
    "src/a.txt": "one\n",
    ".githooks/post-commit": "#!/bin/sh\n",
    "project.gitconfig": "[core]\n",
}
_KEY = f"-----BEGIN PRIVATE KEY-----\n{SECRET}\n-----END PRIVATE KEY-----\n"
_UNTRACKED = {
    "agent-config/anthropic-key.txt": SECRET,
    "agent-config/query.txt": "the question\n",
    ".env": f"TOKEN={SECRET}\n",
    "deploy/.env.production": f"TOKEN={SECRET}\n",
    "tls/server.pem": _KEY,
    "id_rsa": SECRET,
    "web/.npmrc": f"//registry.example/:_authToken={SECRET}\n",
    ".netrc": f"machine example password {SECRET}\n",
}
_ADDRESS = f"https://ada:{SECRET}@git.example.com/"
# In the user's own .git/config.
_SETTINGS = {
    "lfs.url": _ADDRESS,
    "remote.origin.lfsurl": _ADDRESS,
    f"url.{_ADDRESS}.insteadOf": "example:",
    "http.https://git.example.com/.extraHeader": f"PRIVATE-TOKEN: {SECRET}",
    "sendemail.smtpPass": SECRET,
}
_HOME = {".ssh/id_ed25519": SECRET, ".netrc": SECRET, ".bashrc": "", ".gitconfig": ""}


class Command(enum.StrEnum):
    """The commands that run what others wrote."""

    CODE_COMMIT = "code-commit"
    RETCON = "retcon"
    HEAL_WITH_MODEL = "heal"
    HEAL = "heal check"

    @property
    def is_sandboxed(self) -> bool:
        """Whether it runs what a model wrote."""
        return self is not Command.HEAL


@dataclass
class Arena:
    """One attack's world. ``loot`` is where a build may write, and what it took is looked for."""

    base: Path
    sandbox: Sandbox
    repo: TestRepository
    command: Command = Command.CODE_COMMIT
    heard: list[bytes] = field(default_factory=list)
    ports: dict[str, int] = field(default_factory=dict)
    # Where the steps of a workflow run, once that is known.
    steps_in: Path = Path("/nonexistent")
    refs: str = ""

    @property
    def checkout(self) -> Path:
        """The user's own."""
        return self.repo.path

    @property
    def tree(self) -> Path:
        """Where the attack runs."""
        if self.command is Command.CODE_COMMIT:
            return self.checkout
        if self.command is Command.HEAL:
            return self.steps_in
        return self.base / "worktrees" / repository_key(self.repo.open()) / "attacked" / "tree"

    @property
    def home(self) -> Path:
        return self.base / "home"

    @property
    def outside(self) -> Path:
        return self.base / "outside"

    def build(self, program: str, timeout: float = 20) -> Verdict:
        """Run an attack as the build of a tree that a model wrote into."""
        command = f"{shlex.quote(_python())} -S attack.py"
        try:
            if self.command is Command.RETCON:
                return Verdict(self._build_worktree(program, command, timeout))
            if self.command is Command.HEAL_WITH_MODEL:
                return Verdict(self._run_in_job(program, command, timeout))
            if self.command is Command.HEAL:
                return Verdict(self.run_step(program))
            (self.tree / "attack.py").write_text(program)
            checkout = open_checkout(open_repository(self.tree))
            return Builder(checkout, command, self.sandbox, timeout).run(lambda chunk: None)
        except UserError as error:  # it found out, and goes no further
            return Verdict(Outcome(command, 1, str(error).encode(), 0.0, timed_out=False))

    def _build_worktree(self, program: str, command: str, timeout: float) -> Outcome:
        repository = self.repo.open()
        source, attacked = self._write_attack(repository, program)
        quarantine = Quarantine(repository.trees, source.tree, source.tree, {b"attack.py"})
        # Somebody says yes to all: what then holds is the sandbox alone.
        guard = Guard(quarantine, Consent(Policy.AUTO, lambda question: True, print), source)
        with open_worktree(self.base / "worktrees", repository, "attacked") as worktree:
            place = PreparedWorktree(worktree, None, lambda tree: "", timeout, print)
            confined = ConfinedWorktree(place, self.sandbox, guard)
            return confined.run(command, attacked, attacked, lambda: False)

    def _run_in_job(self, program: str, command: str, timeout: float) -> Outcome:
        repository = self.repo.open()
        source, attacked = self._write_attack(repository, program)
        with open_worktree(self.base / "worktrees", repository, "attacked") as worktree:
            worktree.checkout(attacked, source.oid)
            folders = JobFolders(worktree.root / "job", self.base / "short")
            for place in (folders.home, folders.temporary, folders.tool_cache, folders.short):
                place.mkdir(parents=True)
            env = make_environment(os.environ, folders).variables
            confine = confine_job(self.sandbox, worktree, folders, lambda path: False)
            return worktree.run(command, env=env, timeout=timeout, prefix=confine(env))

    def _write_attack(self, repository: Repository, program: str) -> tuple[Commit, str]:
        """The commit, and its tree with an attack in it."""
        source = read_commit(repository, self.repo.rev("HEAD"))
        blob = str(repository.objects.create_blob(program.encode()))
        return source, repository.trees.edit(source.tree, {b"attack.py": Entry(b"100644", blob)})

    def run_step(self, program: str) -> Outcome:
        """Run an attack as the one step of the workflow that the repository has."""
        # Beside the tree, as each tree has a worktree of its own.
        (self.base / "attack.py").write_text(program)
        checked = check(self.repo, "--force")
        return Outcome(_STEP, checked.status, checked.log(_STEP).encode(), 0.0, timed_out=False)

    def see_refs(self) -> str:
        """Where everything of the user's is: HEAD, branches, tags, stashes, remotes' too. The
        note of a verdict is what ``git heal check`` itself writes.
        """
        git = self.repo.git
        refs = git("for-each-ref", "--format=%(objectname) %(refname)").splitlines()
        users = [line for line in refs if not line.endswith(" refs/notes/heal")]
        return "\n".join((git("symbolic-ref", "HEAD"), *users, git("stash", "list")))

    def names(self) -> dict[str, str]:
        """What an attack is told of its surroundings: it knows everything."""
        return {
            "TREE": str(self.tree),
            "HOME": str(self.home),
            "OUTSIDE": str(self.outside),
            "VICTIM": str(self.ports.get("victim", 0)),
            "TCP": str(self.ports.get("tcp", 0)),
            "UDP": str(self.ports.get("udp", 0)),
            "SHARED": str(self.ports.get("shared", 0)),
            "ABSTRACT": f"git-retcon-{self.base.name}",
            "PYTHON": _python(),
        }


_AUTHOR = ("-c", "user.name=Ada", "-c", "user.email=ada@example.com")
_STEP = "attack"


def _write_workflow(base: Path) -> dict[str, str]:
    script = f"exec {_python()} -S {base}/attack.py"
    steps = f"    - name: {_STEP}\n      run: {script}\n"
    return {".github/workflows/ci.yml": f"on: push\njobs:\n  job:\n{STEPS}{steps}"}


def _python() -> str:
    """A Python that is seen in every sandbox: that of a virtual environment may not be."""
    return shutil.which("python3", path="/usr/bin:/bin:/usr/local/bin") or sys.executable


@contextlib.contextmanager
def open_arena(base: Path, sandbox: Sandbox, command: Command) -> Iterator[Arena]:
    """A fresh world, with listeners and a process to attack, that ends with the block."""
    for name, content in _HOME.items():
        (base / "home" / name).parent.mkdir(parents=True, exist_ok=True)
        (base / "home" / name).write_text(content)
    (base / "outside").mkdir()
    (base / "outside/file").write_text("untouched\n")
    repo = new_repository(base / "project")
    repo.git("config", "user.name", "Ada")
    repo.git("config", "user.email", "ada@example.com")
    repo.commit("begin", _TRACKED | _write_workflow(base))
    # Its settings name what is in the tree, and a submodule has its own git directory there.
    repo.git("config", "core.hooksPath", ".githooks")
    repo.git("config", "include.path", "../project.gitconfig")
    new_repository(repo.path / "sub").git(*_AUTHOR, "commit", "-q", "--allow-empty", "-m", "sub")
    repo.git("-c", "advice.addEmbeddedRepo=false", "add", "sub")
    repo.git("commit", "-qm", "a submodule")
    repo.git("init", "-q", "--bare", str(base / "remote"))
    repo.git("remote", "add", "origin", str(base / "remote"))
    for key, value in _SETTINGS.items():
        repo.git("config", key, value)
    repo.write(_UNTRACKED)
    # As package managers link the files of their stores.
    (repo.path / "store").mkdir()
    os.link(base / "outside/file", repo.path / "store/file")
    arena = Arena(base, sandbox, repo, command)
    before = dict(os.environ)
    agent = str(arena.outside / "socket")
    os.environ |= {
        "HOME": str(arena.home),
        "DEPLOY_TOKEN": f"{SECRET}-either",
        "SSH_AUTH_SOCK": agent,
    }
    try:
        if command is Command.HEAL:
            arena.steps_in = Path(
                arena.run_step("import os; print(os.getcwd())").output.decode().strip()
            )
        arena.refs = arena.see_refs()
        with _listeners(arena), _victim(arena), _shared_memory(arena):
            yield arena
    finally:
        os.environ.clear()
        os.environ.update(before)


@contextlib.contextmanager
def _victim(arena: Arena) -> Iterator[None]:
    """A process of the same user's, which no command has any business with."""
    pid = os.fork()
    if pid == 0:
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
        while True:
            time.sleep(60)
    arena.ports["victim"] = pid
    try:
        yield
    finally:
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)
        with contextlib.suppress(ChildProcessError):
            os.waitpid(pid, 0)


@contextlib.contextmanager
def _shared_memory(arena: Arena) -> Iterator[None]:
    """What programs of the same user's share: a file in memory, and a segment of System V's."""
    libc = ctypes.CDLL(None, use_errno=True)
    libc.shmat.restype, libc.shmat.argtypes = (
        ctypes.c_void_p,
        (ctypes.c_int, ctypes.c_void_p, ctypes.c_int),
    )
    file = Path("/dev/shm", arena.names()["ABSTRACT"])
    file.write_text(SECRET)
    segment = libc.shmget(0, 4096, 0o1600)
    place = libc.shmat(segment, None, 0)
    ctypes.memmove(place, SECRET.encode(), len(SECRET))
    arena.ports["shared"] = segment
    try:
        yield
    finally:
        libc.shmdt(ctypes.c_void_p(place))
        libc.shmctl(segment, 0, None)  # IPC_RMID
        file.unlink()


@contextlib.contextmanager
def _listeners(arena: Arena) -> Iterator[None]:
    """Servers of each family outside; what reaches one of them is kept in ``heard``."""
    with contextlib.ExitStack() as stack:
        tcp = stack.enter_context(socket.create_server(("127.0.0.1", 0)))
        udp = stack.enter_context(socket.socket(socket.AF_INET, socket.SOCK_DGRAM))
        udp.bind(("127.0.0.1", 0))
        arena.ports |= {"tcp": tcp.getsockname()[1], "udp": udp.getsockname()[1]}
        abstract = stack.enter_context(socket.socket(socket.AF_UNIX))
        abstract.bind("\0" + arena.names()["ABSTRACT"])
        abstract.listen()
        named = stack.enter_context(socket.socket(socket.AF_UNIX))
        named.bind(os.path.relpath(arena.outside / "socket"))
        named.listen()
        stop = threading.Event()
        threads = [
            threading.Thread(target=_hear, args=(each, name, arena.heard, stop))
            for each, name in ((tcp, b"tcp"), (udp, b"udp"), (abstract, b"abstract"))
        ]
        threads.append(threading.Thread(target=_hear, args=(named, b"named", arena.heard, stop)))
        for thread in threads:
            thread.start()
        try:
            yield
        finally:
            stop.set()
            for thread in threads:
                thread.join()


def _hear(listener: socket.socket, name: bytes, heard: list[bytes], stop: threading.Event) -> None:
    listener.settimeout(0.05)
    while not stop.is_set():
        with contextlib.suppress(TimeoutError):
            if listener.type == socket.SOCK_DGRAM:
                listener.recv(1024)
            else:
                listener.accept()[0].close()
            heard.append(name)
