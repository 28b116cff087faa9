CREATE TRIGGER entities_leave_no_edges AFTER DELETE ON entities BEGIN
    DELETE FROM edges WHERE src = 'entity:' || old.uid OR dst = 'entity:' || old.uid;
END;

CREATE TRIGGER fact_vectors_have_a_part_too_many AFTER DELETE ON fact_parts BEGIN
    DELETE FROM fact_vectors WHERE fact_id = old.fact_id;
END;

CREATE TRIGGER fact_vectors_lack_a_part AFTER INSERT ON fact_parts BEGIN
    DELETE FROM fact_vectors WHERE fact_id = new.fact_id;
END;

CREATE TRIGGER fact_vectors_outdated AFTER UPDATE OF title, body, project_id ON facts
WHEN old.title IS NOT new.title OR old.body IS NOT new.body OR old.project_id IS NOT new.project_id
BEGIN
    DELETE FROM fact_vectors WHERE fact_id = old.id;
END;

CREATE TRIGGER facts_leave_no_edges AFTER DELETE ON facts BEGIN
    DELETE FROM edges WHERE src = 'fact:' || old.uid OR dst = 'fact:' || old.uid;
END;

CREATE TRIGGER vectors_outdated AFTER UPDATE OF text, session_id ON messages
WHEN old.text IS NOT new.text OR old.session_id IS NOT new.session_id
BEGIN
    DELETE FROM vectors WHERE message_id = old.id;
    INSERT OR IGNORE INTO vectors_due (message_id, model) SELECT old.id, model FROM vector_models;
END;

CREATE TABLE block_history (
    id         INTEGER PRIMARY KEY,
    block_uid  TEXT NOT NULL,
    label      TEXT NOT NULL,
    at         INTEGER NOT NULL,
    action     TEXT NOT NULL CHECK (action IN ('SET', 'APPEND', 'REPLACE', 'DELETE')),
    old_value  TEXT,
    author     TEXT
) STRICT;

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

CREATE VIRTUAL TABLE calls_fts USING fts5 (
    body, content = '', tokenize = 'porter unicode61 remove_diacritics 2'
);

CREATE TABLE claims (
    id           INTEGER PRIMARY KEY,
    statement_id INTEGER NOT NULL REFERENCES statements (id) ON DELETE CASCADE,
    session_id   INTEGER REFERENCES sessions (id) ON DELETE CASCADE,
    fact_id      INTEGER REFERENCES facts (id) ON DELETE CASCADE, -- what it came to
    confidence   REAL NOT NULL,
    at           INTEGER,
    tags         TEXT NOT NULL DEFAULT '[]'
) STRICT;

CREATE TABLE closed_folders (
    folder  TEXT PRIMARY KEY,
    session TEXT NOT NULL, -- uid; one that is gone stays until the files are
    by_hand INTEGER NOT NULL CHECK (by_hand IN (0, 1)) -- whether the handoff there is in somebody's own words
) STRICT, WITHOUT ROWID;

CREATE TABLE code_configs (
    project_id INTEGER NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
    path       TEXT NOT NULL,
    content    BLOB NOT NULL,
    PRIMARY KEY (project_id, path)
) STRICT, WITHOUT ROWID;

CREATE TABLE code_definitions (
    project_id INTEGER NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
    name       TEXT NOT NULL,
    file_id    INTEGER NOT NULL REFERENCES code_files (id) ON DELETE CASCADE,
    ord        INTEGER NOT NULL,
    PRIMARY KEY (project_id, name, file_id, ord)
) STRICT, WITHOUT ROWID;

