"""A small repository to rebuild, a run of the real command, and models that act with logic."""

import hashlib
import json
import os
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from git_retcon.commands.retcon import main
from git_retcon.retcon.spec.file import SpecFile
from git_retcon.retcon.spec.history import Stuck
from tests.model.loopback import Answer, Json, LoopbackApi, Says, answers, call, calls, last_text
from tests.repository import TestRepository, new_repository

# Imports every module, as a build that fails where one is missing.
BUILD = (
    'python3 -B -c \'import glob, importlib, sys; sys.path.insert(0, "."); '
    '[importlib.import_module(p[:-3]) for p in sorted(glob.glob("*.py"))]\''
)
_TASK = re.compile(r"^Put together commit (\d+)|^Commit (\d+) fails", re.M)
BASE = {
    "main.py": "import shapes\n\nshapes.area(2)\n",
    "shapes.py": "def area(r):\n    return r * r\n",
    "build.sh": "exit 0\n",
}
CHANGED: dict[str, str | bytes | None] = {
    "names.py": 'RED = "red"\n',
    "colors.py": "import names\n\n\ndef paint():\n    return names.RED\n",
    "shapes.py": BASE["shapes.py"] + "\n\ndef edge(r):\n    return 4 * r\n",
    "main.py": (
        "import colors\nimport shapes\n\nshapes.area(2)\nshapes.edge(2)\nprint(colors.paint())\n"
    ),
}
MESSAGES = ("add colors", "shapes: add edge", "main: use both")
# What the three commits are to hold; names.py is what the model first forgets.
PATHS: dict[int, tuple[str, ...]] = {1: ("colors.py",), 2: ("shapes.py",), 3: ("main.py",)}


@dataclass(frozen=True)
class Run:
    """How a run ended."""

    status: int
    out: str
    err: str

    @property
    def said(self) -> str:
        return f"{self.out}\n{self.err}"


@dataclass(frozen=True)
class Scene:
    """A repository with a spec, and a user at work in it."""

    repository: TestRepository
    capture: "pytest.CaptureFixture[str]"
    monkeypatch: pytest.MonkeyPatch

    @property
    def spec(self) -> Path:
        return self.repository.path / "history.toml"

    def run(self, *options: str) -> Run:
        """``git retcon history.toml`` with the Claude engine."""
        self.monkeypatch.chdir(self.repository.path)
        self.capture.readouterr()
        status: object = None
        try:
            main(["history.toml", *options])
        except SystemExit as ended:
            # Not pytest.raises: it keeps the traceback, and with it the connection open.
            status = ended.code
        captured = self.capture.readouterr()
        return Run(int(str(status or 0)), captured.out, captured.err)

    def cleaned(self) -> list[str]:
        """The subjects of the rebuilt commits."""
        return self.repository.subjects("main..clean")

    def commits(self) -> list[str]:
        return self.repository.git("rev-list", "--reverse", "main..clean").split()

    def notes(self) -> str:
        return self.repository.git("log", "--notes=retcon", "--format=%N", "main..clean")

    def is_rebuilt(self) -> bool:
        return self.repository.tree("clean") == self.repository.tree("messy")


def build_scene(
    path: Path,
    capture: "pytest.CaptureFixture[str]",
    monkeypatch: pytest.MonkeyPatch,
    *,
    base: Mapping[str, str | bytes | None] | None = None,
    changed: Mapping[str, str | bytes | None] | None = None,
    messages: tuple[str, ...] = MESSAGES,
    build: str = BUILD,
) -> Scene:
    """A base on main, the changes as one commit on messy, and a dirty checkout with a stash."""
    repository = new_repository(path)
    repository.commit("base", base or BASE)
    repository.git("checkout", "-q", "-b", "messy")
    repository.commit("everything", changed or CHANGED)
    repository.git("checkout", "-q", "main")
    repository.write({"shapes.py": "stashed\n"})
    repository.git("stash", "-q")
    repository.write({"shapes.py": "# being edited\n", "new.txt": "untracked\n"})
    repository.write({"staged.txt": "staged\n"})
    repository.git("add", "staged.txt")
    commits = "".join(f"\n[[commit]]\nmessage = {json.dumps(each)}\n" for each in messages)
    text = f'source = "messy"\nremote = "main"\ncleaned = "clean"\nbuild = {json.dumps(build)}\n'
    (repository.path / "history.toml").write_text(text + commits)
    return Scene(repository, capture, monkeypatch)


def exclude_fix(scene: Scene, pattern: str = "names.*") -> None:
    """Keep what the first commit lacks out of it, so that nothing fixes it."""
    text = scene.spec.read_text()
    excluding = f"[[commit]]\nexclude = {json.dumps([pattern])}\n"
    scene.spec.write_text(text.replace("[[commit]]\n", excluding, 1))


def belongings(repository: TestRepository) -> dict[str, str]:
    """Everything of the user's by path and digest: all but what a run is there to write."""
    ours = re.compile(r"\.git/(objects|retcon|(logs/)?refs/(heads/clean|notes)\b)|history\.toml$")
    found = {}
    for top, _, names in os.walk(repository.path):
        for name in names:
            path = Path(top, name)
            relative = str(path.relative_to(repository.path))
            if not ours.match(relative):
                content = os.fsencode(path.readlink()) if path.is_symlink() else path.read_bytes()
                found[relative] = hashlib.sha256(content).hexdigest()
    return found


Build = Callable[..., Scene]


