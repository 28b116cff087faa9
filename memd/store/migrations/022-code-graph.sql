-- The commit that made or ended what no session did: git's name of it, or 'uncommitted'; null where that is not known.
ALTER TABLE code_files ADD COLUMN made_in TEXT;
ALTER TABLE code_files ADD COLUMN by_session INTEGER NOT NULL DEFAULT 0 CHECK (by_session IN (0, 1)); -- a session changed it last
CREATE INDEX code_files_uncommitted ON code_files (project_id) WHERE made_in = 'uncommitted';
ALTER TABLE code_symbols ADD COLUMN made_in TEXT;
ALTER TABLE code_edges ADD COLUMN made_in TEXT;
ALTER TABLE code_edges ADD COLUMN ended_in TEXT;
-- Who leads to a node is told by the index alone: walks up to all that feels a change read one entry an edge, no rows.
DROP INDEX code_edges_dst;
CREATE INDEX code_edges_dst ON code_edges (dst, kind, src, valid_to, valid_from);
