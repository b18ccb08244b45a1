"""Members of enums, and functions of classes, may be written alike."""

import ast

import pytest

from git_retcon.allium.extract.grammar.calls import spell_called
from git_retcon.allium.extract.typescript.reader import is_available
from tests.allium.extract.declared import declare

STAGE = "export enum Stage { idle = 'idle', inProgress = 'inProgress', over = 'allOver' }\n"
JOB = """
export class Job {
  stage: Stage;
  constructor() { this.stage = Stage.idle; }
  start() {
    if (this.stage === Stage.inProgress) { throw new Error('busy'); }
    this.stage = Stage.inProgress;
  }
  finish() {
    if (this.stage !== Stage.inProgress) { throw new Error('idle'); }
    this.stage = Stage.over;
  }
}
"""
MACHINE = """\
    transitions stage {
        idle -> in_progress
        in_progress -> over
        over -> in_progress
    }
"""


@pytest.mark.skipif(not is_available(), reason="the extra 'typescript' is missing")
@pytest.mark.parametrize("name", ["Stage", "Kind"])
def test_members_of_an_enum_may_begin_small(name: str) -> None:
    stage, job = (text.replace("Stage", name) for text in (STAGE, JOB))
    assert MACHINE in declare({"job.ts": stage + job})
    imported = f"import {{ {name} }} from './base/stage';\n"
    assert MACHINE in declare({"base/stage.ts": stage, "job.ts": imported + job})


def test_a_function_of_a_class_has_the_name_of_its_source() -> None:
    read = ast.parse("Promise.ALL_SETTLED", mode="eval").body
    assert ast.unparse(spell_called(read, "Promise.allSettled")) == "Promise.allSettled"
    assert spell_called(read, "Promise.AllSettled") is read