@dataclass(frozen=True)
class Conversation:
    """What a model sees: read from a request, as a model would."""

    body: Json

    @property
    def prompt(self) -> str:
        """What a conversation begins with, and the task it is at: a commit, or a fix of it."""
        texts = [_texts(message) for message in self.body["messages"]]
        task = next((each[-1] for each in reversed(texts) if each and _TASK.search(each[-1])), "")
        return "\n".join([texts[0][0], task])

    @property
    def rules(self) -> str:
        """What holds for all of its tasks."""
        return str(self.body["system"][0]["text"])

    @property
    def last(self) -> str:
        return last_text(self.body)

    @property
    def turn(self) -> int:
        """How often the model has spoken since it was given its task."""
        messages = self.body["messages"]
        tasks = [at for at, each in enumerate(messages) if any(map(_TASK.search, _texts(each)))]
        return sum(each["role"] == "assistant" for each in messages[max(tasks, default=0) :])

    @property
    def number(self) -> int:
        """The commit in work."""
        found = _TASK.search(self.prompt)
        assert found, self.prompt
        return int(found[1] or found[2])

    @property
    def is_placing(self) -> bool:
        """Whether it is the one request about all hunks."""
        return "which commit it belongs to" in self.prompt

    def numbers(self) -> Iterator[tuple[str, str]]:
        """The path and the number of every hunk that is asked about."""
        path = ""
        for line in self.prompt.splitlines():
            if line.startswith("=== "):
                path = line.removeprefix("=== ")
            elif found := re.match(r"(\d+)\) ", line):
                yield path, found[1]

    @property
    def is_assessing(self) -> bool:
        return "is attempt" in self.prompt

    def ids(self, *paths: str) -> list[str]:
        """The hunks of these paths, in the prompt or in the last answer of a tool."""
        return [hunk for path, hunk in _hunks(f"{self.prompt}\n{self.last}") if path in paths]


def _texts(message: Json) -> list[str]:
    """What the user's side says in a turn, without what tools answer."""
    if message["role"] == "assistant":
        return []
    return [str(block["text"]) for block in message["content"] if block["type"] == "text"]


def _hunks(text: str) -> Iterator[tuple[str, str]]:
    path = ""
    for line in text.splitlines():
        if line.startswith("=== "):
            path = line.removeprefix("=== ")
        elif found := re.match(r"\[([0-9a-z]+)\] ", line):
            yield path, found[1]


Play = Callable[[Conversation], Answer]


def commit(message: str = "") -> Says:
    return calls("create_commit", {"message": message})


def stuck(why: str) -> Says:
    return answers({"verdict": "stuck", "what": "", "summary": why})


def progress(what: str) -> Says:
    return answers({"verdict": "progress", "what": what, "summary": ""})


def several(*uses: tuple[str, Any]) -> Says:
    return Says(tuple(call(name, given) for name, given in uses))


@dataclass
class Diligent:
    """Takes the hunks of the paths it is given, and fixes an import that is missing."""

    paths: Mapping[int, tuple[str, ...]] = field(default_factory=lambda: PATHS)

    def __call__(self, seen: Conversation) -> Answer:
        if seen.is_assessing:
            return self.assess(seen)
        if seen.turn == 0:
            return calls("take_atoms", {"ids": seen.ids(*self.paths[seen.number])})
        return commit()

    def assess(self, seen: Conversation) -> Answer:
        found = re.search(r"No module named '(\w+)'", seen.prompt)
        if found is None:
            return stuck("the errors name nothing")
        if seen.turn == 0:
            return calls("take_atoms", {"paths": [f"{found[1]}.py"]})
        return progress(f"add {found[1]} from {found[1]}.py")


@dataclass(frozen=True)
class Author:
    """Places every hunk of a page by its path, as who wrote the branch would.

    ``commits`` gives the number of the commit of each path, from 1; 0 is "unsure". ``then`` plays
    what follows, with tools.
    """

    commits: Mapping[str, int]
    then: Play = field(default_factory=Diligent)

    def __call__(self, seen: Conversation) -> Answer:
        if not seen.is_placing:
            return self.then(seen)
        numbers: dict[int, list[str]] = {}
        for path, number in seen.numbers():
            numbers.setdefault(self.commits[path], []).append(number)
        unsure = ", ".join(numbers.pop(0, []))
        placements = [{"commit": k, "hunks": ", ".join(each)} for k, each in numbers.items()]
        return answers({"placements": placements, "unsure": unsure})


def plays(api: LoopbackApi, model: Play) -> None:
    """Let a model answer."""
    api.responder = lambda body: model(Conversation(body))


def everything_sent(api: LoopbackApi) -> str:
    return json.dumps([received.body for received in api.requests])


def planned_run(api: LoopbackApi, scene: Scene, model: Play, *options: str) -> tuple[Run, str]:
    """A run whose first commit is as planned, because a model chose nothing for it; and why.

    ``model`` plays for that choice alone. The run goes on to its end, and the user's things are as
    they were: only a build makes a run stuck.
    """

    def play(seen: Conversation) -> Answer:
        is_first = seen.number == 1 and not seen.is_assessing
        return model(seen) if is_first else stuck("it was asked already")

    before = belongings(scene.repository)
    plays(api, play)
    done = scene.run(*options)
    assert done.status == 0, done.err
    assert belongings(scene.repository) == before
    assert scene.is_rebuilt()
    (why,) = re.findall(r"^warning: (.+): commit 1 is as planned$", done.err, re.M)
    return done, why


def stuck_run(api: LoopbackApi, scene: Scene, model: Play, *options: str) -> tuple[Run, str]:
    """A run that must end stuck with the user's things as they were; and the summary."""
    before = belongings(scene.repository)
    plays(api, model)
    done = scene.run(*options)
    assert done.status == 1, done.err
    assert belongings(scene.repository) == before
    last = [c.history[-1] for c in SpecFile.load(scene.spec).spec.commits if c.history]
    assert isinstance(last[-1], Stuck)
    assert "Traceback" not in done.err
    return done, last[-1].summary