CREATE TABLE code_edges (
    id         INTEGER PRIMARY KEY,
    project_id INTEGER NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
    file_id    INTEGER REFERENCES code_files (id) ON DELETE SET NULL, -- the file whose text shows it
    kind       TEXT NOT NULL CHECK (kind IN ('calls', 'imports', 'inherits')),
    src        INTEGER NOT NULL REFERENCES code_nodes (id) ON DELETE CASCADE,
    dst        INTEGER NOT NULL REFERENCES code_nodes (id) ON DELETE CASCADE,
    line       INTEGER NOT NULL,
    confidence REAL NOT NULL CHECK (confidence BETWEEN 0 AND 1),
    valid_from INTEGER NOT NULL,
    valid_to   INTEGER,
    session_id INTEGER REFERENCES sessions (id) ON DELETE SET NULL,
    ended_by   INTEGER REFERENCES sessions (id) ON DELETE SET NULL
, made_in TEXT, ended_in TEXT) STRICT;

CREATE TABLE code_files (
    id         INTEGER PRIMARY KEY,
    project_id INTEGER NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
    path       TEXT NOT NULL,                 -- relative to the root, POSIX
    language   TEXT NOT NULL,
    digest     BLOB NOT NULL,                 -- SHA-256 of the content
    lines      INTEGER NOT NULL,
    facts      BLOB NOT NULL,                 -- memd.codegraph.facts.pack, compressed with zstd
    resolved   INTEGER NOT NULL DEFAULT 0 CHECK (resolved IN (0, 1)), -- whether its edges are those of these facts
    indexed_at INTEGER NOT NULL, made_in TEXT, by_session INTEGER NOT NULL DEFAULT 0 CHECK (by_session IN (0, 1)),
    UNIQUE (project_id, path)
) STRICT;

CREATE TABLE code_mentions (
    project_id INTEGER NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
    name       TEXT NOT NULL,
    file_id    INTEGER NOT NULL REFERENCES code_files (id) ON DELETE CASCADE,
    PRIMARY KEY (project_id, name, file_id)
) STRICT, WITHOUT ROWID;

CREATE TABLE code_nodes (
    id         INTEGER PRIMARY KEY,
    project_id INTEGER NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
    node       TEXT NOT NULL,                 -- path, or path::Qual.name
    name       TEXT NOT NULL,                 -- last part of the name; of a file its own
    UNIQUE (project_id, node)
) STRICT;

CREATE TABLE code_reasons (
    file_id INTEGER NOT NULL REFERENCES code_files (id) ON DELETE CASCADE,
    ord     INTEGER NOT NULL,
    node_id INTEGER NOT NULL REFERENCES code_nodes (id) ON DELETE CASCADE,
    tag     TEXT NOT NULL,
    text    TEXT NOT NULL,
    line    INTEGER NOT NULL,
    PRIMARY KEY (file_id, ord)
) STRICT, WITHOUT ROWID;

CREATE TABLE code_symbols (
    id         INTEGER PRIMARY KEY,
    node_id    INTEGER NOT NULL REFERENCES code_nodes (id) ON DELETE CASCADE,
    file_id    INTEGER REFERENCES code_files (id) ON DELETE SET NULL,
    kind       TEXT NOT NULL,
    line       INTEGER NOT NULL,
    end_line   INTEGER NOT NULL,
    signature  TEXT NOT NULL,
    doc        TEXT NOT NULL,
    body       INTEGER NOT NULL,              -- first 63 bits of a hash of its source
    valid_from INTEGER NOT NULL,
    valid_to   INTEGER,
    session_id INTEGER REFERENCES sessions (id) ON DELETE SET NULL, -- the session that made it, where that is known
    changed_at INTEGER NOT NULL,              -- when its source changed last
    ended_by   INTEGER REFERENCES sessions (id) ON DELETE SET NULL
, made_in TEXT) STRICT;

CREATE TABLE code_trees (
    project_id INTEGER PRIMARY KEY REFERENCES projects (id) ON DELETE CASCADE,
    root       TEXT NOT NULL,
    head       TEXT,                          -- git's commit when all of it was looked through last
    looked_at  INTEGER,                       -- when all of it was looked through last
    skipped    TEXT NOT NULL DEFAULT '{}',    -- JSON object: reason -> count of files that were passed over
    error      TEXT
, reading INTEGER NOT NULL DEFAULT 0) STRICT;

