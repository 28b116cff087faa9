-- What facts mean, one vector of each model; derived, and worked out again where one is missing.
CREATE TABLE fact_vectors (
    id         INTEGER PRIMARY KEY AUTOINCREMENT, -- grows with every vector, so that a reader knows what is new
    fact_id    INTEGER NOT NULL REFERENCES facts (id) ON DELETE CASCADE,
    project_id INTEGER,
    model      TEXT NOT NULL,
    signs      BLOB NOT NULL,    -- as in vectors; empty: the model would not take the text
    code       BLOB NOT NULL,
    UNIQUE (fact_id, model)
) STRICT;

CREATE TRIGGER fact_vectors_outdated AFTER UPDATE OF title, body, project_id ON facts
WHEN old.title IS NOT new.title OR old.body IS NOT new.body OR old.project_id IS NOT new.project_id
BEGIN
    DELETE FROM fact_vectors WHERE fact_id = old.id;
END;

CREATE TRIGGER fact_vectors_lack_a_part AFTER INSERT ON fact_parts BEGIN
    DELETE FROM fact_vectors WHERE fact_id = new.fact_id;
END;

CREATE TRIGGER fact_vectors_have_a_part_too_many AFTER DELETE ON fact_parts BEGIN
    DELETE FROM fact_vectors WHERE fact_id = old.fact_id;
END;
