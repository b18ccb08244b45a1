"""A file of a workflow is parsed once, and means the same each time."""

import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from git_retcon import __version__
from git_retcon.heal.workflow_memory import WorkflowMemory, _make_node, _write_node
from git_retcon.heal.workflows import yaml
from git_retcon.heal.workflows.nodes import BadYaml, Mapping, Node, Scalar, Sequence

WORKFLOW = b"""\
on: &events [push, 'pull_request', {a: ~}]
jobs:
  lint: {if: true, timeout-minutes: 1.5, x: .inf, steps: *events}
  "\\U0001F600": |
    text
"""


def test_a_file_is_parsed_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "repository" / "workflows.json"
    first = WorkflowMemory(file).read_yaml(WORKFLOW)
    assert first == yaml.read_yaml(WORKFLOW)
    # An import of it fails now.
    monkeypatch.setitem(sys.modules, "git_retcon.heal.workflows.yaml", None)
    assert WorkflowMemory(file).read_yaml(WORKFLOW) == first
    with pytest.raises(ImportError):
        WorkflowMemory(file).read_yaml(WORKFLOW + b"  more: x\n")


@pytest.mark.parametrize(
    "kept",
    [
        "half{",
        "[]",
        '{"version": "%v", "found": 3}',
        '{"version": "%v", "found": {"%s": {"at": [1]}}}',
    ],
)
def test_what_is_damaged_is_read_again(kept: str, tmp_path: Path) -> None:
    file = tmp_path / "workflows.json"
    WorkflowMemory(file).read_yaml(WORKFLOW)
    key = file.read_text().split('"found": {"')[1].partition('"')[0]
    file.write_text(kept.replace("%s", key).replace("%v", __version__))
    assert WorkflowMemory(file).read_yaml(WORKFLOW) == yaml.read_yaml(WORKFLOW)


def test_what_is_no_yaml_is_refused_each_time(tmp_path: Path) -> None:
    for _ in range(2):
        with pytest.raises(BadYaml):
            WorkflowMemory(tmp_path / "workflows.json").read_yaml(b"a: [")


places = st.integers(1, 9)
values = st.none() | st.booleans() | st.text() | st.floats(allow_nan=False)
scalars = st.builds(Scalar, values, st.sampled_from(["", "'", "|"]), places, places)
nodes: st.SearchStrategy[Node] = st.recursive(
    scalars,
    lambda inner: (
        st.builds(Sequence, st.lists(inner).map(tuple), places, places)
        | st.builds(Mapping, st.lists(st.tuples(scalars, inner)).map(tuple), places, places)
    ),
    max_leaves=9,
)


@given(nodes)
def test_every_node_comes_back(node: Node) -> None:
    assert _make_node(_write_node(node)) == node
