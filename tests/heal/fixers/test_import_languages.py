"""What takes an unused name out of a file of each language, and what adds a missing one."""

import pytest

from git_retcon.heal.fixers.import_languages import Sources, Unused, choose_language
from git_retcon.heal.fixers.module_aliases import ProjectFiles

NO_FILES = ProjectFiles(frozenset, lambda _: None)
PYTHON = b"import os\nimport re\n\nos.sep\nre.sub\n"
GO = b'package shop\n\nimport (\n\t"os"\n\t"strings"\n)\n'
SCRIPT = b"import os from 'os';\nimport re from './re.js';\n\nos(re);\n"


@pytest.mark.parametrize(
    ("path", "content", "unused", "after"),
    [
        (b"a.py", PYTHON, [(("os",), 1), (("re",), 2)], b"\nos.sep\nre.sub\n"),
        (b"a.go", GO, [(("os",), 4), (("strings",), 5)], b"package shop\n\nimport (\n)\n"),
        (b"a.ts", SCRIPT, [(("os",), 1), (("re",), 2)], b"import './re.js';\n\nos(re);\n"),
        (b"a.mjs", SCRIPT, [(("x",), 4)], None),
        (b"a.py", PYTHON, [], None),
    ],
)
def test_several_names_go_from_their_lines(
    path: bytes, content: bytes, unused: list[tuple[tuple[str, ...], int]], after: bytes | None
) -> None:
    language = choose_language(path)
    assert language is not None
    sources = Sources(path, list, NO_FILES)
    assert language.remove(content, [Unused(*one) for one in unused], sources) == after


def test_a_module_of_the_project_is_loaded_all_the_same_by_its_alias() -> None:
    content = b"import { on } from '@/events';\nimport { of } from '@scope/rx';\n"
    language = choose_language(b"src/a.ts")
    assert language is not None
    sources = Sources(b"src/a.ts", list, NO_FILES)
    unused = [Unused(("on",), 1), Unused(("of",), 2)]
    assert language.remove(content, unused, sources) == b"import '@/events';\n"


@pytest.mark.parametrize(
    ("path", "other", "name", "before", "after"),
    [
        (b"a.py", PYTHON, "re", b"re.sub\n", b"import re\n\nre.sub\n"),
        (b"a.go", GO, "os", b"package x\n", b'package x\n\nimport "os"\n'),
        (b"a.tsx", SCRIPT, "re", b"re();\n", b"import re from './re.js';\n\nre();\n"),
    ],
)
def test_a_name_is_imported_as_another_file_does(
    path: bytes, other: bytes, name: str, before: bytes, after: bytes
) -> None:
    language = choose_language(path)
    assert language is not None
    sources = Sources(path, lambda: [(b"other" + path, other)], NO_FILES)
    add = language.find_adding(name, sources)
    assert add is not None and add(before) == after
    assert language.find_adding("nobody", sources) is None


def test_a_name_is_not_imported_into_a_file_that_its_ending_says_is_commonjs() -> None:
    language = choose_language(b"a.cjs")
    assert language is not None
    add = language.find_adding("re", Sources(b"a.cjs", lambda: [(b"b.js", SCRIPT)], NO_FILES))
    assert add is not None and add(b"re();\n") is None


def test_other_languages_are_left_alone() -> None:
    assert choose_language(b"a.rb") is None
    assert choose_language(None) is None
