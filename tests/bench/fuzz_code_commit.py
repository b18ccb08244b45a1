"""Fuzz how an answer is read and written, guided by coverage.

    python -m tests.bench.fuzz_code_commit {grammar,apply} [--seconds 300] [--corpus FOLDER]

Needs atheris (``pip install atheris``), which is no dependency of anything else here. ``grammar``
reads any bytes and writes them back; ``apply`` verifies and writes answers in a project full of
links, nested repositories and protected names. It fails, or is killed, at a change to the disk that
the input chooses; then git is asked which files changed. The first input that breaks a promise ends
the run with a traceback and a file ``crash-*`` in the working directory.
"""

import argparse
import contextlib
import errno
import os
import random
import re
import sys
import tempfile
import unicodedata
from collections.abc import Callable, Iterator
from pathlib import Path
from unittest import mock

import atheris

with atheris.instrument_imports(include=["git_retcon.code_commit", "git_retcon.files"]):
    from git_retcon.code_commit.answer_files import apply_changes, recover_session, restore_files
    from git_retcon.code_commit.answer_grammar import (
        Answer,
        Body,
        Faulty,
        escape_content,
        parse_answer,
        write_block,
    )
    from git_retcon.code_commit.session import Phase, Session, Store
    from git_retcon.code_commit.verification import Change, Guard, adapt_line_ends, verify_answer
    from git_retcon.code_commit.working_tree import Checkout
    from git_retcon.files.untrusted_paths import clean_path

from git_retcon.errors import Fatal, Refused
from tests.code_commit.hostile import more_hostile_project, snapshot_of_git
from tests.code_commit.project import checkout_of, snapshot
from tests.repository import TestRepository

_TOKENS = (
    b"^^^", b"^^^end\n", b"^^^delete\n", b"\\^^^", b"```\n", b"~~~\n", b"```markdown\n", b"\r\n",
    b"\n", b"Commit message: ", b"../", b"./", b"/", b"\xef\xbb\xbf", b"\xcc\x88", b"\xc2\xad",
)  # fmt: skip
_NAMES = (
    "README", "src/a.txt", "old.txt", "new", "new/x", "new/x/y", "NEW", "a/b/c", "keep/0", "keep",
    "keep/new", "keep/theirs", "keep/0/x",
    "crlf.txt", "no-newline", "docs/x.log", "docs/keep.log", "../outside/theirs", "out/theirs",
    "out/new", "out", "link", "gitlink/config", "gitlink", ".git/hooks/x", ".git", "nested/file",
    "nested", ".GIT/config", "git~1/config", ".g\u0131t/x", ".git\u200c/x", ".git ./x", "build.sh",
    "Build.sh", "BUILD.SH:x", ".gitignore", "docs/.gitignore", "GITIGN~1", ".gitattributes",
    ".gitmodules", "Cargo.lock", "x/yarn.lock", "target/x", "Target/x", "target",
    "agent-config/query.txt", "Agent-Config/x", "agent-config", "ignored", "ignored/x", "IGNORED",
    "local", "a.secret", "A.SECRET", "tracked.secret", "/etc/x", "docs/UserSpecification.md",
    "worktree/x", "worktree", "module", "module/x", "MODULE/x", "pipe", "loop", "loop/x",
    "dangling", "src/up/README", "empty", "empty/x", "hidden", "HIDDEN", "skipped", "Straße",
    "STRASSE", "é", "e\u0301", "end", "delete", "src", "README/x", "readme", "ä", "a\u0308",
    ":(top)x", "*", "[a]", "!x", "#x", "-x", " x", "a b", "\"q\"", "x" * 255,
    "y" * 250 + "/" + "z" * 250,
)  # fmt: skip
_SEED = (
    b"Commit message: x\n```\n^^^a.py\r\n```py\r\nx\r\n\\^^^end\r\n```\r\n^^^end\r\n^^^b/c\n"
    b"^^^delete\n```\n^^^./d.md\n```markdown\n~~~\n~~~\n```\n^^^end\n^^^e\n^^^end"
)
_INVISIBLE = frozenset({"Cc", "Cf", "Cs", "Zl", "Zp"})
_PROTECTED = re.compile(
    r"(^|/)(\.git|git~1)(/|$)|^(agent-config|target|ignored|local|nested|worktree|module)(/|$)"
    r"|^(build\.sh|coderollup\.sh|llminstructions\.md|hidden|skipped|keep/1)$|\.(secret|sql)$"
    r"|(^|/)(\.gitignore|\.gitattributes|\.gitmodules|userspecification\.md|cargo\.lock|yarn\.lock)$"
)
_CALLS = ("replace", "unlink", "mkdir", "rmdir", "fsync", "write")


