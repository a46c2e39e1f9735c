-- Which session a running client is in. pid and started together are one process.
CREATE TABLE client (
    pid INTEGER NOT NULL,
    started TEXT NOT NULL,
    session_id TEXT NOT NULL,
    transcript TEXT NOT NULL,
    workspace TEXT NOT NULL,
    directory TEXT NOT NULL,
    source TEXT NOT NULL,
    headless INTEGER NOT NULL,
    seen_at INTEGER NOT NULL,
    noted INTEGER NOT NULL,
    PRIMARY KEY (pid, started)
) STRICT, WITHOUT ROWID;

CREATE INDEX client_workspace ON client (workspace, noted);

-- What a session was offered, and what reached its model. Ids and numbers, no content.
CREATE TABLE delivery (
    position INTEGER PRIMARY KEY,
    session_id TEXT NOT NULL,
    boundary TEXT NOT NULL,
    workspace TEXT NOT NULL,
    source TEXT NOT NULL,
    checkpoint_id TEXT NOT NULL,
    what TEXT NOT NULL,
    rule TEXT NOT NULL,
    tokens INTEGER NOT NULL,
    offered_at INTEGER NOT NULL,
    delivered TEXT,
    sign TEXT NOT NULL
) STRICT;

CREATE INDEX delivery_session ON delivery (session_id, position);
CREATE INDEX delivery_workspace ON delivery (workspace, position);
CREATE INDEX delivery_checkpoint ON delivery (checkpoint_id) WHERE delivered = 'brief';

-- What the user turned off; `fresh` is a clean start that nobody used yet.
CREATE TABLE switch (
    kind TEXT NOT NULL CHECK (kind IN ('all', 'project', 'session', 'fresh')),
    value TEXT NOT NULL,
    until INTEGER,
    PRIMARY KEY (kind, value)
) STRICT, WITHOUT ROWID;

-- What hooks cost a session, and what they remember of its context.
CREATE TABLE hook_session (
    session_id TEXT PRIMARY KEY,
    events INTEGER NOT NULL DEFAULT 0,
    milliseconds INTEGER NOT NULL DEFAULT 0,
    tokens INTEGER NOT NULL DEFAULT 0,
    octets INTEGER NOT NULL DEFAULT 0,
    crossed INTEGER NOT NULL DEFAULT 0,
    nudged_at INTEGER NOT NULL DEFAULT 0,
    context_window INTEGER NOT NULL DEFAULT 0
) STRICT, WITHOUT ROWID;
