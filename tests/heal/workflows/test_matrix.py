import pytest
from hypothesis import given
from hypothesis import strategies as st

from git_retcon.heal.workflows.contexts import Misevaluated
from git_retcon.heal.workflows.expressions.evaluation import Surroundings
from git_retcon.heal.workflows.expressions.values import NotKnown, Object, make_value
from git_retcon.heal.workflows.matrix import Strategy, expand_job, see_cell
from tests.heal.workflows.expressions.test_conformance import to_plain
from tests.heal.workflows.files import make_job

AROUND = Surroundings({"inputs": make_value({"list": '["x","y"]', "all": '{"a":[1,2]}'})})


def expand(strategy: str, name: str = "") -> Strategy:
    named = f"name: {name}\n" if name else ""
    return expand_job(make_job(f"{named}strategy: {strategy}\n"), AROUND)


def cells(matrix: str) -> list[str]:
    """The values of each cell, in short."""
    found = []
    for cell in expand(f"{{matrix: {matrix}}}").cells:
        assert cell.matrix is not None
        found.append(" ".join(f"{name}={to_plain(value)}" for name, value in cell.matrix))
    return found


def test_all_combinations_are_made_the_last_vector_changing_fastest() -> None:
    assert cells("{a: [x, y], b: [1, true]}") == [
        "a=x b=1.0", "a=x b=True", "a=y b=1.0", "a=y b=True",
    ]  # fmt: skip


def test_what_github_documents_of_include_holds() -> None:
    """The example of GitHub's page, in its order."""
    include = (
        "{color: green}, {color: pink, animal: cat}, {fruit: apple, shape: circle},"
        " {fruit: banana}, {fruit: banana, animal: cat}"
    )
    assert cells("{fruit: [apple, pear], animal: [cat, dog], include: [" + include + "]}") == [
        "fruit=apple animal=cat color=pink shape=circle",
        "fruit=apple animal=dog color=green shape=circle",
        "fruit=pear animal=cat color=pink",
        "fruit=pear animal=dog color=green",
        "fruit=banana",
        "fruit=banana animal=cat",
    ]  # fmt: skip


def test_what_is_excluded_is_left_out_even_by_some_of_its_values() -> None:
    assert cells("{a: [x, y], b: [1, 2], exclude: [{a: X, b: 1}, {b: '2', a: y}]}") == [
        "a=x b=2.0", "a=y b=1.0",
    ]  # fmt: skip
    assert cells("{a: [x, y], b: [1, 2], exclude: [{a: x}]}") == ["a=y b=1.0", "a=y b=2.0"]
    nested = "{a: [{v: 1, w: 2}, {v: 3}], exclude: [{a: {v: 1}}]}"
    assert cells(nested) == ["a={'v': 3.0}"]
    # What an include repeats stays as the vector has it.
    assert cells("{a: [x], include: [{a: X, b: 1}]}") == ["a=x b=1.0"]
    # What is excluded may be included.
    assert cells("{a: [x], exclude: [{a: x}], include: [{a: x, b: 1}]}") == ["a=x b=1.0"]


def test_a_matrix_may_be_an_expression_or_have_some() -> None:
    assert cells("{a: '${{ fromJSON(inputs.list) }}'}") == ["a=x", "a=y"]
    assert cells("'${{ fromJSON(inputs.all) }}'") == ["a=1.0", "a=2.0"]
    assert cells("{include: [{a: '${{ inputs.list }}'}]}") == ['a=["x","y"]']
    with pytest.raises(NotKnown):
        expand("{matrix: '${{ fromJSON(needs.x.outputs.y) }}'}")


@pytest.mark.parametrize(
    ("name", "matrix", "names"),
    [
        ("", "{os: [u, w], n: [1.10]}", ["job (u, 1.1)", "job (w, 1.1)"]),
        ("Test", "{os: [u]}", ["Test (u)"]),
        ("Test ${{ matrix.os }}!", "{os: [u]}", ["Test u!"]),
        ("${{ matrix.no }}", "{os: [u]}", ["job"]),
        # What only an `include` adds is not in the name, unless the cell is all its own.
        ("", "{os: [u], include: [{os: u, x: 1}, {os: w, x: 2}]}", ["job (u)", "job (w, 2)"]),
        ("", "{c: [{a: 1, b: [x, y]}]}", ["job (1, x, y)"]),
        ("", "{c: [true, '', ~]}", ["job (true)", "job", "job"]),
        ("", "{c: [" + "x" * 99 + "]}", ["job (" + "x" * 92 + "..."]),
    ],
)
def test_a_cell_has_the_name_that_github_prints(name: str, matrix: str, names: list[str]) -> None:
    assert [cell.name for cell in expand(f"{{matrix: {matrix}}}", name).cells] == names


