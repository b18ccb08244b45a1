"""Node says where a script cannot be parsed, and runs nothing of it."""

import shutil
from pathlib import Path

import pytest

from git_retcon.run.script_syntax import ModuleKind, find_syntax_error

pytestmark = pytest.mark.skipif(not shutil.which("node"), reason="node parses the scripts")
NODE = shutil.which("node") or ""


def test_the_line_is_the_scripts_own() -> None:
    found = find_syntax_error(NODE, b"const a = 1;\nconst b = ;\n", ModuleKind.COMMONJS)
    assert found is not None
    assert (found.line, found.message) == (2, "SyntaxError: Unexpected token ';'")


def test_a_kind_of_module_may_be_parsed_where_the_other_is_not() -> None:
    script = b"import fs from 'fs';\n"
    assert find_syntax_error(NODE, script, ModuleKind.MODULE) is None
    assert find_syntax_error(NODE, script, ModuleKind.COMMONJS) is not None


def test_nothing_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write = f"require('fs').writeFileSync('{tmp_path}/ran', '');\n"
    (tmp_path / "loaded.js").write_text(write)
    monkeypatch.setenv("NODE_OPTIONS", f"--require {tmp_path}/loaded.js")
    assert find_syntax_error(NODE, write.encode(), ModuleKind.COMMONJS) is None
    assert not (tmp_path / "ran").exists()


def test_no_answer_is_none_of_a_parser(tmp_path: Path) -> None:
    with pytest.raises(OSError, match="node"):
        find_syntax_error(str(tmp_path / "node"), b"", ModuleKind.MODULE)
    with pytest.raises(ValueError, match="does not say"):
        find_syntax_error(shutil.which("false") or "", b"", ModuleKind.MODULE)
