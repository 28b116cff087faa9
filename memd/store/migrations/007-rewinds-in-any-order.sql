-- What rewinds are worked out from, whatever is read first: a session may be spread over several files.

-- Prompts that do not answer the row right before them. `parent` is a row's identity as in message_parts.
CREATE TABLE prompt_parents (
    session_id INTEGER NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
    seq        INTEGER NOT NULL,
    parent     INTEGER NOT NULL,
    PRIMARY KEY (session_id, seq, parent)
) STRICT, WITHOUT ROWID;

-- Messages that the host took back.
CREATE TABLE withdrawals (
    session_id INTEGER NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
    key        TEXT NOT NULL,
    PRIMARY KEY (session_id, key)
) STRICT, WITHOUT ROWID;
