from git_retcon.heal.workflows.cells import FoundTool, JudgedCell, find_twins
from git_retcon.heal.workflows.expressions.evaluation import Surroundings
from git_retcon.heal.workflows.matrix import expand_job
from git_retcon.heal.workflows.setups import ToolRequest
from tests.heal.workflows.files import make_job


class Python311:
    """A machine with one Python, and every Node that is asked for."""

    def find_tool(self, request: ToolRequest) -> FoundTool:
        if request.tool == "python":
            return FoundTool("python 3.11", exact=request.version == "3.11")
        return FoundTool(f"{request.tool} {request.version}", exact=True)


def twins(
    job: str, tool: str = "", unfit: str = "", steps: dict[str, int] | None = None
) -> list[str]:
    """The cells of a job, with a sign and the name of the twin behind those that need not run.

    ``tool`` is the name of the value that says its version, ``unfit`` a system that is not here,
    ``steps`` the number of the step that runs only in the cell with this value.
    """
    made = make_job(job)
    judged = []
    for cell in expand_job(made, Surroundings({})).cells:
        assert cell.matrix is not None
        values = [str(value) for _, value in cell.matrix]
        version = str(cell.matrix.get(tool) or "")
        wanted = (ToolRequest(tool, version),) if version else ()
        extra = [number for value, number in (steps or {}).items() if value in values]
        judged.append(JudgedCell(cell, unfit not in values, wanted, (1, *extra)))
    found = find_twins(made, judged, Python311())
    return [
        one.cell.name.removeprefix("job ")
        + (f" = {judged[found[place]].cell.name.removeprefix('job ')}" if place in found else "")
        for place, one in enumerate(judged)
    ]


PYTHONS = """
    runs-on: ${{ matrix.os }}
    strategy: {matrix: {os: [linux], python: ['3.10', '3.11', '3.12']}}
    steps:
    - uses: actions/setup-python@v5
      with: {python-version: '${{ matrix.python }}'}
    - run: pytest
    """


def test_versions_for_which_the_same_tool_is_here_run_once_with_the_exact_one() -> None:
    assert twins(PYTHONS, "python") == [
        "(linux, 3.10) = (linux, 3.11)", "(linux, 3.11)", "(linux, 3.12) = (linux, 3.11)",
    ]  # fmt: skip


def test_a_version_that_is_used_besides_makes_no_other_cell() -> None:
    """`tox -e py3.12` is what that cell runs, but here it would run with the same Python."""
    tox = PYTHONS.replace("pytest", "tox -e ${{ matrix.python }} ${{ matrix.os }}")
    assert twins(tox, "python") == twins(PYTHONS, "python")


def test_a_version_of_what_is_set_up_with_packages_besides_makes_no_other_cell() -> None:
    ruby = PYTHONS.replace("actions/setup-python", "ruby/setup-ruby-pkgs")
    assert twins(ruby, "python") == twins(PYTHONS, "python")
    other = PYTHONS.replace("actions/setup-python", "someone/setup-python")
    assert len({name.partition(" = ")[2] for name in twins(other, "python")}) == 1


def test_versions_for_which_another_tool_is_here_all_run() -> None:
    node = PYTHONS.replace("python", "node")
    assert twins(node, "node") == ["(linux, 3.10)", "(linux, 3.11)", "(linux, 3.12)"]


def test_a_system_that_is_not_here_is_not_run_if_another_cell_does_the_same() -> None:
    systems = PYTHONS.replace("[linux]", "[linux, windows]").replace("'3.10', ", "")
    assert twins(systems, "python", unfit="windows") == [
        "(linux, 3.11)", "(linux, 3.12) = (linux, 3.11)",
        "(windows, 3.11) = (linux, 3.11)", "(windows, 3.12) = (linux, 3.11)",
    ]  # fmt: skip
    alone = PYTHONS.replace("[linux]", "[windows]")
    assert twins(alone, "python", unfit="windows") == [
        "(windows, 3.10)", "(windows, 3.11)", "(windows, 3.12)",
    ]  # fmt: skip


