"""Snapshots of a specification: what a change gives, and what stays as it was."""

import pytest

from git_retcon.allium.store.module_paths import BadModulePath
from git_retcon.allium.store.source_map import SourceRoot
from git_retcon.allium.store.spec_store import EMPTY_MASTER, SpecStore

USER = b"-- allium: 3\nentity User {\n    name: String\n}\n"
TEAM = b"-- allium: 3\nentity Team {\n    title: String\n}\n"


def test_an_empty_specification_has_a_master_alone() -> None:
    store = SpecStore()
    assert store.to_file_map() == {b"spec/_master.allium": EMPTY_MASTER}
    assert store.module_spec(b"entities/user.allium") is None


def test_a_change_gives_another_snapshot_and_leaves_this_one() -> None:
    before = SpecStore().set_module_spec(b"entities/user.allium", USER)
    after = before.set_module_spec(b"entities/team.allium", TEAM).set_master_spec(b"-- allium: 3\n")
    assert list(before.all_modules()) == [b"entities/user.allium"]
    assert after.to_file_map() == {
        b"spec/_master.allium": b"-- allium: 3\n",
        b"spec/entities/team.allium": TEAM,
        b"spec/entities/user.allium": USER,
    }
    gone = after.remove_module_spec(b"entities/user.allium")
    assert list(gone.all_modules()) == [b"entities/team.allium"]
    assert after.module_spec(b"entities/user.allium") == USER


def test_what_changes_nothing_is_the_same_snapshot() -> None:
    store = SpecStore().set_module_spec(b"user.allium", USER)
    assert store.set_module_spec(b"user.allium", USER) is store
    assert store.remove_module_spec(b"team.allium") is store


def test_a_snapshot_cannot_be_changed_through_its_modules() -> None:
    modules = SpecStore().set_module_spec(b"user.allium", USER).all_modules()
    with pytest.raises(TypeError):
        modules[b"team.allium"] = TEAM  # type: ignore[index]


def test_tokens_are_those_of_all_files() -> None:
    store = SpecStore(b"-- allium: 3\n").set_module_spec(b"user.allium", b"12345")
    assert store.total_tokens() == 4 + 2


@pytest.mark.parametrize("path", [b"entities/User.allium", "entities/uѕer.allium".encode()])
def test_two_modules_that_are_one_file_elsewhere_are_refused(path: bytes) -> None:
    store = SpecStore().set_module_spec(b"entities/user.allium", USER)
    with pytest.raises(BadModulePath):
        store.set_module_spec(path, TEAM)
    assert store.spell_module(path) == b"entities/user.allium"
    with pytest.raises(BadModulePath):
        SpecStore(modules={b"entities/user.allium": USER, path: TEAM})


def test_only_the_master_is_set_as_the_master() -> None:
    with pytest.raises(BadModulePath, match="this is the master"):
        SpecStore().set_module_spec(b"_master.allium", USER)


def test_a_change_is_about_the_nearest_modules_and_what_it_imports() -> None:
    store = SpecStore(
        modules={
            b"entities.allium": b"1",
            b"entities/user.allium": b"2",
            b"routes.allium": b"3",
            b"billing/tax.allium": b"4",
        },
        root=SourceRoot(),
    )
    sources = {
        b"src/routes/auth.ts": b"import { User } from '../entities/user/profile';\n",
        b"src/routes/pay.py": b"from billing.tax import rate\nimport os\n",
        b"README.md": b"require('./entities/user')\n",
    }
    assert list(store.relevant_specs([b"src/routes/auth.ts"]).modules) == [b"routes.allium"]
    found = store.relevant_specs([b"src/routes/auth.ts"], sources.get)
    assert list(found.modules) == [b"entities/user.allium", b"routes.allium"]
    assert found.master == EMPTY_MASTER
    found = store.relevant_specs([b"src/routes/pay.py"], sources.get)
    assert list(found.modules) == [b"billing/tax.allium", b"routes.allium"]
    assert list(store.relevant_specs([b"src/entities/team/x.ts"]).modules) == [b"entities.allium"]
    assert list(store.relevant_specs([b"docs/x.ts"]).modules) == []


def test_a_removed_module_stands_in_the_way_of_no_other_spelling() -> None:
    store = SpecStore().set_module_spec(b"User.allium", USER).remove_module_spec(b"User.allium")
    assert list(store.set_module_spec(b"user.allium", USER).all_modules()) == [b"user.allium"]
