"""The tables of ``heal.db`` and what each column means, version by version.

The comments are part of the database: ``sqlite3 .git/heal/heal.db .schema`` prints them. A
migration is never changed once it is released; a new one is added behind it.

Text that tools or workflows wrote is masked before it comes here. Paths within the repository are
blobs, as git has them: bytes in no encoding. Times are seconds of the epoch, UTC. Lists are JSON.
"""

from collections.abc import Sequence

_RUNS = """
CREATE TABLE runs (
    -- One 'git heal check': of the files here, or of what a run elsewhere printed.
    number INTEGER PRIMARY KEY AUTOINCREMENT,  -- how people name it; never given a second time
    run_id TEXT NOT NULL,     -- of the state that was checked: 16 hex digits over tree and commit
    commit_id TEXT NOT NULL,  -- HEAD's; '' where it is unborn
    tree_id TEXT NOT NULL,    -- of the files as they were, committed or not
    branch TEXT NOT NULL,     -- '' where none was checked out
    checkout BLOB NOT NULL,   -- top of the working tree; a repository may have several
    source TEXT NOT NULL      -- 'check'; or 'log', 'sarif', 'junit': what was given to read
        CHECK (source IN ('check', 'log', 'sarif', 'junit')),
    question TEXT NOT NULL,   -- digest of all that the outcome depends on; '' where the same
                              -- question may be answered otherwise the next time
    same_as INTEGER           -- nothing was run: the run whose jobs and errors these are, too
        REFERENCES runs ON DELETE CASCADE,
    started REAL NOT NULL,
    seconds REAL,             -- NULL until it ends
    verdict TEXT NOT NULL     -- 'running' until it ends; 'interrupted' if it never did
        CHECK (verdict IN
            ('running', 'passed', 'failed', 'incomplete', 'not run', 'interrupted'))
) STRICT
"""
_JOBS = """
CREATE TABLE jobs (
    -- One job of a run: a cell of its matrix, or the whole.
    number INTEGER PRIMARY KEY,
    run INTEGER NOT NULL REFERENCES runs ON DELETE CASCADE,
    workflow BLOB NOT NULL,   -- path of the file that has the job
    job TEXT NOT NULL,        -- its id there
    name TEXT NOT NULL,       -- as reports print it: with its callers and its cell
    line INTEGER NOT NULL,    -- of the workflow
    verdict TEXT NOT NULL     -- 'running' until it ends
        CHECK (verdict IN
            ('running', 'passed', 'failed', 'incomplete', 'not run', 'interrupted')),
    reason TEXT NOT NULL,     -- why, '' where the verdict says all
    seconds REAL NOT NULL,    -- of the run that found the verdict, also where it is cached
    cached INTEGER NOT NULL   -- 1: nothing was run
) STRICT
"""
_STEPS = """
CREATE TABLE steps (
    -- One step of a job, in the order in which steps end: those of an action before the action.
    number INTEGER PRIMARY KEY,
    job INTEGER NOT NULL REFERENCES jobs ON DELETE CASCADE,
    position INTEGER NOT NULL,  -- among the steps of its job or action, from 1
    depth INTEGER NOT NULL,     -- 0: of the job; 1: of an action that the job uses; ...
    name TEXT NOT NULL,
    line INTEGER NOT NULL,      -- of the workflow or action
    verdict TEXT NOT NULL
        CHECK (verdict IN
            ('passed', 'failed', 'forgiven', 'satisfied', 'skipped', 'not wanted')),
    reason TEXT NOT NULL,
    command TEXT NOT NULL,      -- the script as the workflow has it; '' for none
    folder TEXT NOT NULL,       -- where it ran, relative to the top
    status INTEGER,             -- exit status; NULL where nothing ran
    seconds REAL NOT NULL,
    log TEXT NOT NULL           -- path of all that it printed; '' where it printed nothing
) STRICT
"""
_ERRORS = """
CREATE TABLE errors (
    -- What stays of an error while lines move and runs come and go.
    fingerprint TEXT PRIMARY KEY,  -- 32 hex digits
    path BLOB,                     -- of the file; NULL where the tool names none
    tool TEXT NOT NULL,            -- that found it; '' where the output does not say
    rule TEXT NOT NULL,            -- the tool's name for this sort, or the name of a test
    category TEXT NOT NULL         -- compile, type-check, test, lint, ...
) STRICT, WITHOUT ROWID
"""
_RUN_ERRORS = """
CREATE TABLE run_errors (
    -- An error as a run found it, once for each step that named it.
    number INTEGER PRIMARY KEY,    -- in the order in which errors were printed
    run INTEGER NOT NULL REFERENCES runs ON DELETE CASCADE,
    fingerprint TEXT NOT NULL REFERENCES errors,
    step INTEGER REFERENCES steps ON DELETE CASCADE,  -- NULL: of no step that ran here
    line INTEGER,        -- from 1, as in all that follow; NULL where the tool names none
    "column" INTEGER,    -- in characters
    end_line INTEGER,
    end_column INTEGER,
    severity TEXT NOT NULL,    -- error, warning, note
    message TEXT NOT NULL,
    kind TEXT NOT NULL,        -- what would answer it: undefined, import, syntax, ...
    missing TEXT NOT NULL,     -- list of the names that it lacks, or is about
    wants_file TEXT NOT NULL,  -- list of the files and modules that were not found
    owner TEXT NOT NULL,       -- type or module that should have had 'missing'
    noun TEXT NOT NULL,        -- the tool's word for what is missing
    suggestion TEXT NOT NULL,  -- the name that the tool thinks was meant
    stack TEXT NOT NULL,       -- list of lines: from where it came
    snippet TEXT NOT NULL,     -- list of [line, text] around the place
    edits TEXT NOT NULL        -- list of the replacements that the tool proposes:
                               -- [path, start line, column, end line, column, text]
) STRICT
"""
_HEALS = """
CREATE TABLE heals (
    -- One attempt to answer the errors of a file, and what people decided.
    number INTEGER PRIMARY KEY AUTOINCREMENT,  -- how people name it; never given a second time
    run INTEGER REFERENCES runs ON DELETE SET NULL,  -- that found the errors; NULL: it is cleaned
    run_id TEXT NOT NULL,      -- of the state that was healed
    commit_id TEXT NOT NULL,
    path BLOB,                 -- of the file with the errors; NULL for those without one
    engine TEXT NOT NULL,      -- 'offline', 'claude', or what else wrote the patch
    model TEXT NOT NULL,       -- '' where none was asked
    patch BLOB NOT NULL,       -- unified diff against the state, in the bytes of its files
    attempts TEXT NOT NULL,    -- list of objects: what was tried, and what happened
    proof TEXT NOT NULL,       -- list of objects: step, exit status and seconds, before and after
    verdict TEXT NOT NULL      -- what was proved of the patch; 'left': there is none
        CHECK (verdict IN ('healed', 'unverified', 'left')),
    decision TEXT NOT NULL     -- what was done with it in the checkout
        CHECK (decision IN ('open', 'applied', 'rejected', 'kept', 'undone')),
    decided_by TEXT NOT NULL,  -- name and address, or the option that said yes; '' while open
    started REAL NOT NULL,
    seconds REAL NOT NULL,
    reason TEXT NOT NULL       -- why it is unverified or left
) STRICT
"""
_HEAL_ERRORS = """
CREATE TABLE heal_errors (
    -- The errors that a heal answers.
    heal INTEGER NOT NULL REFERENCES heals ON DELETE CASCADE,
    fingerprint TEXT NOT NULL,
    PRIMARY KEY (heal, fingerprint)
) STRICT, WITHOUT ROWID
"""
_SPEND = """
CREATE TABLE spend (
    -- One request to a model that was billed.
    number INTEGER PRIMARY KEY,
    heal INTEGER REFERENCES heals ON DELETE SET NULL,  -- NULL: of none that was recorded
    spent_at REAL NOT NULL,
    month TEXT NOT NULL,       -- '2026-11', UTC
    model TEXT NOT NULL,
    input INTEGER NOT NULL,    -- tokens, as in all that follow
    output INTEGER NOT NULL,
    cache_read INTEGER NOT NULL,
    cache_write INTEGER NOT NULL,
    dollars REAL NOT NULL
) STRICT
"""
_BATCHES = """
CREATE TABLE batches (
    -- Requests that were sent to a model at once, to be answered later.
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL,          -- the service's; '' where it is not known whether that has it
    run_id TEXT NOT NULL,      -- of the state whose errors it is about
    commit_id TEXT NOT NULL,
    asked TEXT NOT NULL,       -- object: what of the state was to be healed, and how
    estimate REAL NOT NULL,    -- US dollars that it costs at most
    sent_at REAL NOT NULL,
    state TEXT NOT NULL        -- 'answered': all results are here; 'done': they were healed with;
                               -- 'gone': the service has them no more
        CHECK (state IN ('sending', 'sent', 'answered', 'done', 'gone'))
) STRICT
"""
_BATCH_REQUESTS = """
CREATE TABLE batch_requests (
    -- One request of a batch: the errors of a file that a step named.
    batch INTEGER NOT NULL REFERENCES batches ON DELETE CASCADE,
    name TEXT NOT NULL,        -- by which its result is known
    workflow BLOB NOT NULL,    -- path of the file that has the job
    job TEXT NOT NULL,         -- as reports print it
    step TEXT NOT NULL,
    path BLOB,                 -- of the file; NULL for errors without one
    model TEXT NOT NULL,
    outcome TEXT NOT NULL,     -- '' while it is not known; 'succeeded', 'errored', 'canceled', ...
    answer TEXT NOT NULL,      -- object: verdict, summary, edits; '' where there is none
    reason TEXT NOT NULL,      -- why there is none
    spend INTEGER REFERENCES spend ON DELETE SET NULL,
    PRIMARY KEY (batch, name)
) STRICT, WITHOUT ROWID
"""
_ANSWERS = """
CREATE TABLE answers (
    -- What a model found in a run that has not come to its end: the next one goes on with it.
    run_id TEXT NOT NULL,      -- of the state
    question TEXT NOT NULL,    -- digest of what was asked
    patch BLOB NOT NULL,       -- what it changed, as a unified diff; empty for nothing
    attempt TEXT NOT NULL,     -- object: how, why not, tokens, dollars, model, what it said
    PRIMARY KEY (run_id, question)
) STRICT, WITHOUT ROWID
"""
_SPEND_OF_BATCHES = """
ALTER TABLE spend ADD COLUMN
    batch INTEGER /* in which it cost less; NULL: in none */
    REFERENCES batches ON DELETE SET NULL
"""
_INDEXES = (
    "CREATE INDEX runs_by_checkout ON runs (checkout, number)",
    "CREATE INDEX runs_by_question ON runs (question, number)",
    "CREATE INDEX runs_by_same_as ON runs (same_as)",
    "CREATE INDEX runs_by_run_id ON runs (run_id)",
    "CREATE INDEX runs_by_verdict ON runs (verdict)",
    "CREATE INDEX jobs_by_run ON jobs (run)",
    "CREATE INDEX steps_by_job ON steps (job)",
    "CREATE INDEX run_errors_by_run ON run_errors (run)",
    "CREATE INDEX run_errors_by_fingerprint ON run_errors (fingerprint)",
    "CREATE INDEX run_errors_by_step ON run_errors (step)",
    "CREATE INDEX heals_by_run ON heals (run)",
    "CREATE INDEX heal_errors_by_fingerprint ON heal_errors (fingerprint)",
    "CREATE INDEX spend_by_month ON spend (month)",
    "CREATE INDEX spend_by_heal ON spend (heal)",
)

# Each entry leads from the version that is its index to the next one.
MIGRATIONS: Sequence[Sequence[str]] = (
    (_RUNS, _JOBS, _STEPS, _ERRORS, _RUN_ERRORS, _HEALS, _HEAL_ERRORS, _SPEND, *_INDEXES),
    (
        _BATCHES,
        _BATCH_REQUESTS,
        _ANSWERS,
        _SPEND_OF_BATCHES,
        "CREATE INDEX batches_by_run_id ON batches (run_id)",
    ),
)
