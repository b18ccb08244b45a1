"""The reducers of slices of Redux."""

import pytest

from git_retcon.allium.extract.typescript.reader import is_available
from tests.allium.extract.declared import declare

pytestmark = pytest.mark.skipif(not is_available(), reason="the extra 'typescript' is missing")

SLICE = """
import { createSlice } from '@reduxjs/toolkit';
import { load } from './thunks';
interface JobsState { status: 'idle' | 'loading' | 'failed'; rows: string[] }
const initialState: JobsState = { status: 'idle', rows: [] };
export const jobsSlice = createSlice({
  name: 'jobs',
  initialState,
  reducers: {
    started(state) {
      if (state.status === 'loading') return;
      state.status = 'loading';
    },
    stopped: (draft) => { draft.status = 'idle'; },
    lost: { reducer: (state, action) => { state.status = 'failed'; }, prepare: (x) => x },
    added: (state, action) => { state.rows.push(action.payload); },
  },
});
"""
CASES = """
  extraReducers: (builder) => {
    builder
      .addCase(load.pending, (state) => { state.status = 'loading'; })
      .addCase(load.rejected, (state, action) => { state.status = 'failed'; });
    builder.addCase(load.fulfilled, (state: JobsState) => { state.status = 'idle'; });
  },
"""


def read(text: str) -> str:
    return declare({"web/jobs.ts": text})


def test_a_reducer_moves_the_state_of_its_slice() -> None:
    found = read(SLICE)
    edges = [line.strip() for line in found.split("\n") if "->" in line]
    assert edges == ["idle -> loading", "idle -> failed", "loading -> idle", "loading -> failed",
                     "failed -> idle", "failed -> loading"]  # fmt: skip
    assert (
        "requires: jobs_state.status != loading\n    ensures: jobs_state.status = loading" in found
    )
    names = [line for line in found.split("\n") if line.startswith("rule ")]
    assert names == [
        "rule JobsStateStarted {", "rule JobsStateStopped {", "rule JobsStateLost {",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("  initialState,", "  initialState: first,"),
        ("  initialState,", "  initialState: {} as JobsState,"),
        ("  initialState,", "  initialState: { status: 'idle' } satisfies JobsState,"),
        ("= createSlice({", "= createSlice<JobsState>({"),
    ],
)
def test_the_type_of_a_state_may_be_said_elsewhere(old: str, new: str) -> None:
    text = SLICE.replace(old, new)
    text = text.replace("const initialState: JobsState", "const first: JobsState")
    assert read(text) == read(SLICE)


def test_a_state_without_a_type_moves_nowhere() -> None:
    for old, new in (
        ("initialState: JobsState", "initialState"),
        ("'@reduxjs/toolkit'", "'./slices'"),
    ):
        found = read(SLICE.replace(old, new))
        assert "value JobsState" in found
        assert "->" not in found
        assert "rule" not in found


def test_a_case_of_another_action_is_called_for_it() -> None:
    found = read(SLICE.replace("  reducers: {", f"{CASES}  reducers: {{"))
    names = [line for line in found.split("\n") if line.startswith("rule JobsStateLoad")]
    assert names == [
        "rule JobsStateLoadPending {", "rule JobsStateLoadRejected {",
        "rule JobsStateLoadFulfilled {",
    ]  # fmt: skip
    table = """
  extraReducers: {
    [load.pending]: (state) => { state.status = 'loading'; },
    [load.rejected.type](state) { state.status = 'failed'; },
  },
"""
    found = read(SLICE.replace("  reducers: {", f"{table}  reducers: {{"))
    assert "rule JobsStateLoadPending {\n    when: LoadPendingJobsState(jobs_state)\n" in found
    assert "rule JobsStateLoadRejected {" in found


def test_a_state_may_have_its_type_in_another_file() -> None:
    declared = "interface JobsState { status: 'idle' | 'loading' | 'failed'; rows: string[] }\n"
    text = SLICE.replace(declared, "import { JobsState } from './types';\n")
    found = declare({"web/jobs.ts": text, "web/types.ts": f"export {declared}"})
    assert "rule JobsStateStarted {" in found
    assert "loading -> failed" in found


def test_what_a_reducer_returns_is_what_it_sets() -> None:
    for old in ("stopped: (draft) => { draft.status = 'idle'; }",):
        assert old in SLICE
        for new in (
            "stopped: () => initialState",
            "stopped: () => ({ ...initialState, rows: [] })",
            "stopped: (state) => ({ ...state, status: 'idle' })",
            "stopped(state) { return { ...state, status: 'idle' }; }",
            "stopped: (state) => (state.status = 'idle')",
        ):
            found = read(SLICE.replace(old, new))
            assert "rule JobsStateStopped {" in found, new
            assert "ensures: jobs_state.status = idle" in found, new
            assert "failed -> idle" in found, new


@pytest.mark.parametrize(
    "member",
    ["reset: (_, action) => action.payload", "reset: resetJobs", "...others",
     "reset(state) { if (state.rows) return load(); }"],
)  # fmt: skip
def test_a_slice_with_a_reducer_that_nobody_can_read_has_none(member: str) -> None:
    assert "->" not in read(SLICE.replace("  reducers: {", f"  reducers: {{ {member},"))


def test_a_slice_that_matches_many_actions_has_no_reducers() -> None:
    matched = CASES.replace("builder.addCase(load.f", "builder.addMatcher(load.f")
    assert matched != CASES
    assert "->" not in read(SLICE.replace("  reducers: {", f"{matched}  reducers: {{"))
