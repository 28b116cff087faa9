-- The number of the way in which a project's sources were read last; where that is another one, all are read again.
ALTER TABLE code_trees ADD COLUMN reading INTEGER NOT NULL DEFAULT 0;
