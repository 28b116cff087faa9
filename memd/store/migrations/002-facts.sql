-- What a fact carries beyond its words.
ALTER TABLE facts ADD COLUMN revision INTEGER NOT NULL DEFAULT 1;       -- which version of its words this is
ALTER TABLE facts ADD COLUMN repeats INTEGER NOT NULL DEFAULT 0;        -- how often the same was saved again
ALTER TABLE facts ADD COLUMN last_seen_at INTEGER;                      -- when it was said or saved last
ALTER TABLE facts ADD COLUMN basis TEXT NOT NULL DEFAULT 'extracted' CHECK (basis IN ('extracted', 'inferred'));
ALTER TABLE facts ADD COLUMN visibility TEXT NOT NULL DEFAULT 'private' CHECK (visibility IN ('private', 'shareable'));
ALTER TABLE facts ADD COLUMN domain TEXT;
ALTER TABLE facts ADD COLUMN metadata TEXT NOT NULL DEFAULT '{}';                -- the caller's own JSON object
ALTER TABLE facts ADD COLUMN helpful INTEGER NOT NULL DEFAULT 0;
ALTER TABLE facts ADD COLUMN unhelpful INTEGER NOT NULL DEFAULT 0;
ALTER TABLE facts ADD COLUMN promoted_at INTEGER;
-- What a person ruled: 'kept' (the judge never closes it), 'closed' (its status and times are the person's).
ALTER TABLE facts ADD COLUMN ruling TEXT CHECK (ruling IN ('kept', 'closed'));

CREATE INDEX facts_said ON facts (project_id, title);
CREATE INDEX facts_successor ON facts (superseded_by) WHERE superseded_by IS NOT NULL;
CREATE INDEX facts_topic ON facts (project_id, topic) WHERE topic IS NOT NULL;

CREATE TABLE fact_parts_new (
    fact_id INTEGER NOT NULL REFERENCES facts (id) ON DELETE CASCADE,
    ord     INTEGER NOT NULL,
    name    TEXT NOT NULL CHECK (name IN (
        'decided', 'because', 'rejected', 'touches', 'cause', 'fix', 'command', 'purpose',
        'what', 'why', 'where', 'learned')),
    text    TEXT NOT NULL,
    PRIMARY KEY (fact_id, ord)
) STRICT, WITHOUT ROWID;
INSERT INTO fact_parts_new SELECT fact_id, ord, name, text FROM fact_parts;
DROP TABLE fact_parts;
ALTER TABLE fact_parts_new RENAME TO fact_parts;
CREATE INDEX fact_parts_name ON fact_parts (name);

-- History outlives its fact: what was purged still has a line that says so.
CREATE TABLE fact_history_new (
    id         INTEGER PRIMARY KEY,
    fact_id    INTEGER REFERENCES facts (id) ON DELETE SET NULL,
    fact_uid   TEXT NOT NULL,
    at         INTEGER NOT NULL,
    action     TEXT NOT NULL CHECK (action IN (
        'ADD', 'UPDATE', 'SUPERSEDE', 'CONTRADICT', 'RETRACT', 'RESTORE', 'VERIFY', 'RATE', 'PROMOTE', 'PURGE',
        'FORGET', 'NONE')),
    reason     TEXT NOT NULL,
    old_title  TEXT,
    old_body   TEXT,
    other_id   INTEGER REFERENCES facts (id) ON DELETE SET NULL,
    session_id INTEGER REFERENCES sessions (id) ON DELETE SET NULL
) STRICT;
INSERT INTO fact_history_new
    SELECT h.id, h.fact_id, f.uid, h.at, h.action, h.reason, h.old_title, h.old_body, h.other_id, h.session_id
    FROM fact_history h JOIN facts f ON f.id = h.fact_id;
DROP TABLE fact_history;
ALTER TABLE fact_history_new RENAME TO fact_history;
CREATE INDEX fact_history_fact ON fact_history (fact_id, at);
CREATE INDEX fact_history_uid ON fact_history (fact_uid);

-- Statements: what is said, once for all who say it in the same words.
CREATE TABLE statements (
    id          INTEGER PRIMARY KEY,
    project_id  INTEGER REFERENCES projects (id) ON DELETE CASCADE, -- NULL: holds everywhere
    digest      TEXT NOT NULL,
    kind        TEXT NOT NULL,
    title       TEXT NOT NULL,
    body        TEXT NOT NULL,
    slot        TEXT,
    parts       TEXT NOT NULL DEFAULT '[]',
    words       INTEGER NOT NULL,            -- how many terms it has
    identifiers TEXT NOT NULL DEFAULT '[]',  -- the names, paths, numbers and versions that it speaks of
    features    TEXT NOT NULL                -- JSON: all that it is compared by
) STRICT;
CREATE UNIQUE INDEX statements_digest ON statements (ifnull(project_id, 0), digest);
CREATE INDEX statements_slot ON statements (project_id, slot) WHERE slot IS NOT NULL;

-- Terms that statements are compared by: 'word' each one, 'key' those of which it must share one to be alike, 'undone'
-- those of what it takes back.
CREATE TABLE statement_terms (
    term         TEXT NOT NULL,
    role         TEXT NOT NULL CHECK (role IN ('word', 'key', 'undone')),
    statement_id INTEGER NOT NULL REFERENCES statements (id) ON DELETE CASCADE,
    PRIMARY KEY (term, role, statement_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX statement_terms_statement ON statement_terms (statement_id);

-- What two statements are to each other; it depends on the two alone. `one` < `other`.
CREATE TABLE statement_links (
    one   INTEGER NOT NULL REFERENCES statements (id) ON DELETE CASCADE,
    other INTEGER NOT NULL REFERENCES statements (id) ON DELETE CASCADE,
    kind  TEXT NOT NULL CHECK (kind IN ('same', 'slot', 'undoes', 'undone', 'opposite')),
    PRIMARY KEY (one, other)
) STRICT, WITHOUT ROWID;
CREATE INDEX statement_links_other ON statement_links (other);

-- Claims: who states what, and when. Facts are what all claims together come to, whatever order they were read in, so
-- a claim is kept as it was made and never merged. `session_id` NULL: a person made it to memd itself.
CREATE TABLE claims (
    id           INTEGER PRIMARY KEY,
    statement_id INTEGER NOT NULL REFERENCES statements (id) ON DELETE CASCADE,
    session_id   INTEGER REFERENCES sessions (id) ON DELETE CASCADE,
    fact_id      INTEGER REFERENCES facts (id) ON DELETE CASCADE, -- what it came to
    confidence   REAL NOT NULL,
    at           INTEGER,
    tags         TEXT NOT NULL DEFAULT '[]'
) STRICT;
CREATE INDEX claims_statement ON claims (statement_id);
CREATE INDEX claims_session ON claims (session_id);
CREATE INDEX claims_fact ON claims (fact_id);

-- Two claims of a fact may rest on the same words; each keeps its own.
CREATE TABLE evidence_new (
    id         INTEGER PRIMARY KEY,
    fact_id    INTEGER NOT NULL REFERENCES facts (id) ON DELETE CASCADE,
    message_id INTEGER REFERENCES messages (id) ON DELETE SET NULL,
    session_id INTEGER REFERENCES sessions (id) ON DELETE SET NULL,
    claim_id   INTEGER REFERENCES claims (id) ON DELETE SET NULL,
    quote      TEXT NOT NULL,
    at         INTEGER
) STRICT;
INSERT INTO evidence_new (id, fact_id, message_id, session_id, quote, at)
    SELECT id, fact_id, message_id, session_id, quote, at FROM evidence;
DROP TABLE evidence;
ALTER TABLE evidence_new RENAME TO evidence;
CREATE INDEX evidence_fact ON evidence (fact_id);
CREATE INDEX evidence_message ON evidence (message_id);
CREATE INDEX evidence_session ON evidence (session_id);
CREATE INDEX evidence_claim ON evidence (claim_id) WHERE claim_id IS NOT NULL;

-- Texts that somebody wants never to be learnt again, by their digest alone.
CREATE TABLE forgotten (
    digest     TEXT NOT NULL,
    fact_uid   TEXT NOT NULL,
    project_id INTEGER REFERENCES projects (id) ON DELETE CASCADE,
    at         INTEGER NOT NULL,
    PRIMARY KEY (digest, fact_uid)
) STRICT, WITHOUT ROWID;

-- Facts that cannot both hold where no order is clear. `verdict` NULL: waits for somebody to decide.
CREATE TABLE contradictions (
    one      INTEGER NOT NULL REFERENCES facts (id) ON DELETE CASCADE,
    other    INTEGER NOT NULL REFERENCES facts (id) ON DELETE CASCADE,
    reason   TEXT NOT NULL,
    found_at INTEGER NOT NULL,
    verdict  TEXT CHECK (verdict IN ('one', 'other', 'both', 'neither')),
    ruled_at INTEGER,
    why      TEXT,
    PRIMARY KEY (one, other),
    CHECK (one < other)
) STRICT, WITHOUT ROWID;
CREATE INDEX contradictions_other ON contradictions (other);

-- Facts that name a file or symbol which a later session changed or removed.
CREATE TABLE stale_facts (
    fact_id    INTEGER NOT NULL REFERENCES facts (id) ON DELETE CASCADE,
    name       TEXT NOT NULL,
    change     TEXT NOT NULL CHECK (change IN ('changed', 'removed', 'renamed')),
    at         INTEGER NOT NULL,
    session_id INTEGER REFERENCES sessions (id) ON DELETE CASCADE,
    detail     TEXT NOT NULL,
    PRIMARY KEY (fact_id, name)
) STRICT, WITHOUT ROWID;
CREATE INDEX stale_facts_session ON stale_facts (session_id);

CREATE TABLE entities (
    id         INTEGER PRIMARY KEY,
    uid        TEXT NOT NULL UNIQUE,
    project_id INTEGER REFERENCES projects (id) ON DELETE CASCADE, -- NULL: the same everywhere
    name       TEXT NOT NULL,
    folded     TEXT NOT NULL, -- name as it is compared
    kind       TEXT NOT NULL,
    origin     TEXT NOT NULL,
    created_at INTEGER NOT NULL
) STRICT;
CREATE UNIQUE INDEX entities_name ON entities (ifnull(project_id, 0), folded);

CREATE TABLE entity_aliases (
    folded    TEXT NOT NULL, -- the key comes first: SQLite 3.40 checks such a table wrongly otherwise
    entity_id INTEGER NOT NULL REFERENCES entities (id) ON DELETE CASCADE,
    name      TEXT NOT NULL,
    PRIMARY KEY (folded, entity_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX entity_aliases_entity ON entity_aliases (entity_id);

-- Relations between nodes: 'entity:<uid>', 'fact:<uid>', 'code:<path>' or 'code:<path>::<symbol>'.
CREATE TABLE edges (
    id            INTEGER PRIMARY KEY,
    uid           TEXT NOT NULL UNIQUE,
    project_id    INTEGER REFERENCES projects (id) ON DELETE CASCADE,
    src           TEXT NOT NULL,
    rel           TEXT NOT NULL,
    dst           TEXT NOT NULL,
    strength      REAL NOT NULL DEFAULT 0.5 CHECK (strength BETWEEN 0 AND 1),
    confidence    REAL NOT NULL DEFAULT 1 CHECK (confidence BETWEEN 0 AND 1),
    origin        TEXT NOT NULL,
    extractor     TEXT,                -- version of the rules that found it
    quote         TEXT,                -- the sentence that says it
    fact_id       INTEGER REFERENCES facts (id) ON DELETE CASCADE, -- that says so; NULL: a person does
    valid_from    INTEGER NOT NULL,
    valid_to      INTEGER,
    superseded_by INTEGER REFERENCES edges (id) ON DELETE SET NULL,
    reason        TEXT,                -- why it ended
    created_at    INTEGER NOT NULL,
    CHECK (src != dst)
) STRICT;
-- One that holds for each who says so: a person, or a fact.
CREATE UNIQUE INDEX edges_current ON edges (src, rel, dst, ifnull(fact_id, 0)) WHERE valid_to IS NULL;
CREATE INDEX edges_src ON edges (src);
CREATE INDEX edges_dst ON edges (dst);
CREATE INDEX edges_fact ON edges (fact_id) WHERE fact_id IS NOT NULL;
CREATE INDEX edges_origin ON edges (origin);

CREATE TRIGGER facts_leave_no_edges AFTER DELETE ON facts BEGIN
    DELETE FROM edges WHERE src = 'fact:' || old.uid OR dst = 'fact:' || old.uid;
END;
CREATE TRIGGER entities_leave_no_edges AFTER DELETE ON entities BEGIN
    DELETE FROM edges WHERE src = 'entity:' || old.uid OR dst = 'entity:' || old.uid;
END;

-- Prompts that were handed to memd to keep; those of captured sessions are among their messages.
CREATE TABLE prompts (
    id         INTEGER PRIMARY KEY,
    uid        TEXT NOT NULL UNIQUE,
    session_id INTEGER REFERENCES sessions (id) ON DELETE SET NULL,
    project_id INTEGER REFERENCES projects (id) ON DELETE SET NULL,
    text       TEXT NOT NULL,
    digest     TEXT NOT NULL,
    at         INTEGER NOT NULL,
    repeats    INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE INDEX prompts_digest ON prompts (digest, at);
CREATE INDEX prompts_project ON prompts (project_id, at);

-- What promotion weighed, by run.
CREATE TABLE diary (
    id         INTEGER PRIMARY KEY,
    run        TEXT NOT NULL,
    at         INTEGER NOT NULL,
    project_id INTEGER REFERENCES projects (id) ON DELETE CASCADE,
    fact_uid   TEXT NOT NULL,
    applied    INTEGER NOT NULL CHECK (applied IN (0, 1)),
    passed     INTEGER NOT NULL CHECK (passed IN (0, 1)),
    detail     TEXT NOT NULL -- JSON: signals, gates, outcome
) STRICT;
CREATE INDEX diary_at ON diary (at);

-- Facts are what claims come to from now on: every session is distilled once more for its claims.
UPDATE sessions SET distilled = 0 WHERE id IN (SELECT session_id FROM evidence);