def test_without_a_matrix_there_is_one_cell() -> None:
    (cell,) = expand_job(make_job("name: One\n"), AROUND).cells
    assert (cell.number, cell.name, cell.matrix) == (0, "One", None)


@pytest.mark.parametrize(
    ("strategy", "fail_fast", "max_parallel"),
    [
        ("{matrix: {a: [1]}}", True, None),
        ("{matrix: {a: [1]}, fail-fast: false, max-parallel: 2}", False, 2),
        ("{matrix: {a: [1]}, fail-fast: true, max-parallel: 0}", True, None),
        ("{matrix: {a: [1]}, fail-fast: '${{ 1 == 2 }}'}", False, None),
    ],
)
def test_a_strategy_says_how_cells_run(
    strategy: str, fail_fast: bool, max_parallel: int | None
) -> None:
    expanded = expand(strategy)
    assert (expanded.fail_fast, expanded.max_parallel) == (fail_fast, max_parallel)


@pytest.mark.parametrize(
    ("matrix", "message"),
    [
        ("{}", "Matrix must define at least one vector"),
        ("{a: []}", "Matrix vector 'a' does not contain any values"),
        ("{a: '${{ 1 }}'}", "Matrix vector 'a' is no list"),
        ("'${{ 1 }}'", "the matrix is no mapping"),
        ("{a: [1], exclude: [{b: 1}]}", "Matrix exclude key 'b' does not match any key"),
        ("{a: [1], include: [{}]}", "Matrix include mapping does not contain any values"),
        ("{a: [1], include: [" + "{a: 1}, " * 513 + "]}", "`include` has more than 512 items"),
        ("{a: [1], include: '${{ 1 }}'}", "the matrix's `include` is no list of mappings"),
        ("{a: \"${{ fromJSON('x') }}\"}", "Error parsing fromJson"),
        ("{" + ", ".join(f"v{n}: [1, 2]" for n in range(9)) + "}", "more than 256 cells"),
        ("{" + ", ".join(f"v{n}: [1, 2]" for n in range(99)) + "}", "more than 256 cells"),
    ],
)
def test_a_matrix_without_a_meaning_is_refused_at_its_place(matrix: str, message: str) -> None:
    with pytest.raises(Misevaluated, match=message) as caught:
        expand(f"{{matrix: {matrix}}}")
    assert caught.value.line == 5


def test_a_cell_is_seen_by_expressions() -> None:
    strategy = expand("{matrix: {a: [x, y]}, max-parallel: 1}")
    around = see_cell(AROUND, strategy, strategy.cells[1])
    assert to_plain(around.contexts["strategy"]) == {
        "fail-fast": True, "job-index": 1.0, "job-total": 2.0, "max-parallel": 1.0,
    }  # fmt: skip
    assert to_plain(around.contexts["matrix"]) == {"a": "y"}


VALUES = st.lists(st.sampled_from([1, 2, 3, "a"]), min_size=1, max_size=3, unique=True)
FILTERS = st.lists(
    st.dictionaries(st.sampled_from(["x", "y"]), st.sampled_from([1, 2, "a"]), min_size=1),
    max_size=3,
)


@given(VALUES, VALUES, FILTERS, FILTERS)
def test_every_cell_is_a_combination_or_was_included(
    x: list[object], y: list[object], exclude: list[object], include: list[object]
) -> None:
    around = Surroundings(
        {"inputs": make_value({"m": {"x": x, "y": y, "exclude": exclude, "include": include}})}
    )
    job = make_job("strategy: {matrix: '${{ inputs.m }}'}\n")
    found = [to_plain(cell.matrix or Object()) for cell in expand_job(job, around).cells]
    product = [{"x": to_plain(make_value(a)), "y": to_plain(make_value(b))} for a in x for b in y]
    for cell in found:
        assert cell in product or cell in [to_plain(make_value(one)) for one in include]
    kept = [
        cell for cell in product
        if not any(all(cell[k] == to_plain(make_value(v)) for k, v in dict(one).items())  # type: ignore[call-overload]
                   for one in exclude)
    ]  # fmt: skip
    assert found[: len(kept)] == kept
