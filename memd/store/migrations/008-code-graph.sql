-- The code graph of a project: what its files say (facts, packed), who is called what, and the edges between them.

CREATE TABLE code_trees (
    project_id INTEGER PRIMARY KEY REFERENCES projects (id) ON DELETE CASCADE,
    root       TEXT NOT NULL,
    head       TEXT,                          -- git's commit when all of it was looked through last
    looked_at  INTEGER,                       -- when all of it was looked through last
    skipped    TEXT NOT NULL DEFAULT '{}',    -- JSON object: reason -> count of files that were passed over
    error      TEXT
) STRICT;

CREATE TABLE code_files (
    id         INTEGER PRIMARY KEY,
    project_id INTEGER NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
    path       TEXT NOT NULL,                 -- relative to the root, POSIX
    language   TEXT NOT NULL,
    digest     BLOB NOT NULL,                 -- SHA-256 of the content
    lines      INTEGER NOT NULL,
    facts      BLOB NOT NULL,                 -- memd.codegraph.facts.pack, compressed with zstd
    resolved   INTEGER NOT NULL DEFAULT 0 CHECK (resolved IN (0, 1)), -- whether its edges are those of these facts
    indexed_at INTEGER NOT NULL,
    UNIQUE (project_id, path)
) STRICT;
CREATE INDEX code_files_unresolved ON code_files (project_id) WHERE resolved = 0;

-- Files that a language's module system reads besides sources (go.mod, tsconfig.json).
CREATE TABLE code_configs (
    project_id INTEGER NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
    path       TEXT NOT NULL,
    content    BLOB NOT NULL,
    PRIMARY KEY (project_id, path)
) STRICT, WITHOUT ROWID;

-- Which symbols of the current files have a name, by their place in the file's facts.
CREATE TABLE code_definitions (
    project_id INTEGER NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
    name       TEXT NOT NULL,
    file_id    INTEGER NOT NULL REFERENCES code_files (id) ON DELETE CASCADE,
    ord        INTEGER NOT NULL,
    PRIMARY KEY (project_id, name, file_id, ord)
) STRICT, WITHOUT ROWID;
CREATE INDEX code_definitions_file ON code_definitions (file_id);

-- Which names a file mentions: a change of what one of them means concerns it.
CREATE TABLE code_mentions (
    project_id INTEGER NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
    name       TEXT NOT NULL,
    file_id    INTEGER NOT NULL REFERENCES code_files (id) ON DELETE CASCADE,
    PRIMARY KEY (project_id, name, file_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX code_mentions_file ON code_mentions (file_id);

-- Nodes keep their row when a file is renamed, so that their history goes on.
CREATE TABLE code_nodes (
    id         INTEGER PRIMARY KEY,
    project_id INTEGER NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
    node       TEXT NOT NULL,                 -- path, or path::Qual.name
    name       TEXT NOT NULL,                 -- last part of the name; of a file its own
    UNIQUE (project_id, node)
) STRICT;
CREATE INDEX code_nodes_name ON code_nodes (project_id, name);

-- What a node was, from when to when. A new row for a new kind or signature; lines follow the current file.
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
) STRICT;
CREATE INDEX code_symbols_node ON code_symbols (node_id, valid_to);
CREATE INDEX code_symbols_file ON code_symbols (file_id) WHERE valid_to IS NULL;
CREATE INDEX code_symbols_ended ON code_symbols (valid_to) WHERE valid_to IS NOT NULL;

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
) STRICT;
CREATE INDEX code_edges_src ON code_edges (src, kind);
CREATE INDEX code_edges_dst ON code_edges (dst, kind);
CREATE INDEX code_edges_file ON code_edges (file_id) WHERE valid_to IS NULL;

-- References without grounds, as they stand in the current files.
CREATE TABLE code_unresolved (
    file_id INTEGER NOT NULL REFERENCES code_files (id) ON DELETE CASCADE,
    ord     INTEGER NOT NULL,
    src     TEXT NOT NULL,
    name    TEXT NOT NULL,
    line    INTEGER NOT NULL,
    reason  TEXT NOT NULL,
    PRIMARY KEY (file_id, ord)
) STRICT, WITHOUT ROWID;

-- Comments that give reasons (WHY, NOTE, HACK, TODO, ...), as they stand in the current files.
CREATE TABLE code_reasons (
    file_id INTEGER NOT NULL REFERENCES code_files (id) ON DELETE CASCADE,
    ord     INTEGER NOT NULL,
    node_id INTEGER NOT NULL REFERENCES code_nodes (id) ON DELETE CASCADE,
    tag     TEXT NOT NULL,
    text    TEXT NOT NULL,
    line    INTEGER NOT NULL,
    PRIMARY KEY (file_id, ord)
) STRICT, WITHOUT ROWID;
CREATE INDEX code_reasons_node ON code_reasons (node_id);
