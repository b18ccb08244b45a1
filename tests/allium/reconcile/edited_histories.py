"""Random small histories whose specification people edit by hand, and what must hold of them."""

import json
import random
import re
import shutil
from collections.abc import Callable, Sequence

from git_retcon.allium.language import check, is_error, parse
from git_retcon.allium.store.module_text import cut_module
from tests.allium.history_shapes import BRANCH, evolve
from tests.program import allium_here
from tests.repository import TestRepository

_FOLDERS = ("shop", "post", "tax")
_GAP = "\n\n\n"
_TYPES = {".py": ("int", "str", "bool"), ".ts": ("number", "string", "boolean")}

Blocks = list[str]


class History:
    """A repository, and what is changed in it by chance. A source file is a head and its types, a
    gap apart; each field, value and line by hand has a name of its own.
    """

    def __init__(self, repo: TestRepository, chance: random.Random) -> None:
        self.repo = repo
        self.chance = chance
        self.suffix = chance.choice([".py", ".py", ".ts"])
        self.by_hand: list[str] = []
        self.taken_out: list[tuple[str, str]] = []
        self.log: list[str] = []
        self._number = 0
        self.commit("begin", {self._name_file(): self._make_file() for _ in range(3)})

    # Source files

    def read_files(self) -> dict[str, Blocks]:
        root = self.repo.path
        found = sorted(each for each in root.glob("src/**/*") if each.is_file())
        return {str(each.relative_to(root)): each.read_text().split(_GAP) for each in found}

    def commit(self, message: str, files: dict[str, Blocks]) -> None:
        shutil.rmtree(self.repo.path / "src", ignore_errors=True)
        texts = {path: _GAP.join(blocks) for path, blocks in files.items()}
        self.repo.commit(message, texts)
        self.log.append(message)

    def _next(self, letter: str) -> str:
        self._number += 1
        return f"{letter}{self._number}"

    def _name_file(self) -> str:
        return f"src/{self.chance.choice(_FOLDERS)}/{self._next('m')}{self.suffix}"

    def _make_file(self) -> Blocks:
        head = "import enum\n" if self.suffix == ".py" else "// Made by chance.\n"
        enum = self._make_enum()
        return [head, enum, self._make_class(enum), self._make_class()]

    def _make_enum(self) -> str:
        name, values = self._next("Kind"), [self._next("v") for _ in range(3)]
        if self.suffix == ".py":
            lines = "".join(f"    {each.upper()} = '{each}'\n" for each in values)
            return f"class {name}(enum.Enum):\n{lines}"
        lines = "".join(f"    {each.title()} = '{each}',\n" for each in values)
        return f"export enum {name} {{\n{lines}}}\n"

    def _make_class(self, enum: str = "") -> str:
        """A class; with a field of an enum, and in Python a method that changes this."""
        name = self._next("Type")
        lines = "".join(self._make_field() for _ in range(self.chance.randint(2, 3)))
        if enum:
            kind, field = self._name_type(enum), self._next("f")
            lines += f"    {field}: {kind}{self._end}\n"
            one, other = (f"{kind}.{value}" for value in re.findall(r"[vV]\d+ ?=", enum)[:2])
            if self.suffix == ".py":
                lines += (
                    f"\n    def close(self):\n        if self.{field} != {one.strip(' =')}:\n"
                    f"            raise ValueError\n        self.{field} = {other.strip(' =')}\n"
                )
        if self.suffix == ".ts":
            return f"export class {name} {{\n{lines}}}\n"
        return f"class {name}:\n{lines}"

    @property
    def _end(self) -> str:
        return ";" if self.suffix == ".ts" else ""

    def _make_field(self) -> str:
        return f"    {self._next('f')}: {self.chance.choice(_TYPES[self.suffix])}{self._end}\n"

    @staticmethod
    def _name_type(block: str) -> str:
        found = re.search(r"(?:class|enum) (\w+)", block)
        assert found is not None
        return found[1]

    # Changes of the source

    def change_source(self) -> None:
        """One commit, or a branch and its merge."""
        if self.chance.random() < 0.3:
            self._merge_branch()
        else:
            self._change_files("")

    def _change_files(self, prefix: str) -> None:
        files = self.read_files()
        changes: Sequence[Callable[[dict[str, Blocks]], str]] = (
            self._rename_class, self._move_file, self._move_type, self._delete_line,
            self._add_line, self._retype_field, self._delete_type, self._delete_file,
            self._add_type, self._break_file, self._add_same,
        )  # fmt: skip
        done = [self.chance.choice(changes)(files) for _ in range(self.chance.choice([1, 1, 2]))]
        self.commit(prefix + ", ".join(done), files)

    def _pick(self, files: dict[str, Blocks]) -> tuple[str, int]:
        """A file and one of its types; a new one where there is none left."""
        for blocks in files.values():
            # What a merge of lines left of a type may have no name.
            blocks[1:] = [each for each in blocks[1:] if re.search(r"(?:class|enum) \w+", each)]
        full = [path for path, blocks in files.items() if len(blocks) > 1]
        if not full:
            files[path := self._name_file()] = self._make_file()
            full = [path]
        path = self.chance.choice(full)
        return path, self.chance.randrange(1, len(files[path]))

    def _rename_class(self, files: dict[str, Blocks]) -> str:
        path, at = self._pick(files)
        old, new = self._name_type(files[path][at]), self._next("Type")
        files[path] = [re.sub(rf"\b{old}\b", new, each) for each in files[path]]
        return f"rename {old} {new}"

    def _move_file(self, files: dict[str, Blocks]) -> str:
        path, _ = self._pick(files)
        new = f"src/{self.chance.choice(_FOLDERS)}/{path.rpartition('/')[2]}"
        new = new if new not in files else self._name_file()
        files[new] = files.pop(path)
        return f"move {path} {new}"

    def _move_type(self, files: dict[str, Blocks]) -> str:
        path, at = self._pick(files)
        new = self.chance.choice([*files, self._name_file()])
        block = files[path].pop(at)
        files.setdefault(new, [files[path][0]]).append(block)
        return f"move {self._name_type(block)} {path} {new}"

    def _delete_line(self, files: dict[str, Blocks]) -> str:
        path, at = self._pick(files)
        lines = files[path][at].split("\n")
        inside = [n for n, line in enumerate(lines) if re.match(r"    [fvV]\d", line)]
        if len(inside) < 2:
            return "nothing"
        gone = lines.pop(self.chance.choice(inside))
        files[path][at] = "\n".join(lines)
        return f"delete {gone.strip()}"

    def _add_line(self, files: dict[str, Blocks]) -> str:
        path, at = self._pick(files)
        block = files[path][at]
        value = self._next("v")
        line = self._make_field()
        if "enum.Enum" in block:
            line = f"    {value.upper()} = '{value}'\n"
        elif "enum " in block:
            line = f"    {value.title()} = '{value}',\n"
        elif self.chance.random() < 0.3:
            other = self._name_type(self.chance.choice(files[path][1:]))
            line = f"    {self._next('f')}: {other}{self._end}\n"
        head, found, tail = block.partition("\n")
        files[path][at] = head + found + line + tail
        return f"add {line.strip()} to {self._name_type(block)}"

    def _retype_field(self, files: dict[str, Blocks]) -> str:
        path, at = self._pick(files)
        fields = re.findall(r"(f\d+): (\w+)", files[path][at])
        if not fields:
            return "nothing"
        name, old = self.chance.choice(fields)
        new = self.chance.choice(_TYPES[self.suffix])
        files[path][at] = files[path][at].replace(f"{name}: {old}", f"{name}: {new}")
        return f"retype {name} {new}"

    def _delete_type(self, files: dict[str, Blocks]) -> str:
        path, at = self._pick(files)
        return f"delete {self._name_type(files[path].pop(at))}"

    def _delete_file(self, files: dict[str, Blocks]) -> str:
        path, _ = self._pick(files)
        del files[path]
        return f"delete {path}"

    def _add_type(self, files: dict[str, Blocks]) -> str:
        path, _ = self._pick(files)
        files[path].append(self.chance.choice([self._make_class, self._make_enum])())
        return f"add {self._name_type(files[path][-1])}"

    def _add_same(self, files: dict[str, Blocks]) -> str:
        """Another class of a name that there is already."""
        path, at = self._pick(files)
        new, _ = self._pick(files)
        name = self._name_type(files[path][at])
        if new == path or any(self._name_type(each) == name for each in files[new][1:]):
            return "nothing"
        other = self._make_class()
        files[new].append(other.replace(self._name_type(other), name))
        return f"add another {name} in {new}"

    def _break_file(self, files: dict[str, Blocks]) -> str:
        path, _ = self._pick(files)
        if "((" in files[path][0]:
            files[path][0] = files[path][0].replace("((", "")
            return f"repair {path}"
        if self.suffix == ".py":
            files[path][0] += "(("
        return f"break {path}"

    def _merge_branch(self) -> None:
        side = self._next("side")
        self.repo.git("checkout", "-q", "-b", side)
        self._change_files(f"{side}: ")
        self.repo.git("checkout", "-q", "main")
        self._change_files("main: ")
        strategy = self.chance.choice(["-Xours", "-Xours", "-Xtheirs", "-sours"])
        try:
            self.repo.git("merge", "-q", "--no-ff", strategy, "-m", "merge", side)
        except AssertionError:
            self._settle_conflicts()
        self.log.append(f"merge {side} {strategy}")

    def _settle_conflicts(self) -> None:
        """What one side deleted or moved and the other changed is as ours has it."""
        listed = self.repo.git("ls-files", "-u").splitlines()
        stages: dict[str, set[str]] = {}
        for line in listed:
            stages.setdefault(line.partition("\t")[2], set()).add(line.split()[2])
        for path, found in stages.items():
            if "2" in found:
                self.repo.git("checkout", "-q", "--ours", "--", path)
                self.repo.git("add", "--", path)
            else:
                self.repo.git("rm", "-q", "--cached", "--", path)
                (self.repo.path / path).unlink(missing_ok=True)
        self.repo.git("commit", "-q", "-m", "merge")

    # Edits by hand

    def edit_spec(self) -> None:
        """One commit of a person on the spec branch."""
        self.repo.git("worktree", "add", "-q", "../spec", BRANCH)
        place = TestRepository(self.repo.path.parent / "spec")
        modules = sorted(place.path.glob("spec/**/*.allium"))
        edits = (
            self._add_spec_field, self._retype_spec_field, self._remove_spec_field, self._add_rule,
            self._add_entity, self._comment_declaration, self._comment_item, self._ask,
            self._answer, self._add_clause,
        )  # fmt: skip
        for _ in range(self.chance.randint(2, 5)):
            path = self.chance.choice(modules)
            text = path.read_text()
            if path.name == "_master.allium" or " {\n" not in text:
                continue
            edit = self.chance.choice(edits)
            after = edit(text)
            path.write_text(after)
            self.log.append(f"by hand: {edit.__name__} {path.name} {self.by_hand[-1:]}")
        place.commit("By hand")
        self.repo.git("worktree", "remove", "--force", "../spec")

    def _insert(self, text: str, pattern: str, line: str, *, above: bool = False) -> str:
        places = [*re.finditer(pattern, text, re.MULTILINE)]
        if not places:
            return text
        at = self.chance.choice(places)
        self.by_hand.append(line.strip())
        cut = at.start() if above else at.end()
        return text[:cut] + line + text[cut:]

    def _add_spec_field(self, text: str) -> str:
        return self._insert(
            text, r"^(?:entity|value) \w+ \{\n", f"    {self._next('hand')}: Timestamp\n"
        )

    def _retype_spec_field(self, text: str) -> str:
        places = [*re.finditer(r"(?m)^    (f\d+): (?:Integer|String|Boolean|Decimal)$", text)]
        if not places:
            return text
        at = self.chance.choice(places)
        self.by_hand.append(f"{at[1]}: Duration")
        return text[: at.start()] + f"    {at[1]}: Duration" + text[at.end() :]

    def _remove_spec_field(self, text: str) -> str:
        places = [*re.finditer(r"(?m)^    (f\d+): (?:Integer|String|Boolean|Decimal)\n", text)]
        if not places:
            return text
        at = self.chance.choice(places)
        owner = re.findall(r"(?m)^(?:entity|value) (\w+) \{", text[: at.start()])
        if not owner:
            return text
        self.taken_out.append((owner[-1], at[1]))
        return text[: at.start()] + text[at.end() :]

    def _add_rule(self, text: str) -> str:
        name = self._next("Hand")
        self.by_hand.append(f"ensures: Done{name}(x)")
        return f"{text}\nrule {name} {{\n    when: Start{name}(x)\n    ensures: Done{name}(x)\n}}\n"

    def _add_clause(self, text: str) -> str:
        places = [*re.finditer(r"(?m)^    ensures: (\w+)\..*\n", text)]
        if not places:
            return text
        at = self.chance.choice(places)
        self.by_hand.append(f"ensures: Done{self._next('Hand')}({at[1]})")
        return text[: at.end()] + f"    {self.by_hand[-1]}\n" + text[at.end() :]

    def _add_entity(self, text: str) -> str:
        found = re.findall(r"(?m)^(?:entity|value|enum) (\w+) \{", text)
        if not found:
            return text
        line = f"{self._next('hand')}: {self.chance.choice(found)}"
        self.by_hand.append(line)
        return f"{text}\nentity {self._next('Hand')} {{\n    {line}\n}}\n"

    def _comment_declaration(self, text: str) -> str:
        line = f"-- {self._next('comment')} by hand\n"
        return self._insert(text, r"^(?:entity|value|enum) \w+ \{", line, above=True)

    def _comment_item(self, text: str) -> str:
        comment = f"-- {self._next('comment')} by hand"
        return self._insert(text, r"^    f\d+: \w+(?=\n)", f" {comment}")

    def _ask(self, text: str) -> str:
        line = f'open question "What of {self._next("hand")}?"'
        self.by_hand.append(line)
        return f"{text}\n{line}\n"

    def _answer(self, text: str) -> str:
        """Take a question of ours out."""
        ours = re.findall(r'\nopen question "\w[^"]+(?:right|true|needed|Why)\?"\n', text)
        return text.replace(self.chance.choice(ours), "") if ours else text


