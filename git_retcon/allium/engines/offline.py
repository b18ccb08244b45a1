"""The offline engine: what the source itself proves, declaration by declaration.

A step reads the changed files as they were and as they are, and merges the difference into the
specification: what a person, or a model, wrote beside it stays. Where both changed the same
declaration, the specification's version stays, and an open question names the source. A file that
did not change is read again only where it uses a name that means something else now. One that
cannot be read says what it said before.
"""

import functools
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

from git_retcon.allium.engine import Fork, Step, Update
from git_retcon.allium.engines.earlier_versions import EarlierVersions, FindEarlier
from git_retcon.allium.engines.module_edits import (
    Edit,
    ForkedFile,
    edit_module,
    follow_renames,
)
from git_retcon.allium.engines.moved_files import MovedFiles, open_moved
from git_retcon.allium.engines.settled_conflicts import list_settled
from git_retcon.allium.engines.source_declarations import SourceDeclarations
from git_retcon.allium.engines.source_words import SourceWords
from git_retcon.allium.engines.step_sources import StepSources
from git_retcon.allium.engines.type_users import (
    SourceUsers,
    find_appeared,
    find_described_users,
    find_gained,
    find_reexported,
    find_touched,
    is_package,
)
from git_retcon.allium.extract.joining import Joiner
from git_retcon.allium.extract.known_rules import KnownRules
from git_retcon.allium.extract.languages import spell_installation
from git_retcon.allium.extract.moved_tree import MovedTree
from git_retcon.allium.extract.moved_types import TypeMove, find_moved_types, follow_types
from git_retcon.allium.extract.service_rules import ServiceRule, ServiceRules
from git_retcon.allium.extract.source_facts import (
    Declaration,
    Evidence,
    get_kind,
)
from git_retcon.allium.extract.source_tree import FactsReader, GitTree
from git_retcon.allium.extract.spec_layout import Modules, SpecLayout
from git_retcon.allium.extract.traced_tree import SourceTree
from git_retcon.allium.store.merge_choice import Conflict
from git_retcon.allium.store.needed_types import restore_needed
from git_retcon.allium.store.spec_store import SpecStore
from git_retcon.git.graph import Commit
from git_retcon.git.repository import Repository
from git_retcon.show.counting import count
from git_retcon.show.style import show_path

_MOST_TREES = 4


