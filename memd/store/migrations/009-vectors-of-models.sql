-- A message may have a vector of each of several models. They are derived, and worked out again.
DROP TRIGGER vectors_outdated;
DROP TABLE vectors_due;
DROP TABLE vectors;
DELETE FROM meta WHERE key IN ('vectors.reached', 'vectors.model');

CREATE TABLE vector_models (
    model   TEXT PRIMARY KEY,    -- name and dimensions
    reached INTEGER NOT NULL     -- all messages up to this one have their vectors, except those that are due
) STRICT;

CREATE TABLE vectors (
    id         INTEGER PRIMARY KEY AUTOINCREMENT, -- grows with every vector, so that a reader knows what is new
    message_id INTEGER NOT NULL REFERENCES messages (id) ON DELETE CASCADE,
    session_id INTEGER NOT NULL,
    at         INTEGER,
    reply      INTEGER NOT NULL CHECK (reply IN (0, 1)),
    model      TEXT NOT NULL,
    signs      BLOB NOT NULL,    -- one bit a dimension, filled up to whole words of 64
    code       BLOB NOT NULL,    -- int8 a dimension
    UNIQUE (message_id, model)
) STRICT;

-- Messages whose vector is missing although later ones have theirs.
CREATE TABLE vectors_due (
    message_id INTEGER NOT NULL REFERENCES messages (id) ON DELETE CASCADE,
    model      TEXT NOT NULL,
    PRIMARY KEY (message_id, model)
) STRICT, WITHOUT ROWID;

CREATE TRIGGER vectors_outdated AFTER UPDATE OF text, session_id ON messages
WHEN old.text IS NOT new.text OR old.session_id IS NOT new.session_id
BEGIN
    DELETE FROM vectors WHERE message_id = old.id;
    INSERT OR IGNORE INTO vectors_due (message_id, model) SELECT old.id, model FROM vector_models;
END;
