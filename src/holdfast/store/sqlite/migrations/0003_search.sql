-- `after:` and `before:` are answered by the moments alone; position comes with them.
CREATE INDEX checkpoint_created ON checkpoint (created_at);

DROP TABLE search_index;

-- rowid is the record's position. All its words in order, made by analysis/words.py, and
-- what a query filters by. The text itself is in the record: this table holds none.
-- secure-delete: a removed record leaves no word behind.
CREATE VIRTUAL TABLE search_index USING fts5 (
    words, facets,
    content = '', tokenize = 'ascii'
);
INSERT INTO search_index (search_index, rank) VALUES ('secure-delete', 1);

-- One row per passage, numbered by position and place; each term is followed by a mark of
-- how much it says there.
CREATE VIRTUAL TABLE search_passage USING fts5 (
    terms,
    content = '', columnsize = 0, detail = none, tokenize = 'ascii'
);
INSERT INTO search_passage (search_passage, rank) VALUES ('secure-delete', 1);

CREATE VIRTUAL TABLE search_term USING fts5vocab (search_passage, row);

-- analysis: which text analysis made the index. Records up to `target` were there when
-- it was begun anew, those up to `done` are in it; later ones bring their own entries.
CREATE TABLE search_state (
    only_row INTEGER PRIMARY KEY CHECK (only_row = 1),
    analysis INTEGER NOT NULL,
    target INTEGER NOT NULL,
    done INTEGER NOT NULL,
    passages INTEGER NOT NULL
) STRICT;
INSERT INTO search_state (only_row, analysis, target, done, passages)
VALUES (1, 0, 0, 0, 0);