def read_spec(repo: TestRepository) -> dict[str, str]:
    """The modules that the spec branch has."""
    listed = repo.git("ls-tree", "-r", "--name-only", BRANCH, "spec").splitlines()
    return {path: repo.show(f"{BRANCH}:{path}").decode() for path in listed}


def list_faults(history: History) -> list[str]:
    """What does not hold of a specification that was just reconciled."""
    repo = history.repo
    spec = read_spec(repo)
    lines = [line.strip() for text in spec.values() for line in text.split("\n")]
    faults = []
    for line in history.by_hand:
        number = sum(_has_line(each, line) for each in lines)
        if number != 1:
            faults.append(f"{number} times: {line}")
    for owner, name in history.taken_out:
        for text in spec.values():
            for each in cut_module(text.encode()).declarations:
                is_own = each.name == owner
                if is_own and re.search(rb"(?m)^    %b: " % name.encode(), each.text):
                    faults.append(f"{name} of {owner} came back")
    documents = [parse(text.encode(), path.encode()) for path, text in spec.items()]
    wrong = filter(is_error, check(documents))
    faults += [f"{diagnostic.code}: {diagnostic.message}" for diagnostic in wrong]
    # Two types of one name may each lack the same state; what is asked in a type is its own.
    whole = [line for text in spec.values() for line in text.split("\n")]
    asked = [line for line in whole if line.startswith("open question")]
    faults += [f"asked twice: {each}" for each in {*asked} if asked.count(each) > 1]
    tree = repo.tree(BRANCH)
    again = json.loads(
        allium_here(repo.path, "reconcile", "--offline", "--full", "--json").ok().out
    )
    if again["findings"] or repo.tree(BRANCH) != tree:
        faults.append(f"found again: {[each['specSection'] for each in again['findings']]}")
    return faults


