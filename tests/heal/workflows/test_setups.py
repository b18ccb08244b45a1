import pytest

from git_retcon.heal.workflows.setups import ToolRequest, read_tools, sets_up_tools


def tools(uses: str, **inputs: str) -> tuple[ToolRequest, ...] | None:
    action, _, ref = uses.partition("@")
    given = {name.replace("_", "-"): text for name, text in inputs.items()}
    return read_tools(action, ref, lambda name: given.get(name, ""))


@pytest.mark.parametrize(
    ("uses", "inputs", "wanted"),
    [
        ("actions/setup-python@v5", {"python_version": "3.12"}, [("python", "3.12", "")]),
        ("actions/setup-python@v5", {}, [("python", "", "")]),
        ("actions/setup-python@v5", {"python_version": "3.11\n3.12\n"},
         [("python", "3.11", ""), ("python", "3.12", "")]),
        ("actions/setup-python@v5", {"python_version_file": ".python-version"},
         [("python", "", ".python-version")]),
        ("actions/setup-node@v4", {"node_version": "20", "node_version_file": "x"},
         [("node", "20", "")]),
        ("dtolnay/rust-toolchain@1.75", {}, [("rust", "1.75", "")]),
        ("dtolnay/rust-toolchain@stable", {}, [("rust", "stable", "")]),
        ("dtolnay/rust-toolchain@master", {"toolchain": "1.70"}, [("rust", "1.70", "")]),
        ("dtolnay/rust-toolchain@master", {}, [("rust", "", "")]),
        ("actions/setup-go@v5", {"go_version": "^1.21"}, [("go", "^1.21", "")]),
        ("erlef/setup-beam@v1", {"elixir_version": "1.15"}, [("erlang", "1.15", "")]),
        ("astral-sh/setup-uv@v3", {}, [("uv", "", "")]),
        ("taiki-e/install-action@nextest", {}, [("nextest", "", "")]),
        ("taiki-e/install-action@v2", {"tool": "nextest@0.9, cargo-hack"},
         [("nextest", "0.9", ""), ("cargo-hack", "", "")]),
    ],
)  # fmt: skip
def test_an_action_says_which_tool_it_sets_up(
    uses: str, inputs: dict[str, str], wanted: list[tuple[str, str, str]]
) -> None:
    assert tools(uses, **inputs) == tuple(ToolRequest(*one) for one in wanted)


def test_other_actions_set_up_nothing() -> None:
    assert tools("actions/cache@v4") is None
    assert not sets_up_tools("actions/cache@v4")
    assert sets_up_tools("Actions/Setup-Node@v4")
    assert sets_up_tools("taiki-e/install-action@nextest")
