-- Words are looked for by their stems: the indexes are made anew, and filled by the index upkeep.
DROP TABLE messages_fts;
DROP TABLE calls_fts;
DROP TABLE facts_fts;
CREATE VIRTUAL TABLE messages_fts USING fts5 (
    body, content = '', tokenize = 'porter unicode61 remove_diacritics 2'
);
CREATE VIRTUAL TABLE calls_fts USING fts5 (
    body, content = '', tokenize = 'porter unicode61 remove_diacritics 2'
);
CREATE VIRTUAL TABLE facts_fts USING fts5 (
    title, body, content = '', tokenize = 'porter unicode61 remove_diacritics 2'
);
CREATE VIRTUAL TABLE messages_words USING fts5vocab (messages_fts, row);
INSERT OR REPLACE INTO meta (key, value)
    SELECT 'index.messages_fts', '1:0' WHERE EXISTS (SELECT 1 FROM messages);
INSERT OR REPLACE INTO meta (key, value)
    SELECT 'index.calls_fts', '1:0' WHERE EXISTS (SELECT 1 FROM tool_calls);
INSERT OR REPLACE INTO meta (key, value)
    SELECT 'index.facts_fts', '1:0' WHERE EXISTS (SELECT 1 FROM facts);

-- What a text means, as a vector. Derived: whatever is missing is worked out again.
CREATE TABLE vectors (
    id         INTEGER PRIMARY KEY AUTOINCREMENT, -- grows with every vector, so that a reader knows what is new
    message_id INTEGER NOT NULL UNIQUE REFERENCES messages (id) ON DELETE CASCADE,
    session_id INTEGER NOT NULL,
    at         INTEGER,
    reply      INTEGER NOT NULL CHECK (reply IN (0, 1)),
    model      TEXT NOT NULL,    -- name and dimensions
    signs      BLOB NOT NULL,    -- one bit a dimension
    code       BLOB NOT NULL     -- int8 a dimension
) STRICT;

-- Messages whose vector is missing although later ones have theirs.
CREATE TABLE vectors_due (
    message_id INTEGER PRIMARY KEY REFERENCES messages (id) ON DELETE CASCADE,
    failures   INTEGER NOT NULL DEFAULT 0
) STRICT;

CREATE TRIGGER vectors_outdated AFTER UPDATE OF text, session_id ON messages
WHEN old.text IS NOT new.text OR old.session_id IS NOT new.session_id
BEGIN
    DELETE FROM vectors WHERE message_id = old.id;
    INSERT OR IGNORE INTO vectors_due (message_id) VALUES (old.id);
END;

-- What was looked for and not found.
CREATE TABLE search_gaps (
    id         INTEGER PRIMARY KEY,
    project_id INTEGER REFERENCES projects (id) ON DELETE CASCADE,
    words      TEXT NOT NULL,    -- the terms of the query, in order: what groups the same question
    query      TEXT NOT NULL,
    asked      INTEGER NOT NULL,
    first_at   INTEGER NOT NULL,
    last_at    INTEGER NOT NULL,
    closed_at  INTEGER           -- when something that answers it was there
) STRICT;

CREATE UNIQUE INDEX search_gaps_words ON search_gaps (ifnull(project_id, 0), words);

-- What a search asks of every row it looks at, without the texts between.
CREATE INDEX messages_facets ON messages (id, session_id, role, kind, at);
