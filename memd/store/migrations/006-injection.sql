-- Blocks: small texts that every session is shown. A change is kept, so that nothing is overwritten silently.
CREATE TABLE blocks (
    id         INTEGER PRIMARY KEY,
    uid        TEXT NOT NULL UNIQUE,
    project_id INTEGER REFERENCES projects (id) ON DELETE CASCADE, -- NULL: shown everywhere
    label      TEXT NOT NULL,
    value      TEXT NOT NULL,
    char_limit INTEGER NOT NULL CHECK (char_limit > 0),
    position   INTEGER NOT NULL,
    author     TEXT,
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL
) STRICT;

CREATE UNIQUE INDEX blocks_label ON blocks (ifnull(project_id, 0), label);

CREATE TABLE block_history (
    id         INTEGER PRIMARY KEY,
    block_uid  TEXT NOT NULL,
    label      TEXT NOT NULL,
    at         INTEGER NOT NULL,
    action     TEXT NOT NULL CHECK (action IN ('SET', 'APPEND', 'REPLACE', 'DELETE')),
    old_value  TEXT,
    author     TEXT
) STRICT;

CREATE INDEX block_history_block ON block_history (block_uid, at);

-- Handoffs: what somebody wrote down for whoever works on the project next.
CREATE TABLE handoffs (
    id         INTEGER PRIMARY KEY,
    uid        TEXT NOT NULL UNIQUE,
    project_id INTEGER NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
    text       TEXT NOT NULL,
    author     TEXT,
    at         INTEGER NOT NULL
) STRICT;

CREATE INDEX handoffs_project ON handoffs (project_id, at);

-- The ledger: for which project and why something was given, and up to which state of the session its use is known.
ALTER TABLE injections ADD COLUMN project_id INTEGER REFERENCES projects (id) ON DELETE SET NULL;
ALTER TABLE injections ADD COLUMN reason TEXT NOT NULL DEFAULT ''; -- startup, resume, clear, compact, prompt, ...
ALTER TABLE injections ADD COLUMN extra TEXT NOT NULL DEFAULT '[]'; -- JSON: what was said that is no fact (names of files)
ALTER TABLE injections ADD COLUMN checked INTEGER; -- revision of the session in which its use was looked for last
ALTER TABLE injected_facts ADD COLUMN score REAL; -- how relevant it seemed, 0 to 1; NULL at a session's start
ALTER TABLE injected_facts ADD COLUMN shown TEXT; -- what shows that it was used

CREATE INDEX injections_at ON injections (at);

-- A wakeup asks for the newest of each kind, and for what was of use.
CREATE INDEX facts_used ON facts (project_id, uses) WHERE status = 'current' AND uses > 0;
CREATE INDEX facts_newest ON facts (project_id, kind, valid_from, id) WHERE status = 'current';
