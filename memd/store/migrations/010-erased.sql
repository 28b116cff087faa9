-- What somebody had deleted stays gone, also where it is read again: these are digests of the host's ids for its rows,
-- messages, calls and titles, and hold nothing of what they said.
CREATE TABLE erased (
    id INTEGER PRIMARY KEY
) STRICT;

-- When everything that the session held was deleted.
ALTER TABLE sessions ADD COLUMN erased_at INTEGER;

-- What was made of the session as it was before this revision is not kept any more.
ALTER TABLE sessions ADD COLUMN erased_revision INTEGER NOT NULL DEFAULT 0;

-- In a file that holds nothing yet everything that is deleted is zeroed from the start (memd.store.scrubbing).
INSERT INTO meta (key, value) SELECT 'zeroed', '1'
WHERE NOT EXISTS (SELECT 1 FROM sessions) AND NOT EXISTS (SELECT 1 FROM facts);

-- There is nothing in it that other rules of distillation could have made (memd.distill.redistilling).
INSERT INTO meta (key, value) SELECT 'distill_rules', '1' WHERE NOT EXISTS (SELECT 1 FROM sessions);
