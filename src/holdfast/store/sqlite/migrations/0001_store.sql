-- One row: who made the store, the newest entry of the chain, the counters of the store.
CREATE TABLE store (
    only_row INTEGER PRIMARY KEY CHECK (only_row = 1),
    machine TEXT NOT NULL,
    position INTEGER NOT NULL,
    hash TEXT NOT NULL,
    records INTEGER NOT NULL,
    observations INTEGER NOT NULL
) STRICT;

-- Append only. A removed record keeps its entry; a tombstone entry follows later.
CREATE TABLE chain (
    position INTEGER PRIMARY KEY,
    kind TEXT NOT NULL CHECK (kind IN ('record', 'tombstone')),
    checkpoint_id TEXT NOT NULL,
    hash TEXT NOT NULL
) STRICT;

-- number: the last one given, so that none is given twice.
CREATE TABLE project (
    project_id TEXT PRIMARY KEY,
    root TEXT NOT NULL,
    remote TEXT,
    number INTEGER NOT NULL DEFAULT 0
) STRICT, WITHOUT ROWID;

CREATE TABLE project_alias (
    kind TEXT NOT NULL CHECK (kind IN ('path', 'root_commit', 'remote')),
    value TEXT NOT NULL,
    project_id TEXT NOT NULL REFERENCES project,
    PRIMARY KEY (kind, value, project_id)
) STRICT, WITHOUT ROWID;

CREATE UNIQUE INDEX project_alias_path ON project_alias (value) WHERE kind = 'path';
CREATE INDEX project_alias_project ON project_alias (project_id);

-- sequence: the last one given. touched: grows with each save or note, store-wide.
CREATE TABLE session (
    born INTEGER PRIMARY KEY,
    session_id TEXT NOT NULL UNIQUE,
    agent TEXT NOT NULL,
    agent_version TEXT NOT NULL,
    project_id TEXT NOT NULL,
    workspace TEXT NOT NULL,
    working_directory TEXT NOT NULL,
    hostname TEXT NOT NULL,
    transcript TEXT NOT NULL,
    parent_session TEXT,
    root_session TEXT NOT NULL,
    started_at INTEGER NOT NULL,
    ended_at INTEGER,
    cleared INTEGER NOT NULL,
    message_count INTEGER NOT NULL,
    touched INTEGER NOT NULL,
    sequence INTEGER NOT NULL DEFAULT 0
) STRICT;

CREATE INDEX session_prefix ON session (session_id COLLATE NOCASE);
CREATE INDEX session_parent ON session (parent_session);
CREATE INDEX session_touched ON session (touched);
CREATE INDEX session_project ON session (project_id, touched);

-- position: the record's entry in the chain, and the order in which records were kept.
-- body: the canonical JSON that was hashed. name and consumed are outside the hash; the
-- columns before them repeat the body so that they can be looked up.
CREATE TABLE checkpoint (
    position INTEGER PRIMARY KEY REFERENCES chain,
    checkpoint_id TEXT NOT NULL UNIQUE,
    session_id TEXT NOT NULL REFERENCES session (session_id),
    sequence INTEGER NOT NULL,
    project_id TEXT NOT NULL REFERENCES project,
    number INTEGER NOT NULL,
    workspace TEXT NOT NULL,
    key TEXT NOT NULL,
    state_key TEXT NOT NULL,
    type TEXT NOT NULL,
    trigger TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    name TEXT,
    consumed INTEGER NOT NULL DEFAULT 0,
    body TEXT NOT NULL,
    UNIQUE (session_id, sequence),
    UNIQUE (project_id, number)
) STRICT;

CREATE UNIQUE INDEX checkpoint_key ON checkpoint (key) WHERE key <> '';
CREATE UNIQUE INDEX checkpoint_name ON checkpoint (project_id, name)
WHERE name IS NOT NULL;
CREATE INDEX checkpoint_workspace ON checkpoint (workspace, project_id);

CREATE TABLE tombstone (
    position INTEGER PRIMARY KEY REFERENCES chain,
    checkpoint_id TEXT NOT NULL UNIQUE,
    project_id TEXT NOT NULL,
    number INTEGER NOT NULL,
    sequence INTEGER NOT NULL,
    old_hash TEXT NOT NULL,
    reason TEXT NOT NULL,
    UNIQUE (project_id, number)
) STRICT;

-- A record with what proves it and what follows it in its session.
CREATE VIEW kept AS
SELECT
    c.*,
    entry.hash,
    before.hash AS previous_hash,
    (
        SELECT later.checkpoint_id
        FROM checkpoint AS later
        WHERE later.session_id = c.session_id AND later.sequence > c.sequence
        ORDER BY later.sequence
        LIMIT 1
    ) AS next_checkpoint
FROM checkpoint AS c
JOIN chain AS entry ON entry.position = c.position
LEFT JOIN chain AS before ON before.position = c.position - 1;

-- rowid is the record's position. The texts are made by analysis/words.py; what a query
-- filters by is in `facet`. secure-delete: a removed record leaves no word behind.
CREATE VIRTUAL TABLE search_index USING fts5 (
    title, instructions, decisions, errors, files, rest, facet,
    tokenize = 'ascii'
);
INSERT INTO search_index (search_index, rank) VALUES ('secure-delete', 1);

-- A session's fold, which can be made again from its transcript at any time.
CREATE TABLE fold (
    session_id TEXT PRIMARY KEY,
    stamp TEXT NOT NULL,
    transcript TEXT NOT NULL,
    cursor TEXT NOT NULL,
    head TEXT NOT NULL,
    turns INTEGER NOT NULL,
    checksum INTEGER NOT NULL
) STRICT;

CREATE TABLE fold_turn (
    session_id TEXT NOT NULL REFERENCES fold ON DELETE CASCADE,
    place INTEGER NOT NULL,
    turn TEXT NOT NULL,
    checksum INTEGER NOT NULL,
    UNIQUE (session_id, place)
) STRICT;
