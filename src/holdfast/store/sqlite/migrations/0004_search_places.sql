DROP TABLE search_index;

-- As before, with facets after the words: a mark tells them, so they need no column, and
-- sizes of columns are for a ranking that is not used.
CREATE VIRTUAL TABLE search_index USING fts5 (
    words,
    content = '', columnsize = 0, tokenize = 'ascii'
);
INSERT INTO search_index (search_index, rank) VALUES ('secure-delete', 1);

-- Each term of search_passage with each of its rows: all that a rare word needs, at once.
CREATE VIRTUAL TABLE search_place USING fts5vocab (search_passage, instance);

-- The words are gone: the next search makes the index anew from the records.
UPDATE search_state SET analysis = 0;