def _has_line(line: str, wanted: str) -> bool:
    # A type that moves to another module is named behind that module's alias, and after its file
    # where another one there has its name.
    line, wanted = (
        re.sub(r"\b(?:[a-z_]\w*/(?=[A-Z]))?(?:M\d+(?=[A-Z]))?", "", each) for each in (line, wanted)
    )
    if wanted.startswith("--"):
        return line == wanted or line.endswith(f" {wanted}")
    # A field that was written by hand may have a comment.
    return line == wanted or line.startswith(f"{wanted} --")


def run_history(repo: TestRepository, seed: int) -> tuple[History, list[str]]:
    """Edits by hand and changes of the source in turn, told at once and in two parts."""
    return _run(repo, seed, History)


def _run(repo: TestRepository, seed: int, shape: type[History]) -> tuple[History, list[str]]:
    chance = random.Random(seed)
    history = shape(repo, chance)
    options = chance.choice([(), ("--reconciliation-interval", "1")])
    evolve(repo, *options)
    for _ in range(chance.randint(1, 2)):
        history.edit_spec()
        history.change_source()
        middle = repo.rev("HEAD")
        for _ in range(chance.randint(0, 2)):
            history.change_source()
        copy = TestRepository(repo.path.parent / f"copy-{seed}")
        shutil.rmtree(copy.path, ignore_errors=True)
        shutil.copytree(repo.path, copy.path)
        evolve(repo, *options)
        evolve(copy, middle, *options)
        evolve(copy, *options)
        parts = _read_steps(copy) if options else copy.rev(BRANCH)
        shutil.rmtree(copy.path)
        if parts != (_read_steps(repo) if options else repo.rev(BRANCH)):
            return history, ["told in two parts it is something else"]
        allium_here(repo.path, "reconcile", "--offline", "--full").ok()
        if faults := list_faults(history):
            return history, faults
    return history, []