class OfflineEngine:
    """Describes steps with what ``extract`` reads, one file at a time."""

    name = "offline"
    is_slow = False

    def __init__(self, repository: Repository) -> None:
        self._repository = repository
        self._reader = FactsReader(repository)
        self._earlier = EarlierVersions(repository, self._reader)
        self._users = SourceUsers(SourceWords(repository.objects))
        self._modules = Modules()
        self._known: KnownRules[ServiceRule] = KnownRules()
        self._trees: dict[str, GitTree] = {}
        self._unplaced: set[bytes] = set()
        self._declared = False
        self._is_used = False

    def update(self, step: Step) -> Update:
        self._is_used = True
        moved = {old: new for new, old in step.renames.items()}
        sources = self._open_sources(step, moved)
        account: list[str] = []
        paths: list[bytes] = []
        for change in step.changes:
            if change.path in moved and change.new is None:
                continue  # described at its new path
            if sources.tree.is_broken(change.path):
                account.append(f"Not read: {show_path(change.path)}")
                continue
            paths.append(change.path)
        if not (step.forks or step.renames) and all(map(sources.says_same, paths)):
            paths = []
        store = follow_renames(step.store, self._modules, step.renames)
        store, settled = self._merge_sides(store, sources, paths, step, account)
        names, before = store.all_modules(), step.store.all_modules()
        changed = {each: names.get(each) for each in sorted(names.keys() | before.keys())}
        self._declared |= bool(names)
        return Update(
            {path: text for path, text in changed.items() if text != before.get(path)},
            account=account,
            settled=settled,
        )

    def _open_sources(self, step: Step, moved: Mapping[bytes, bytes]) -> StepSources:
        # What the sides of a merge say together, where the merge has it otherwise.
        said = {each.path: each.old for each in step.changes} if step.forks else {}
        repository, reader = self._repository, self._reader
        find_earlier = self._follow(step, moved)
        return StepSources(
            GitTree(repository, reader, step.base, moved, said, find_earlier),
            GitTree(repository, reader, step.tree, find_earlier=find_earlier),
            self._open_commits(step.base, step.commit.parents[:1]),
            GitTree(repository, reader, step.base, None, said, self._follow(step, {})),
            [*map(self._open_fork, step.forks)],
            [*open_moved(functools.partial(GitTree, repository, reader), step.base, step.forks)],
            step.find_removed,
        )

    def _open_fork(self, fork: Fork) -> tuple[GitTree, GitTree]:
        of_base, of_side = fork.commits
        return self._open_commits(fork.base, of_base), self._open_commits(fork.side, of_side)

    def _open_commits(self, tree: str, commits: Sequence[str]) -> GitTree:
        """The tree of a commit; what cannot be read there is what it was before."""
        find_earlier = self._earlier.follow(commits, {})
        return GitTree(self._repository, self._reader, tree, find_earlier=find_earlier)

    def _follow(self, step: Step, moved: Mapping[bytes, bytes]) -> FindEarlier:
        return self._earlier.follow(step.commit.parents, moved)

    def open_declarations(
        self, store: SpecStore, commit: Commit, paths: Iterable[bytes], moves: Sequence[TypeMove]
    ) -> SourceDeclarations:
        """What source files declare, to compare a specification with."""
        return SourceDeclarations(
            self._users, self._open_tree, self._modules, store, commit, paths, moves, self._known
        )

    def _open_tree(self, commit: Commit) -> GitTree:
        # A comparison opens the same ones again, once it knows all files that it is about.
        found = self._trees.pop(commit.oid, None) or self._open_commits(commit.tree, [commit.oid])
        if len(self._trees) >= _MOST_TREES:
            del self._trees[next(iter(self._trees))]
        self._trees[commit.oid] = found
        return found

    def summarize(self) -> Sequence[str]:
        return [*self._summarize_changes()]

    def _summarize_changes(self) -> Iterator[str]:
        read, unreadable = self._reader.read_files, self._reader.unreadable
        for language in sorted(read):
            bad = len(unreadable.get(language, ()))
            broken = f", {bad} could not be read" if bad else ""
            yield f"{language}: {count(len(read[language]), 'file')} read{broken}"
        if self._reader.other:
            yield f"{count(len(self._reader.other), 'file')} in languages that are not read offline"
        if self._unplaced:
            yield f"{count(len(self._unplaced), 'file')} left out: bad name for a module"
        outlined = self._reader.outlined
        if outlined:
            command = spell_installation({*outlined.values()})
            yield f"{', '.join(sorted(outlined))}: in outline only; whole after: {command}"
        if self._is_used and not self._declared:
            if not read:
                yield "nothing is specified: no file is in a language that is read offline"
            else:
                yield "nothing is specified: no file declares entities, values, enums or rules"

    def _merge_sides(
        self,
        store: SpecStore,
        sources: StepSources,
        paths: Sequence[bytes],
        step: Step,
        account: list[str],
    ) -> tuple[SpecStore, Collection[Conflict]]:
        """The specification with what the files say now, and the conflicts that they settle."""
        base, tree = sources.base, sources.tree
        described = sources.list_described(paths)
        exporting = [path for path in paths if is_package(path)]
        users = self._find_users(step, base, tree, paths)
        if not (described or exporting or users):
            return store, ()
        described += users
        followed = follow_types(store, self._modules, find_moved_types(described, base, tree))
        store = followed.store
        sides = _Sides(store, self._modules, sources, paths, described, followed.moves, self._known)
        arrived = {each.new for each in followed.moves}
        for path in described:
            sides.compare_file(path, has_arrived=path in step.renames or path in arrived)
        for path in exporting:
            sides.compare_exports(path)
        sides.compare_dependents({*described})
        self._unplaced |= {*sides.unplaced}
        account += (
            f"Left out: {show_path(path)}: no module may have its name" for path in sides.unplaced
        )
        edited = store
        for module in sorted(sides.edits):
            found = sides.edits[module]
            edited = edit_module(edited, self._modules, module, found, sources.find_removed)
        edited = restore_needed(store, edited).store
        return edited, {*list_settled(step.conflicts, sides.edits, edited)}

    def _find_users(
        self, step: Step, base: GitTree, tree: GitTree, paths: Sequence[bytes]
    ) -> Sequence[bytes]:
        """Files beside ``paths`` that use what these say for the first time of types, sorted."""
        open_finder = self._known.trees.open_finder
        gained = find_gained(paths, base, tree, step.renames, open_finder)
        if not gained:
            return ()
        # The step's own files too: what they make of these types, others may be made of.
        found = self._users.find(step.list_sources(), tree, gained)
        return sorted({*found} - {*paths})