def test_what_is_added_for_a_system_that_is_not_here_makes_no_difference() -> None:
    def add(include: str) -> list[str]:
        matrix = f"{{os: [linux, windows], include: [{include}]}}"
        steps = "steps:\n- run: make ${{ matrix.flag }}\n"
        job = f"runs-on: ${{{{ matrix.os }}}}\nstrategy: {{matrix: {matrix}}}\n{steps}"
        return twins(job, unfit="windows")

    assert add("{os: windows, flag: static}") == ["(linux)", "(windows) = (linux)"]
    # Where this system has one, it is another thing to do.
    assert add("{os: windows, flag: test}, {os: linux, flag: lint}") == ["(linux)", "(windows)"]
    assert add("{os: linux, flag: test}") == ["(linux)", "(windows)"]
    assert add("{os: windows, flag: a}, {os: mac, flag: b}")[:2] == ["(linux)", "(windows)"]


def test_steps_of_a_system_that_is_not_here_make_no_difference_others_do() -> None:
    systems = PYTHONS.replace("[linux]", "[linux, windows]").replace("'3.10', ", "")
    assert twins(systems, "python", unfit="windows", steps={"windows": 2}) == [
        "(linux, 3.11)", "(linux, 3.12) = (linux, 3.11)",
        "(windows, 3.11) = (linux, 3.11)", "(windows, 3.12) = (linux, 3.11)",
    ]  # fmt: skip
    both = twins(systems, "python", unfit="windows", steps={"3.12": 2})
    assert both[2:] == ["(windows, 3.11) = (linux, 3.11)", "(windows, 3.12) = (linux, 3.11)"]
    assert twins(PYTHONS, "python", steps={"3.12": 2}) == [
        "(linux, 3.10) = (linux, 3.11)", "(linux, 3.11)", "(linux, 3.12)",
    ]  # fmt: skip


def flags(step: str, rest: str = "") -> list[str]:
    return twins(f"strategy: {{matrix: {{flag: [a, b]}}}}\n{rest}\nsteps:\n- {step}\n")


def test_cells_that_differ_in_anything_else_that_is_used_all_run() -> None:
    both = ["(a)", "(b)"]
    assert flags("run: make ${{ matrix.flag }}") == both
    assert flags("{run: make, env: {A: '${{ matrix.flag }}'}}") == both
    assert flags("{uses: ./x, with: {a: '${{ matrix.flag }}'}}") == both
    assert flags("{run: make, working-directory: '${{ matrix.flag }}'}") == both
    assert flags("run: make '${{ toJSON(matrix) }}'") == both
    assert flags("run: make ${{ matrix[inputs.name] }}") == both
    assert flags("run: make ${{ MATRIX.Flag }}") == both
    assert flags("run: make", "env: {A: '${{ matrix.flag }}'}") == both
    assert flags("{run: make, if: 'steps.x.outputs.y == matrix.flag'}") == both
    assert flags("{run: make, if: \"${{ hashFiles('x') == matrix.flag }}\"}") == both


def test_what_only_names_a_cell_or_decides_its_steps_is_no_difference_by_itself() -> None:
    once = ["(a)", "(b) = (a)"]
    assert flags("run: make") == once
    assert flags("{run: make, name: 'Make ${{ matrix.flag }}'}") == once
    assert flags("{run: make, if: matrix.flag == 'x'}") == once
    assert flags("{run: make, if: matrix.flag == 'steps'}") == once
    assert flags("run: make ${{ matrix.matrix || 'matrix' }}") == once


def test_where_a_cell_keeps_its_cache_and_how_it_reports_is_no_difference() -> None:
    once, both = ["(a)", "(b) = (a)"], ["(a)", "(b)"]
    for action in ("Actions/cache@v4", "codecov/codecov-action@v5", "swatinem/rust-cache@v2"):
        assert flags(f"{{uses: {action}, with: {{path: '${{{{ matrix.flag }}}}'}}}}") == once
    for action in ("actions/upload-artifact@v4", "someone/cache@v1"):
        assert flags(f"{{uses: {action}, with: {{path: '${{{{ matrix.flag }}}}'}}}}") == both


def test_an_empty_value_is_as_none() -> None:
    matrix = "{include: [{n: 1}, {n: 2, flag: ''}]}"
    job = f"strategy: {{matrix: {matrix}}}\nsteps:\n- run: ${{{{ matrix.flag }}}}\n"
    assert twins(job) == ["(1)", "(2) = (1)"]