def _read_steps(repo: TestRepository) -> set[str]:
    """What is said at each step. With checkpoints, a branched history that is told in parts may
    number its steps otherwise: a number is given when a step is first seen.
    """
    said = repo.git("log", "-z", "--format=%T %an %at %cn %ct%n%B", BRANCH).split("\0")
    return {
        re.sub(r"(?m)^Allium-Reconciled: step \d+,", "Allium-Reconciled:", each) for each in said
    }


class Branches(History):
    """The same with several branches, which go on beside each other and merge in any order."""

    def __init__(self, repo: TestRepository, chance: random.Random) -> None:
        super().__init__(repo, chance)
        self._branches = ["main"]

    def change_source(self) -> None:
        """Three to seven branches, each with commits and merges of others, that end in ``main``."""
        number = self.chance.randint(3, 7)
        while len(self._branches) < number:
            self._branches.append(name := self._next("branch"))
            self.repo.git("branch", name, self.chance.choice(self._branches[:-1]))
        for _ in range(number + self.chance.randint(0, 4)):
            self._switch(self.chance.choice(self._branches))
            if self.chance.random() < 0.3:
                self._merge_one(self.chance.choice(self._branches))
            else:
                self._change_files(f"{self._branch}: ")
        self._switch("main")
        # One branch at least goes on, and is merged again later.
        for name in self.chance.sample(self._branches[1:], self.chance.randint(1, number - 1)):
            self._merge_one(name)
            if self.chance.random() < 0.5:
                self._branches.remove(name)

    def _switch(self, name: str) -> None:
        self.repo.git("checkout", "-q", name)
        self._branch = name

    def _merge_one(self, name: str) -> None:
        if name == self._branch or self.repo.git("merge-base", name, "HEAD") == self.repo.rev(name):
            return
        strategy = self.chance.choice(["-Xours", "-Xours", "-Xtheirs", "-sours"])
        message = f"merge {name} into {self._branch}, {self._next('merge')}"
        try:
            self.repo.git("merge", "-q", "--no-ff", strategy, "-m", message, name)
        except AssertionError:
            self._settle_conflicts()
        self.log.append(f"{message} {strategy}")


def run_branches(repo: TestRepository, seed: int) -> tuple[History, list[str]]:
    """The same of a history with several branches at once."""
    return _run(repo, seed, Branches)