class _Sides:
    """What a step's files said and say, as ``edits`` of the modules that describe them.

    ``unplaced`` are files that declare something and can have no module.
    """

    def __init__(
        self,
        store: SpecStore,
        modules: Modules,
        sources: StepSources,
        paths: Sequence[bytes],
        described: Sequence[bytes],
        moves: Sequence[TypeMove],
        known: KnownRules[ServiceRule],
    ) -> None:
        self.edits: dict[bytes, list[Edit]] = {}
        self.unplaced: list[bytes] = []
        self._store, self._modules = store, modules
        self._base, self._tree = MovedTree(sources.base, moves), sources.tree
        self._shown = {show_path(path): path for path in paths}
        self._described = frozenset(described)
        self._places = SpecLayout(store, modules)
        self._known = known
        self._services = self._open_services(self._tree)
        self._services_before = self._open_services(self._base if moves else sources.base)
        self._targets = SpecLayout(store, modules, self._declares, self._is_declaring)
        self._was = Joiner(self._base, self._places, self._services_before)
        self._now = Joiner(self._tree, self._targets, self._services)
        self._sources = sources
        self._ours = self._open_joiner(sources.ours)
        self._unmoved = self._open_joiner(sources.unmoved)
        self._forks = [
            (self._open_joiner(base), self._open_joiner(side)) for base, side in sources.forks
        ]
        self._moved_files = MovedFiles(sources.moved, self._open_joiner)
        self._touched: set[str] = set()
        self._moved: set[bytes] = set()

    def _open_services(self, tree: SourceTree) -> ServiceRules:
        known = None if isinstance(tree, MovedTree) else self._known
        return ServiceRules(tree, self._described, self._places.list_operating, known)

    def _open_joiner(self, tree: SourceTree) -> Joiner:
        return Joiner(tree, self._places, self._open_services(tree))

    def _declares(self, shown: str, symbol: str) -> bool:
        """Whether a file declares a symbol now; of files beside the step's nothing has changed."""
        if shown not in self._shown:
            return True
        facts = self._tree.read(self._shown[shown])
        return facts is not None and self._services.declares(facts, symbol, self._is_placed)

    def _is_declaring(self, path: bytes) -> bool:
        facts = self._tree.read(path) if path in self._described else None
        return facts is not None and self._services.declares_any(facts, self._is_placed)

    def _is_placed(self, path: bytes) -> bool:
        return self._targets.find_module(path) is not None

    def compare_file(self, path: bytes, *, has_arrived: bool) -> None:
        """Note what the module of one of the step's files has to say differently.

        ``has_arrived``: it, or something in it, was in another file before.
        """
        base, tree = self._base, self._tree
        self._touched |= find_touched(base.read(path), tree.read(path))
        if has_arrived:
            # What says the same at another path may be out of reach of those that use it.
            self._touched |= find_touched(base.read(path), None)
        self._moved |= self._services.find_entities(path, self._services_before)
        # Where the specification has nothing of what cannot be read, none of that was described.
        is_new = base.is_broken(path) and not self._is_described(path)
        before = () if is_new else self._join_before(path)
        after = self._now.join(path)
        if before == after and show_path(path) not in self._shown:
            # It imports something from where that is now, and was not before.
            before = self._unmoved.join(path)
        forks = self._join_forks(path) if self._forks else ()
        before = self._ours.join(path) if forks else before
        if self._forks:
            before = [*before, *self._join_kept(path, before)]
        before, forks = self._moved_files.join(path) or (before, forks)
        self._touched |= find_appeared(before, after)
        # What it refers to may be new to the module that it is in now.
        if before == after and not (has_arrived or forks):
            return
        module = self._targets.find_module(path) or self._places.find_module(path)
        if module is not None:
            self.edits.setdefault(module, []).append(
                Edit(path, before, after, self._join_others(path, before), forks)
            )
        elif after:
            self.unplaced.append(path)

    def _join_before(self, path: bytes) -> Sequence[Declaration]:
        """What a file declared, with what came to it since, and without what left it."""
        found: dict[tuple[str, str, Evidence], Declaration] = {}
        for origin in (path, *self._base.list_origins(path)):
            for each in self._was.join(origin):
                # What is external is of all that refer to it, those that left as well.
                is_own = origin == path and get_kind(each) == "external entity"
                if is_own or each.evidence[0].path == path:
                    found[get_kind(each), each.name, each.evidence[0]] = each
        return [*found.values()]

    def _is_described(self, path: bytes) -> bool:
        module = self._places.find_module(path)
        return module is not None and show_path(path) in self._places.read(module).paths

    def _join_forks(self, path: bytes) -> Sequence[ForkedFile]:
        """What a file declared that both sides of a merge changed; () for any other."""
        ours = self._sources.ours.find_version(path)
        found: list[ForkedFile] = []
        for (base, side), trees in zip(self._forks, self._sources.forks, strict=True):
            was, theirs = (each.find_version(path) for each in trees)
            if was not in (ours, theirs) and ours != theirs:
                declared = side.join(path)
                kept = self._join_kept(path, declared)
                found.append(ForkedFile(base.join(path), [*declared, *kept]))
        return found

    def _join_kept(self, path: bytes, before: Sequence[Declaration]) -> Iterator[Declaration]:
        """What a merge has as one of its parents has it, beside what ``before`` has: another parent
        took it away, and the specification has it all the same.
        """
        known = {each.evidence[0] for each in before}
        version = self._tree.find_version(path)
        trees = [self._sources.ours, *(side for _, side in self._sources.forks)]
        joiners = [self._ours, *(side for _, side in self._forks)]
        for tree, joiner in zip(trees, joiners, strict=True):
            if version is not None and tree.find_version(path) == version:
                yield from (each for each in joiner.join(path) if each.evidence[0] not in known)
                return

    def _join_others(self, path: bytes, before: Sequence[Declaration]) -> Sequence[Declaration]:
        """What the other parents of a merge declare in a file, and the first does not."""
        known = {each.evidence[0] for each in before}
        found = (each for _, other in self._forks for each in other.join(path))
        return [each for each in found if each.evidence[0] not in known]

    def compare_exports(self, path: bytes) -> None:
        """Note the names that a package has from other files now."""
        for tree, other in ((self._base, self._tree), (self._tree, self._base)):
            self._touched.update(find_reexported(tree, path, other))

    def compare_dependents(self, known: Collection[bytes]) -> None:
        """The same for files beside ``known`` that name a type which is another now."""
        known = {*known}
        while found := self._find_dependents(known):
            known |= {*found}
            for path in found:
                module = self._places.find_module(path)
                before, after = self._was.join(path), self._now.join(path)
                if module is not None and before != after:
                    self._touched |= find_appeared(before, after)
                    self.edits.setdefault(module, []).append(
                        Edit(path, before, after, self._join_others(path, before))
                    )

    def _find_dependents(self, known: Collection[bytes]) -> Sequence[bytes]:
        """Files beside ``known`` whose declarations name one of the touched types, or with whose
        entities others do something else.
        """
        users = find_described_users(self._store, self._modules, self._touched)
        found = dict.fromkeys((*users, *sorted(self._moved)))
        return [p for p in found if p not in known and self._tree.read(p) is not None]