_Seen = tuple[dict[str, tuple[int, bytes]], dict[str, tuple[int, bytes]], dict[str, bytes]]
_Project = tuple[TestRepository, Checkout, Store, _Seen]
_Changes = tuple[Change, ...]
_Trouble = contextlib.AbstractContextManager[None]


class Broken(Exception):
    """A promise was broken."""


class _Killed(BaseException):
    """As if the process had ended here."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("target", choices=("grammar", "apply"))
    parser.add_argument("--seconds", type=int, default=300)
    parser.add_argument("--corpus", type=Path)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="fuzz-") as folder:
        # The project is not open to the user's own settings of git.
        home = Path(folder)
        (home / ".gitconfig").write_text("[user]\nname = Ada\nemail = ada@example.com\n")
        os.environ |= {"HOME": folder, "GIT_CONFIG_NOSYSTEM": "1"}
        corpus = options.corpus or home / "corpus"
        corpus.mkdir(exist_ok=True)
        for number in range(40):
            seed = random.Random(number).randbytes(20 + 10 * number)
            (corpus / f"seed-{number}").write_bytes(seed)
        (corpus / "answer").write_bytes(_SEED)
        words = home / "words"
        words.write_text("".join(f'"{_quoted(word)}"\n' for word in _TOKENS), "ascii")
        target = fuzz_grammar if options.target == "grammar" else _Applying(home).fuzz
        limits = [
            f"-max_total_time={options.seconds}",
            "-max_len=2000",
            "-len_control=0",
            "-timeout=20",
        ]
        # libFuzzer leaves by _exit, so the folder would stay: it is removed by the parent.
        child = os.fork()
        if child == 0:
            atheris.Setup([sys.argv[0], *limits, f"-dict={words}", str(corpus)], target)
            atheris.Fuzz()
            os._exit(0)
        _, status = os.waitpid(child, 0)
    sys.exit(os.waitstatus_to_exitcode(status))


def fuzz_grammar(data: bytes) -> None:
    """Any bytes are an answer that can be written back, or faults with their lines."""
    taken = atheris.FuzzedDataProvider(data)
    old = taken.ConsumeBytes(taken.ConsumeIntInRange(0, 40)) if taken.ConsumeBool() else None
    text = taken.ConsumeBytes(sys.maxsize)
    try:
        answer = parse_answer(text)
    except Faulty as faulty:
        lines = text.count(b"\n") + 1
        _hold(bool(faulty.faults), "a refusal has its faults")
        _hold(all(1 <= each.line <= lines for each in faulty.faults), "a fault has its line")
        str(faulty).encode()
        return
    _judge_answer(answer, text)
    for block in answer.blocks:
        if block.body is not None:
            _judge_content(block.body, old)


def _judge_answer(answer: Answer, text: bytes) -> None:
    _hold(bool(answer.blocks), "an answer has blocks")
    paths = [block.path for block in answer.blocks]
    _hold(len(set(paths)) == len(paths), "a path has one fate")
    for path in paths:
        _hold(clean_path(path) == path, "a path is clean")
        _hold(not _leads_out(path), "a path leads nowhere else")
    bodies = {b.path: None if b.body is None else b.body.content for b in answer.blocks}
    for body in filter(None, bodies.values()):
        _hold(body.endswith(b"\n"), "a body ends in a newline")
        _hold(_bare(body) in _bare(text), "a body was written so")
    again = parse_answer(b"".join(write_block(path, body) for path, body in bodies.items()))
    read = {b.path: None if b.body is None else b.body.content for b in again.blocks}
    _hold(read == bodies, "what is written is read back")
    for body in filter(None, bodies.values()):
        _hold(
            not any(x.startswith(b"^^^") for x in escape_content(body).split(b"\n")),
            "fences escaped",
        )


def _judge_content(body: Body, old: bytes | None) -> None:
    content = adapt_line_ends(body, old)
    whole = _plain(body.content)
    _hold(_plain(content) in (whole, whole.removesuffix(b"\n")), "line ends alone are adapted")
    if not old:
        _hold(content == body.content, "a new file is as it was written")
    adapted = adapt_line_ends(Body(content, body.crlf), content)
    _hold(adapted == content, "adapting again changes nothing")


def _bare(text: bytes) -> bytes:
    return b"\n" + re.sub(rb"(?m)^\\+", b"", text)


def _plain(content: bytes) -> bytes:
    return content.replace(b"\r", b"")


def _leads_out(path: bytes) -> bool:
    text = path.decode()
    parts = text.split("/")
    invisible = any(unicodedata.category(char) in _INVISIBLE for char in text)
    return invisible or "\\" in text or any(part in ("", ".", "..") for part in parts)


class _Applying:
    """Two projects, one of them on what claims to be a file system that ignores case."""

    def __init__(self, home: Path) -> None:
        self._projects: list[_Project] = []
        for name in ("plain", "ignorecase"):
            (home / name).mkdir()
            repo = more_hostile_project(home / name)
            if name == "ignorecase":
                repo.git("config", "core.ignorecase", "true")
            checkout = checkout_of(repo)
            self._projects.append((repo, checkout, Store(home / name / "state"), _seen(repo)))

    def fuzz(self, data: bytes) -> None:
        """For any answer, and any fault meanwhile, it is all or nothing."""
        taken = atheris.FuzzedDataProvider(data)
        repo, checkout, store, before = self._projects[taken.ConsumeBool()]
        kind, at = taken.ConsumeIntInRange(0, 3), taken.ConsumeIntInRange(1, 60)
        happens = (None, _killed, _full, _linked(repo.path))[kind]
        trouble = _failing(at, happens) if happens else contextlib.nullcontext()
        text = _answer(taken)
        try:
            changes = verify_answer(parse_answer(text), checkout, Guard(("/keep/1", "*.sql")))
        except Faulty as faulty:
            _hold(bool(str(faulty)), "a refusal has its faults")
            _hold(_seen(repo) == before, "a refused answer changes nothing")
            return
        session = Session(store.blobs.keep(b"q"), store.blobs.keep(b"c"), "true", 3, "logs",
                          phase=Phase.ANSWERED)  # fmt: skip
        store.save(session)
        if kind == 3:
            self._swapped(session, changes, trouble, (repo, checkout, store, before))
        else:
            self._cut_short(session, changes, trouble, (repo, checkout, store, before))
        restore_files(_loaded(store), checkout, store, force=kind == 3)
        _hold(_seen(repo) == before, "everything is undone")
        store.forget()

    def _cut_short(
        self, session: Session, changes: _Changes, trouble: _Trouble, project: _Project
    ) -> None:
        repo, checkout, store, before = project
        try:
            with trouble:
                apply_changes(changes, session, checkout, store)
            _judge_applied(changes, before, repo)
        except Fatal:
            _hold(_seen(repo) == before, "what cannot be written is not begun")
        except (_Killed, OSError):
            session = recover_session(_loaded(store), checkout, store)
            if session.phase is Phase.BUILDING:
                _judge_applied(changes, before, repo)
            else:
                _hold(_seen(repo) == before, "what was cut short is taken back")

    def _swapped(
        self, session: Session, changes: _Changes, trouble: _Trouble, project: _Project
    ) -> None:
        repo, checkout, store, before = project
        with contextlib.suppress(Fatal, Refused), trouble:
            apply_changes(changes, session, checkout, store)
        now = _seen(repo)
        _hold(now[1:] == before[1:], "a link that appears is not followed")
        _unlinked(repo.path)
        recover_session(_loaded(store), checkout, store, force=True)


def _seen(repo: TestRepository) -> _Seen:
    outside = repo.path.parent / "outside"
    return snapshot(repo.path), snapshot(outside), snapshot_of_git(repo.path)


def _loaded(store: Store) -> Session:
    session = store.load()
    if session is None:
        raise Broken("the session is lost")
    return session


def _judge_applied(changes: _Changes, before: _Seen, repo: TestRepository) -> None:
    now = _seen(repo)
    _hold(now[1:] == before[1:], "nothing outside is touched")
    wanted = {os.fsdecode(change.path): change.new for change in changes}
    different = {n for n in before[0].keys() | now[0].keys() if before[0].get(n) != now[0].get(n)}
    files = {name for name in different if name in wanted or not (repo.path / name).is_dir()}
    _hold(
        files == wanted.keys(), f"the answer alone changes files: {sorted(files ^ wanted.keys())}"
    )
    for name, new in wanted.items():
        _hold(not _PROTECTED.search(unicodedata.normalize("NFKC", name).casefold()), "protected")
        content = now[0][name][1] if name in now[0] else None
        _hold(content == (new.content if new else None), "a file is as it was answered")
        place = repo.path / name
        _hold(place.resolve() == repo.path.resolve() / name, "a file is where its name says")
    for folder in different - files:
        _hold(any(name.startswith(folder + "/") for name in wanted), "a folder has a reason")
    listing = repo.git("status", "--porcelain", "-z", "-uall", "--no-renames")
    shown = {entry[3:] for entry in listing.split("\0") if entry}
    _hold(wanted.keys() <= shown, f"git shows every change: {sorted(wanted.keys() - shown)}")


@contextlib.contextmanager
def _failing(at: int, happen: Callable[[], None]) -> Iterator[None]:
    """Something happens just before one change to the disk, counted from here."""
    left = at

    def guarded(real: Callable[..., object]) -> Callable[..., object]:
        def call(*arguments: object, **options: object) -> object:
            nonlocal left
            left -= 1
            if left == 0:
                happen()
            return real(*arguments, **options)

        return call

    with contextlib.ExitStack() as stack:
        for name in _CALLS:
            stack.enter_context(mock.patch.object(os, name, guarded(getattr(os, name))))
        yield


def _killed() -> None:
    raise _Killed


def _full() -> None:
    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


def _linked(top: Path) -> Callable[[], None]:
    """Somebody puts a link to the folder outside in the place of one that is written to."""

    def swap() -> None:
        (top / "keep").rename(top / "moved")
        (top / "keep").symlink_to(top.parent / "outside")

    return swap


def _unlinked(top: Path) -> None:
    if (top / "moved").exists():
        (top / "keep").unlink()
        (top / "moved").rename(top / "keep")


def _answer(taken: "atheris.FuzzedDataProvider") -> bytes:
    if taken.ConsumeIntInRange(0, 9) == 0:
        return bytes(taken.ConsumeBytes(sys.maxsize))
    parts = []
    for _ in range(taken.ConsumeIntInRange(1, 5)):
        name = os.fsencode(_NAMES[taken.ConsumeIntInRange(0, len(_NAMES) - 1)])
        if taken.ConsumeIntInRange(0, 4) == 0:
            at = taken.ConsumeIntInRange(0, len(name))
            name = name[:at] + taken.ConsumeBytes(taken.ConsumeIntInRange(0, 4)) + name[at:]
        gone = taken.ConsumeBool()
        body = taken.ConsumeBytes(taken.ConsumeIntInRange(0, 30))
        parts.append(write_block(name, None if gone else body))
    return b"".join(parts)


def _quoted(word: bytes) -> str:
    return "".join(f"\\x{byte:02x}" for byte in word)


def _hold(condition: bool, promise: str) -> None:
    if not condition:
        raise Broken(promise)


if __name__ == "__main__":
    main()
