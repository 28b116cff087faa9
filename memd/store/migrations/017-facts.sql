-- What was taken back as never true held at no time: it ends when it begins. What stood in code did hold until it went.
UPDATE facts SET valid_to = valid_from WHERE status = 'retracted' AND origin != 'code';

-- Whether a fact was taken over from a memory whose sessions had taught it, and nobody has made it theirs since.
ALTER TABLE facts ADD COLUMN learnt_elsewhere INTEGER NOT NULL DEFAULT 0 CHECK (learnt_elsewhere IN (0, 1));
UPDATE facts SET learnt_elsewhere = 1
WHERE uid IN (SELECT fact_uid FROM imports WHERE system = 'memd' AND key = 'learnt/' || fact_uid);
DELETE FROM imports WHERE system = 'memd' AND key GLOB 'learnt/*';

ALTER TABLE handoffs ADD COLUMN session TEXT; -- uid of the session whose words it is made of; NULL: somebody's own
UPDATE handoffs SET session = (
    SELECT told.value FROM meta m, json_each(m.value) AS told
    WHERE m.key = 'handoff_sessions' AND told.key = handoffs.uid);
DELETE FROM meta WHERE key = 'handoff_sessions';

-- Markdown files in which memd keeps its section on a project.
CREATE TABLE pages (
    project TEXT PRIMARY KEY, -- uid; one that is gone stays until the section is taken out
    path    TEXT NOT NULL
) STRICT, WITHOUT ROWID;
INSERT INTO pages (project, path)
SELECT told.key, told.value FROM meta m, json_each(m.value) AS told WHERE m.key = 'project_pages';
DELETE FROM meta WHERE key = 'project_pages';

-- Folders that got what a session came to as files, so that what is deleted goes from these too.
CREATE TABLE closed_folders (
    folder  TEXT PRIMARY KEY,
    session TEXT NOT NULL, -- uid; one that is gone stays until the files are
    by_hand INTEGER NOT NULL CHECK (by_hand IN (0, 1)) -- whether the handoff there is in somebody's own words
) STRICT, WITHOUT ROWID;