CREATE TABLE code_unresolved (
    file_id INTEGER NOT NULL REFERENCES code_files (id) ON DELETE CASCADE,
    ord     INTEGER NOT NULL,
    src     TEXT NOT NULL,
    name    TEXT NOT NULL,
    line    INTEGER NOT NULL,
    reason  TEXT NOT NULL,
    PRIMARY KEY (file_id, ord)
) STRICT, WITHOUT ROWID;

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

CREATE TABLE entity_aliases (
    folded    TEXT NOT NULL, -- the key comes first: SQLite 3.40 checks such a table wrongly otherwise
    entity_id INTEGER NOT NULL REFERENCES entities (id) ON DELETE CASCADE,
    name      TEXT NOT NULL,
    PRIMARY KEY (folded, entity_id)
) STRICT, WITHOUT ROWID;

CREATE TABLE erased (
    id INTEGER PRIMARY KEY
) STRICT;

CREATE TABLE erased_sessions (
    id INTEGER PRIMARY KEY,
    at INTEGER NOT NULL
) STRICT;

CREATE TABLE erased_texts (
    digest  TEXT NOT NULL,
    project INTEGER NOT NULL,
    PRIMARY KEY (digest, project)
) STRICT, WITHOUT ROWID;

CREATE TABLE erasures (
    id TEXT PRIMARY KEY
) STRICT, WITHOUT ROWID;

CREATE TABLE "evidence" (
    id         INTEGER PRIMARY KEY,
    fact_id    INTEGER NOT NULL REFERENCES facts (id) ON DELETE CASCADE,
    message_id INTEGER REFERENCES messages (id) ON DELETE SET NULL,
    session_id INTEGER REFERENCES sessions (id) ON DELETE SET NULL,
    claim_id   INTEGER REFERENCES claims (id) ON DELETE SET NULL,
    quote      TEXT NOT NULL,
    at         INTEGER
) STRICT;

