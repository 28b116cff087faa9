-- What was taken over from other memories, so that a second import takes it over only where it was not yet.
CREATE TABLE imports (
    system      TEXT NOT NULL,
    key         TEXT NOT NULL, -- what the thing is called there
    digest      TEXT NOT NULL, -- of its text then
    fact_uid    TEXT,          -- NULL: what it says was known already
    imported_at INTEGER NOT NULL,
    PRIMARY KEY (system, key)
) STRICT, WITHOUT ROWID;
