"""What source trees declare, as a specification would have it: in its modules, with its names."""

import functools
import re
from collections.abc import Callable, Iterable, Sequence
from collections.abc import Set as AbstractSet

from git_retcon.allium.engine import ListSources
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
from git_retcon.allium.extract.moved_tree import MovedTree
from git_retcon.allium.extract.moved_types import TypeMove
from git_retcon.allium.extract.service_rules import ServiceRule, ServiceRules
from git_retcon.allium.extract.source_facts import Declaration
from git_retcon.allium.extract.source_tree import GitTree
from git_retcon.allium.extract.spec_layout import Modules, SpecLayout
from git_retcon.allium.extract.spelling import spell_declaration
from git_retcon.allium.extract.traced_tree import SourceTree
from git_retcon.allium.store.module_text import DeclarationText
from git_retcon.allium.store.spec_store import SpecStore
from git_retcon.allium.store.type_names import Uses
from git_retcon.git.graph import Commit
from git_retcon.show.style import show_path


class SourceDeclarations:
    """The declarations of files in several commits, beside one specification.

    It is compared with ``commit``, and ``paths`` are the files that are compared; what these
    declare no more has no claim on its name. What ``moves`` says went elsewhere counts as if it had
    been there before.
    """

    def __init__(
        self,
        users: SourceUsers,
        open_tree: Callable[[Commit], GitTree],
        modules: Modules,
        store: SpecStore,
        commit: Commit,
        paths: Iterable[bytes],
        moves: Sequence[TypeMove],
        rules: KnownRules[ServiceRule],
    ) -> None:
        self._users = users
        self._make_tree = open_tree
        self._modules = modules
        self._store = store
        self._commit = commit
        self._uses: dict[bytes, Uses] = {}
        self._now = open_tree(commit)
        self._trees = {commit.tree: self._now}
        self._paths = frozenset(paths)
        self._moves = moves
        self._rules = rules
        known = {show_path(path): path for path in self._paths}

        def declares(path: str, symbol: str) -> bool:
            facts = self._now.read(known[path]) if path in known else None
            return path not in known or (
                facts is not None and self._services.declares(facts, symbol, self._is_placed)
            )

        self._layout = SpecLayout(store, modules, declares, self._is_declaring)
        self._services = self._open_services(self._now)
        self._joiners = {commit.tree: Joiner(self._now, self._layout, self._services)}

    def _open_services(self, tree: SourceTree) -> ServiceRules:
        rules = None if isinstance(tree, MovedTree) else self._rules
        return ServiceRules(tree, self._paths, self._layout.list_operating, rules)

    def _is_declaring(self, path: bytes) -> bool:
        facts = self._now.read(path) if path in self._paths else None
        return facts is not None and self._services.declares_any(facts, self._is_placed)

    def _is_placed(self, path: bytes) -> bool:
        return self._layout.find_module(path) is not None

    def read(self, commit: Commit, path: bytes) -> Sequence[DeclarationText] | None:
        """What a file declares; () where there is none. One that cannot be read is None in the
        commit that is compared, and counts as what it said before in an earlier one.
        """
        tree = self._open_tree(commit)
        if tree is self._now and tree.is_broken(path):
            return None
        declared = [*self._open_joiner(tree, commit).join(path)]
        earlier = (
            tree.open_earlier(path) if tree is not self._now and tree.is_broken(path) else None
        )
        if earlier is not None:
            # What its names meant then is what it was described with.
            declared += self._make_joiner(earlier).join(path)
        return [self._spell(each) for each in declared]

    def _open_joiner(self, tree: GitTree, commit: Commit) -> Joiner:
        if commit.tree not in self._joiners:
            self._joiners[commit.tree] = self._make_joiner(tree)
        return self._joiners[commit.tree]

    def _make_joiner(self, tree: GitTree) -> Joiner:
        # As it was named and placed when it was described.
        layout = SpecLayout(self._store, self._modules)
        moved = MovedTree(tree, self._moves) if self._moves else tree
        return Joiner(moved, layout, self._open_services(moved))

    def _spell(self, declaration: Declaration) -> DeclarationText:
        module = self.find_module(declaration.evidence[0].path)
        if module is None:
            return spell_declaration(declaration, _find_no_alias)
        return spell_declaration(declaration, self._open_uses(module).make_alias)

    def find_users(self, base: Commit, list_sources: ListSources) -> Sequence[bytes]:
        """The files beside those that are compared whose declarations may be others now than in a
        commit, as these say something else of a type.
        """
        was, now = self._open_tree(base), self._now
        touched: set[str] = set()
        for path in self._paths:
            touched |= find_touched(was.read(path), now.read(path))
            for tree, other in ((was, now), (now, was)) if is_package(path) else ():
                touched |= {*find_reexported(tree, path, other)}
        before = self._open_services(was)
        open_finder = self._rules.trees.open_finder
        gained = find_gained(self._paths, was, now, open_finder=open_finder)
        found = {
            *self._users.find(list_sources(), now, gained),
            *(each for path in self._paths for each in self._services.find_entities(path, before)),
        }
        found |= self._find_named(base, touched, found)
        return sorted(path for path in found - self._paths if now.find_version(path) is not None)

    def _find_named(
        self, base: Commit, touched: AbstractSet[str], known: AbstractSet[bytes]
    ) -> set[bytes]:
        """The files that the specification describes and that name these types, or types that come
        and go with these.
        """
        was = self._open_joiner(self._open_tree(base), base)
        now = self._open_joiner(self._now, self._commit)
        found: set[bytes] = set()
        new = {*known, *self._paths}
        while new:
            appeared = (find_appeared(was.join(path), now.join(path)) for path in sorted(new))
            touched = touched | {name for each in appeared for name in each}
            new = {*find_described_users(self._store, self._modules, touched)} - found
            found |= new
        return found

    def find_module(self, path: bytes) -> bytes | None:
        """The module that speaks of a file, or is to be made for it; None: it may have none."""
        return self._layout.find_module(path) or self._store.root.find_module(
            path, self._store.all_modules()
        )

    def list_uses(self, module: bytes, texts: Iterable[bytes]) -> Sequence[bytes] | None:
        """The ``use`` lines that a module needs for these declarations; None where it was not read
        for, so that it has what it needs.
        """
        uses = self._uses.get(module)
        if uses is None:
            return None
        used = {alias.decode() for each in texts for alias in _alias_pattern().findall(each)}
        return uses.list_lines(used)

    def _open_tree(self, commit: Commit) -> GitTree:
        if commit.tree not in self._trees:
            self._trees[commit.tree] = self._make_tree(commit)
        return self._trees[commit.tree]

    def _open_uses(self, module: bytes) -> Uses:
        if module not in self._uses:
            text = self._modules.read(self._store.module_spec(module)).text
            self._uses[module] = Uses(module, [p for p in text.declarations if p.kind == "use"])
        return self._uses[module]


def _find_no_alias(module: bytes) -> str:
    return module.rpartition(b"/")[2].partition(b".")[0].decode("utf-8", "replace")


@functools.cache
def _alias_pattern() -> "re.Pattern[bytes]":
    return re.compile(rb"\b([a-z_]\w*)/[A-Z]")
