-- Which deletions for good this database has carried out. All there ever were stand in a file beside it
-- (memd.store.erasure_log), so that one restored from an older backup is told which it lacks.
CREATE TABLE erasures (
    id TEXT PRIMARY KEY
) STRICT, WITHOUT ROWID;

-- Sessions that were deleted whole, by digests of their host's ids, whether or not there is a row of theirs: what was
-- said in them by then does not come in.
CREATE TABLE erased_sessions (
    id INTEGER PRIMARY KEY,
    at INTEGER NOT NULL
) STRICT;

-- Texts that are not to be learnt again in a project of which there may be no row: digests of both, project 0 means
-- everywhere.
CREATE TABLE erased_texts (
    digest  TEXT NOT NULL,
    project INTEGER NOT NULL,
    PRIMARY KEY (digest, project)
) STRICT, WITHOUT ROWID;