CREATE TABLE "fact_history" (
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

CREATE TABLE "fact_parts" (
    fact_id INTEGER NOT NULL REFERENCES facts (id) ON DELETE CASCADE,
    ord     INTEGER NOT NULL,
    name    TEXT NOT NULL CHECK (name IN (
        'decided', 'because', 'rejected', 'touches', 'cause', 'fix', 'command', 'purpose',
        'what', 'why', 'where', 'learned')),
    text    TEXT NOT NULL,
    PRIMARY KEY (fact_id, ord)
) STRICT, WITHOUT ROWID;

CREATE TABLE fact_tags (
    fact_id INTEGER NOT NULL REFERENCES facts (id) ON DELETE CASCADE,
    tag     TEXT NOT NULL,
    PRIMARY KEY (fact_id, tag)
) STRICT, WITHOUT ROWID;

CREATE TABLE fact_vectors (
    id         INTEGER PRIMARY KEY AUTOINCREMENT, -- grows with every vector, so that a reader knows what is new
    fact_id    INTEGER NOT NULL REFERENCES facts (id) ON DELETE CASCADE,
    project_id INTEGER,
    model      TEXT NOT NULL,
    signs      BLOB NOT NULL,    -- as in vectors; empty: the model would not take the text
    code       BLOB NOT NULL,
    UNIQUE (fact_id, model)
) STRICT;

CREATE TABLE facts (
    id            INTEGER PRIMARY KEY,
    uid           TEXT NOT NULL UNIQUE,
    project_id    INTEGER REFERENCES projects (id) ON DELETE CASCADE, -- NULL: holds everywhere
    kind          TEXT NOT NULL CHECK (kind IN (
        'decision', 'preference', 'convention', 'bugfix', 'discovery', 'config', 'architecture', 'learning',
        'open_question', 'task', 'event', 'note', 'session_summary')),
    title         TEXT NOT NULL,
    body          TEXT NOT NULL,
    topic         TEXT,
    slot          TEXT,
    status        TEXT NOT NULL DEFAULT 'current' CHECK (status IN ('current', 'superseded', 'retracted')),
    epistemic     TEXT NOT NULL DEFAULT 'unknown',
    origin        TEXT NOT NULL,
    confidence    REAL NOT NULL CHECK (confidence BETWEEN 0 AND 1),
    evergreen     INTEGER NOT NULL DEFAULT 0 CHECK (evergreen IN (0, 1)),
    author        TEXT,
    session_id    INTEGER REFERENCES sessions (id) ON DELETE SET NULL,
    valid_from    INTEGER NOT NULL,
    valid_to      INTEGER,
    superseded_by INTEGER REFERENCES facts (id) ON DELETE SET NULL,
    created_at    INTEGER NOT NULL,
    updated_at    INTEGER NOT NULL,
    uses          INTEGER NOT NULL DEFAULT 0,
    last_used_at  INTEGER,
    verified_at   INTEGER, revision INTEGER NOT NULL DEFAULT 1, repeats INTEGER NOT NULL DEFAULT 0, last_seen_at INTEGER, basis TEXT NOT NULL DEFAULT 'extracted' CHECK (basis IN ('extracted', 'inferred')), visibility TEXT NOT NULL DEFAULT 'private' CHECK (visibility IN ('private', 'shareable')), domain TEXT, metadata TEXT NOT NULL DEFAULT '{}', helpful INTEGER NOT NULL DEFAULT 0, unhelpful INTEGER NOT NULL DEFAULT 0, promoted_at INTEGER, ruling TEXT CHECK (ruling IN ('kept', 'closed')), learnt_elsewhere INTEGER NOT NULL DEFAULT 0 CHECK (learnt_elsewhere IN (0, 1)),
    CHECK (status = 'current' OR valid_to IS NOT NULL)
) STRICT;

CREATE VIRTUAL TABLE facts_fts USING fts5 (
    title, body, content = '', tokenize = 'porter unicode61 remove_diacritics 2'
);

CREATE TABLE file_changes (
    id           INTEGER PRIMARY KEY,
    session_id   INTEGER NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
    tool_call_id INTEGER NOT NULL REFERENCES tool_calls (id) ON DELETE CASCADE,
    path         TEXT NOT NULL,
    op           TEXT NOT NULL CHECK (op IN ('create', 'update', 'delete', 'rename')),
    added        INTEGER,
    removed      INTEGER,
    at           INTEGER,
    UNIQUE (tool_call_id, path, op)
) STRICT;

CREATE TABLE forgotten (
    digest     TEXT NOT NULL,
    fact_uid   TEXT NOT NULL,
    project_id INTEGER REFERENCES projects (id) ON DELETE CASCADE,
    at         INTEGER NOT NULL,
    PRIMARY KEY (digest, fact_uid)
) STRICT, WITHOUT ROWID;

CREATE TABLE handoffs (
    id         INTEGER PRIMARY KEY,
    uid        TEXT NOT NULL UNIQUE,
    project_id INTEGER NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
    text       TEXT NOT NULL,
    author     TEXT,
    at         INTEGER NOT NULL
, session TEXT) STRICT;

CREATE TABLE imports (
    system      TEXT NOT NULL,
    key         TEXT NOT NULL, -- what the thing is called there
    digest      TEXT NOT NULL, -- of its text then
    fact_uid    TEXT,          -- NULL: what it says was known already
    imported_at INTEGER NOT NULL,
    PRIMARY KEY (system, key)
) STRICT, WITHOUT ROWID;

CREATE TABLE injected_facts (
    injection_id INTEGER NOT NULL REFERENCES injections (id) ON DELETE CASCADE,
    fact_id      INTEGER NOT NULL REFERENCES facts (id) ON DELETE CASCADE,
    used         INTEGER CHECK (used IN (0, 1)), score REAL, shown TEXT, -- NULL: not known
    PRIMARY KEY (injection_id, fact_id)
) STRICT, WITHOUT ROWID;

CREATE TABLE injections (
    id        INTEGER PRIMARY KEY,
    host      TEXT NOT NULL,
    native_id TEXT NOT NULL,
    event     TEXT NOT NULL,
    tokens    INTEGER NOT NULL,
    at        INTEGER NOT NULL,
    armed     INTEGER NOT NULL DEFAULT 1 CHECK (armed IN (0, 1)) -- 0: given before a compaction, may be given again
, project_id INTEGER REFERENCES projects (id) ON DELETE SET NULL, reason TEXT NOT NULL DEFAULT '', extra TEXT NOT NULL DEFAULT '[]', checked INTEGER) STRICT;

CREATE TABLE jobs (
    name         TEXT PRIMARY KEY,
    started_at   INTEGER,
    finished_at  INTEGER,
    ok_at        INTEGER,
    error        TEXT,
    error_at     INTEGER,
    runs         INTEGER NOT NULL DEFAULT 0,
    failures     INTEGER NOT NULL DEFAULT 0
) STRICT, WITHOUT ROWID;

CREATE TABLE message_copies (
    session_id INTEGER NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
    message_id INTEGER NOT NULL REFERENCES messages (id) ON DELETE CASCADE,
    seq        INTEGER NOT NULL,
    abandoned  INTEGER NOT NULL DEFAULT 0 CHECK (abandoned IN (0, 1)),
    PRIMARY KEY (session_id, message_id)
) STRICT, WITHOUT ROWID;

CREATE TABLE message_parts (
    part       INTEGER NOT NULL,
    session_id INTEGER NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
    message_id INTEGER REFERENCES messages (id) ON DELETE CASCADE, -- NULL: a tool result, or a link of the host's tree
    seq        INTEGER NOT NULL,
    at         INTEGER,
    chars      INTEGER NOT NULL DEFAULT 0,
    thinking   INTEGER NOT NULL DEFAULT 0,
    PRIMARY KEY (part, session_id)
) STRICT, WITHOUT ROWID;

CREATE TABLE messages (
    id         INTEGER PRIMARY KEY,
    session_id INTEGER NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
    key        TEXT NOT NULL,
    seq        INTEGER NOT NULL,
    role       TEXT NOT NULL CHECK (role IN ('user', 'assistant', 'system')),
    kind       TEXT NOT NULL CHECK (kind IN ('prompt', 'reply', 'summary', 'command', 'notice')),
    at         INTEGER,
    text       TEXT NOT NULL,
    thinking   TEXT NOT NULL DEFAULT '',
    model      TEXT,
    abandoned  INTEGER NOT NULL DEFAULT 0 CHECK (abandoned IN (0, 1)),
    UNIQUE (session_id, key)
) STRICT;

CREATE VIRTUAL TABLE messages_fts USING fts5 (
    body, content = '', tokenize = 'porter unicode61 remove_diacritics 2'
);

CREATE VIRTUAL TABLE messages_words USING fts5vocab (messages_fts, row);

CREATE TABLE meta (
    key   TEXT PRIMARY KEY,
    value TEXT NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE pages (
    project TEXT PRIMARY KEY, -- uid; one that is gone stays until the section is taken out
    path    TEXT NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE project_aliases (
    path       TEXT PRIMARY KEY,
    project_id INTEGER NOT NULL REFERENCES projects (id) ON DELETE CASCADE
) STRICT, WITHOUT ROWID;

CREATE TABLE projects (
    id         INTEGER PRIMARY KEY,
    uid        TEXT NOT NULL UNIQUE,
    root       TEXT NOT NULL UNIQUE,
    name       TEXT NOT NULL,
    created_at INTEGER NOT NULL
) STRICT;

CREATE TABLE prompt_parents (
    session_id INTEGER NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
    seq        INTEGER NOT NULL,
    parent     INTEGER NOT NULL,
    PRIMARY KEY (session_id, seq, parent)
) STRICT, WITHOUT ROWID;

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

CREATE TABLE rewinds (
    session_id INTEGER NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
    first_seq  INTEGER NOT NULL,
    end_seq    INTEGER NOT NULL,
    PRIMARY KEY (session_id, first_seq, end_seq)
) STRICT, WITHOUT ROWID;

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

CREATE TABLE session_events (
    id         INTEGER PRIMARY KEY,
    session_id INTEGER NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
    kind       TEXT NOT NULL CHECK (kind IN ('command', 'commit', 'error', 'package', 'url')),
    text       TEXT NOT NULL,
    ok         INTEGER CHECK (ok IN (0, 1)), -- command: outcome; error: fixed
    detail     TEXT,                         -- error: its fix; package: add, remove, upgrade
    UNIQUE (session_id, kind, text)
) STRICT;

CREATE TABLE session_summaries (
    session_id INTEGER PRIMARY KEY REFERENCES sessions (id) ON DELETE CASCADE,
    title      TEXT NOT NULL,
    text       TEXT NOT NULL,
    open_ends  TEXT NOT NULL DEFAULT '[]', -- JSON array of strings
    revision   INTEGER NOT NULL,
    at         INTEGER NOT NULL
) STRICT;

CREATE TABLE sessions (
    id            INTEGER PRIMARY KEY,
    uid           TEXT NOT NULL UNIQUE,
    host          TEXT NOT NULL,
    native_id     TEXT NOT NULL,
    kind          TEXT NOT NULL DEFAULT 'main' CHECK (kind IN ('main', 'subagent', 'fork', 'background')),
    parent        TEXT,
    forked_from   TEXT,
    project_id    INTEGER REFERENCES projects (id) ON DELETE SET NULL,
    cwd           TEXT,
    branch        TEXT,
    model         TEXT,
    agent         TEXT,
    version       TEXT,
    title         TEXT,
    title_origin  TEXT CHECK (title_origin IN ('distill', 'host', 'user')),
    told_at       INTEGER,                    -- when it began, where the host says so
    first_at      INTEGER,                    -- time of its earliest message, copied history included
    started_at    INTEGER,
    last_at       INTEGER,
    ended_at      INTEGER,
    end_reason    TEXT,
    state         TEXT NOT NULL DEFAULT 'live' CHECK (state IN ('live', 'idle', 'ended')),
    messages      INTEGER NOT NULL DEFAULT 0,
    revision      INTEGER NOT NULL DEFAULT 0,
    distilled     INTEGER NOT NULL DEFAULT 0, -- revision that was distilled last
    seq_shift     INTEGER NOT NULL DEFAULT 0, -- what a source that was rewritten shorter lacks in its numbering
    seen_at       INTEGER NOT NULL, erased_at INTEGER, erased_revision INTEGER NOT NULL DEFAULT 0,           -- when memd last stored something of it
    UNIQUE (host, native_id)
) STRICT;

CREATE TABLE source_skips (
    source_id INTEGER NOT NULL REFERENCES sources (id) ON DELETE CASCADE,
    reason    TEXT NOT NULL,
    count     INTEGER NOT NULL,
    PRIMARY KEY (source_id, reason)
) STRICT, WITHOUT ROWID;

CREATE TABLE sources (
    id       INTEGER PRIMARY KEY,
    host     TEXT NOT NULL,
    path     TEXT NOT NULL,
    session  TEXT,
    "offset" INTEGER NOT NULL DEFAULT 0,
    size     INTEGER NOT NULL DEFAULT 0,
    inode    INTEGER NOT NULL DEFAULT 0,
    mtime_ns INTEGER NOT NULL DEFAULT 0,
    head     TEXT NOT NULL DEFAULT '',
    tail     TEXT NOT NULL DEFAULT '',
    state    TEXT NOT NULL DEFAULT '',
    lines    INTEGER NOT NULL DEFAULT 0,
    read_at  INTEGER,
    gone_at  INTEGER,
    error    TEXT,
    error_at INTEGER,
    UNIQUE (host, path)
) STRICT;

CREATE TABLE sqlite_sequence(name,seq);

CREATE TABLE stale_facts (
    fact_id    INTEGER NOT NULL REFERENCES facts (id) ON DELETE CASCADE,
    name       TEXT NOT NULL,
    change     TEXT NOT NULL CHECK (change IN ('changed', 'removed', 'renamed')),
    at         INTEGER NOT NULL,
    session_id INTEGER REFERENCES sessions (id) ON DELETE CASCADE,
    detail     TEXT NOT NULL,
    PRIMARY KEY (fact_id, name)
) STRICT, WITHOUT ROWID;

CREATE TABLE statement_links (
    one   INTEGER NOT NULL REFERENCES statements (id) ON DELETE CASCADE,
    other INTEGER NOT NULL REFERENCES statements (id) ON DELETE CASCADE,
    kind  TEXT NOT NULL CHECK (kind IN ('same', 'slot', 'undoes', 'undone', 'opposite')),
    PRIMARY KEY (one, other)
) STRICT, WITHOUT ROWID;

CREATE TABLE statement_terms (
    term         TEXT NOT NULL,
    role         TEXT NOT NULL CHECK (role IN ('word', 'key', 'undone')),
    statement_id INTEGER NOT NULL REFERENCES statements (id) ON DELETE CASCADE,
    PRIMARY KEY (term, role, statement_id)
) STRICT, WITHOUT ROWID;

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

CREATE TABLE tool_calls (
    id           INTEGER PRIMARY KEY,
    message_id   INTEGER NOT NULL REFERENCES messages (id) ON DELETE CASCADE,
    session_id   INTEGER NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
    call_id      TEXT NOT NULL,
    part         INTEGER,                 -- the row that made the call; NULL while only its result was seen
    name         TEXT NOT NULL,
    kind         TEXT NOT NULL,
    input        TEXT NOT NULL,
    ok           INTEGER CHECK (ok IN (0, 1)),
    exit_code    INTEGER,
    output       TEXT NOT NULL DEFAULT '',
    output_chars INTEGER NOT NULL DEFAULT 0,
    finished_at  INTEGER,
    child        TEXT,
    result_part  INTEGER,                 -- the row the result came from, and the session and place it was read at
    result_from  INTEGER,
    result_seq   INTEGER,
    UNIQUE (session_id, call_id)
) STRICT;

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

CREATE TABLE vectors_due (
    message_id INTEGER NOT NULL REFERENCES messages (id) ON DELETE CASCADE,
    model      TEXT NOT NULL,
    PRIMARY KEY (message_id, model)
) STRICT, WITHOUT ROWID;

CREATE TABLE withdrawals (
    session_id INTEGER NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
    key        TEXT NOT NULL,
    PRIMARY KEY (session_id, key)
) STRICT, WITHOUT ROWID;

CREATE INDEX block_history_block ON block_history (block_uid, at);

CREATE UNIQUE INDEX blocks_label ON blocks (ifnull(project_id, 0), label);

CREATE INDEX claims_fact ON claims (fact_id);

CREATE INDEX claims_session ON claims (session_id);

CREATE INDEX claims_statement ON claims (statement_id);

CREATE INDEX code_definitions_file ON code_definitions (file_id);

CREATE INDEX code_edges_dst ON code_edges (dst, kind, src, valid_to, valid_from);

CREATE INDEX code_edges_file ON code_edges (file_id) WHERE valid_to IS NULL;

CREATE INDEX code_edges_src ON code_edges (src, kind);

CREATE INDEX code_files_uncommitted ON code_files (project_id) WHERE made_in = 'uncommitted';

CREATE INDEX code_files_unresolved ON code_files (project_id) WHERE resolved = 0;

CREATE INDEX code_mentions_file ON code_mentions (file_id);

CREATE INDEX code_nodes_name ON code_nodes (project_id, name);

CREATE INDEX code_reasons_node ON code_reasons (node_id);

CREATE INDEX code_symbols_ended ON code_symbols (valid_to) WHERE valid_to IS NOT NULL;

CREATE INDEX code_symbols_file ON code_symbols (file_id) WHERE valid_to IS NULL;

CREATE INDEX code_symbols_node ON code_symbols (node_id, valid_to);

CREATE INDEX contradictions_other ON contradictions (other);

CREATE INDEX diary_at ON diary (at);

CREATE UNIQUE INDEX edges_current ON edges (src, rel, dst, ifnull(fact_id, 0)) WHERE valid_to IS NULL;

CREATE INDEX edges_dst ON edges (dst);

CREATE INDEX edges_fact ON edges (fact_id) WHERE fact_id IS NOT NULL;

CREATE INDEX edges_origin ON edges (origin);

CREATE INDEX edges_src ON edges (src);

CREATE UNIQUE INDEX entities_name ON entities (ifnull(project_id, 0), folded);

CREATE INDEX entity_aliases_entity ON entity_aliases (entity_id);

CREATE INDEX evidence_claim ON evidence (claim_id) WHERE claim_id IS NOT NULL;

CREATE INDEX evidence_fact ON evidence (fact_id);

CREATE INDEX evidence_message ON evidence (message_id);

CREATE INDEX evidence_session ON evidence (session_id);

CREATE INDEX fact_history_fact ON fact_history (fact_id, at);

CREATE INDEX fact_history_uid ON fact_history (fact_uid);

CREATE INDEX fact_parts_name ON fact_parts (name);

CREATE INDEX fact_tags_tag ON fact_tags (tag);

CREATE INDEX facts_current ON facts (project_id, kind, updated_at) WHERE status = 'current';

CREATE INDEX facts_newest ON facts (project_id, kind, valid_from, id) WHERE status = 'current';

CREATE INDEX facts_said ON facts (project_id, title);

CREATE INDEX facts_session ON facts (session_id);

CREATE INDEX facts_slot ON facts (project_id, slot) WHERE slot IS NOT NULL;

CREATE INDEX facts_successor ON facts (superseded_by) WHERE superseded_by IS NOT NULL;

CREATE INDEX facts_topic ON facts (project_id, topic) WHERE topic IS NOT NULL;

CREATE INDEX facts_used ON facts (project_id, uses) WHERE status = 'current' AND uses > 0;

CREATE INDEX file_changes_path ON file_changes (path);

CREATE INDEX file_changes_session ON file_changes (session_id);

CREATE INDEX handoffs_project ON handoffs (project_id, at);

CREATE INDEX injected_facts_fact ON injected_facts (fact_id);

CREATE INDEX injections_at ON injections (at);

CREATE INDEX injections_session ON injections (host, native_id, armed);

CREATE INDEX message_copies_message ON message_copies (message_id);

CREATE INDEX message_parts_message ON message_parts (message_id) WHERE message_id IS NOT NULL;

CREATE INDEX messages_facets ON messages (id, session_id, role, kind, at);

CREATE INDEX messages_order ON messages (session_id, seq);

CREATE INDEX project_aliases_project ON project_aliases (project_id);

CREATE INDEX prompts_digest ON prompts (digest, at);

CREATE INDEX prompts_project ON prompts (project_id, at);

CREATE UNIQUE INDEX search_gaps_words ON search_gaps (ifnull(project_id, 0), words);

CREATE INDEX sessions_forked ON sessions (host, forked_from) WHERE forked_from IS NOT NULL;

CREATE INDEX sessions_last ON sessions (last_at);

CREATE INDEX sessions_parent ON sessions (host, parent) WHERE parent IS NOT NULL;

CREATE INDEX sessions_project ON sessions (project_id, last_at);

CREATE INDEX sessions_undistilled ON sessions (state) WHERE revision > distilled;

CREATE INDEX stale_facts_session ON stale_facts (session_id);

CREATE INDEX statement_links_other ON statement_links (other);

CREATE INDEX statement_terms_statement ON statement_terms (statement_id);

CREATE UNIQUE INDEX statements_digest ON statements (ifnull(project_id, 0), digest);

CREATE INDEX statements_slot ON statements (project_id, slot) WHERE slot IS NOT NULL;

CREATE INDEX tool_calls_message ON tool_calls (message_id);

CREATE INDEX traces_at ON traces (at);

