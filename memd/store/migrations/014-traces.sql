-- What was asked of memd: no words of it, only how it went.
CREATE TABLE traces (
    id     INTEGER PRIMARY KEY,
    at     INTEGER NOT NULL,
    door   TEXT NOT NULL CHECK (door IN ('cli', 'mcp', 'socket')),
    op     TEXT NOT NULL,
    ms     REAL NOT NULL,        -- from the request to its answer
    bytes  INTEGER NOT NULL,     -- of the answer
    params TEXT NOT NULL,        -- JSON object: what was given, without texts
    error  TEXT                  -- code of the refusal
) STRICT;

CREATE INDEX traces_at ON traces (at);
