-- What several machines keep together. Every key begins with the project, so that a
-- distributed engine can lay whole projects apart; nothing refers to another project, and
-- nothing is done by a trigger. `tenant` is whose row it is: a policy compares it with
-- what the transaction says, and a row is written with that, too.
--
-- number, position, observations: the last ones given. hash: the newest entry of the
-- project's chain. kept: grows with each entry, and orders entries of several projects.
CREATE TABLE project (
    project_id TEXT COLLATE "C" NOT NULL,
    tenant TEXT COLLATE "C" NOT NULL DEFAULT current_setting('holdfast.tenant'),
    root TEXT NOT NULL,
    remote TEXT,
    number BIGINT NOT NULL DEFAULT 0,
    position BIGINT NOT NULL DEFAULT 0,
    observations BIGINT NOT NULL DEFAULT 0,
    hash TEXT NOT NULL DEFAULT repeat('0', 64),
    kept BIGINT NOT NULL DEFAULT 0,
    PRIMARY KEY (project_id, tenant)
);

CREATE TABLE project_alias (
    project_id TEXT COLLATE "C" NOT NULL,
    tenant TEXT COLLATE "C" NOT NULL DEFAULT current_setting('holdfast.tenant'),
    kind TEXT COLLATE "C" NOT NULL CHECK (kind IN ('path', 'root_commit', 'remote')),
    value TEXT COLLATE "C" NOT NULL,
    PRIMARY KEY (project_id, tenant, kind, value)
);
CREATE INDEX project_alias_value ON project_alias (value, kind);

-- sequence: the last one given. A session that goes on in another project has a row there, too; the one touched last
-- is what is known of it.
CREATE TABLE session (
    project_id TEXT COLLATE "C" NOT NULL,
    tenant TEXT COLLATE "C" NOT NULL DEFAULT current_setting('holdfast.tenant'),
    session_id TEXT COLLATE "C" NOT NULL,
    agent TEXT NOT NULL,
    agent_version TEXT NOT NULL,
    workspace TEXT NOT NULL,
    working_directory TEXT NOT NULL,
    hostname TEXT NOT NULL,
    transcript TEXT NOT NULL,
    parent_session TEXT COLLATE "C",
    root_session TEXT COLLATE "C" NOT NULL,
    started_at BIGINT NOT NULL,
    ended_at BIGINT,
    cleared BOOLEAN NOT NULL,
    message_count BIGINT NOT NULL,
    born BIGINT NOT NULL,
    touched BIGINT NOT NULL,
    sequence BIGINT NOT NULL DEFAULT 0,
    PRIMARY KEY (project_id, tenant, session_id)
) WITH (fillfactor = 70);
CREATE INDEX session_id ON session (session_id);
CREATE INDEX session_lower ON session (lower(session_id));
CREATE INDEX session_parent ON session (parent_session);

-- body: the canonical JSON that was hashed, standing on previous_hash. name and consumed
-- are outside the hash; the other columns repeat the body so that they can be looked up.
-- A record of another store has a place below zero in the column of numbers; `machine`
-- made it and gave it `given`; what it is `called` there is outside the hash, too.
CREATE TABLE checkpoint (
    project_id TEXT COLLATE "C" NOT NULL,
    tenant TEXT COLLATE "C" NOT NULL DEFAULT current_setting('holdfast.tenant'),
    position BIGINT NOT NULL,
    kept BIGINT NOT NULL,
    checkpoint_id TEXT COLLATE "C" NOT NULL,
    session_id TEXT COLLATE "C" NOT NULL,
    sequence BIGINT NOT NULL,
    number BIGINT NOT NULL,
    workspace TEXT COLLATE "C" NOT NULL,
    key TEXT COLLATE "C" NOT NULL,
    state_key TEXT COLLATE "C" NOT NULL,
    type TEXT COLLATE "C" NOT NULL,
    trigger TEXT COLLATE "C" NOT NULL,
    created_at BIGINT NOT NULL,
    name TEXT COLLATE "C",
    consumed BOOLEAN NOT NULL DEFAULT false,
    machine TEXT COLLATE "C",
    given BIGINT NOT NULL,
    called TEXT,
    hash TEXT NOT NULL,
    previous_hash TEXT NOT NULL,
    body TEXT NOT NULL,
    PRIMARY KEY (project_id, tenant, position)
);
CREATE UNIQUE INDEX checkpoint_id ON checkpoint (project_id, tenant, checkpoint_id);
CREATE UNIQUE INDEX checkpoint_number ON checkpoint (project_id, tenant, number);
CREATE UNIQUE INDEX checkpoint_sequence
ON checkpoint (project_id, tenant, session_id, sequence);
CREATE UNIQUE INDEX checkpoint_key ON checkpoint (project_id, tenant, key)
WHERE key <> '';
CREATE UNIQUE INDEX checkpoint_name ON checkpoint (project_id, tenant, name)
WHERE name IS NOT NULL;
CREATE INDEX checkpoint_anywhere ON checkpoint (checkpoint_id);
CREATE INDEX checkpoint_session ON checkpoint (session_id, sequence);
CREATE INDEX checkpoint_kept ON checkpoint (kept);

-- record: the place of the entry that it ends; the record's hash stays there.
CREATE TABLE tombstone (
    project_id TEXT COLLATE "C" NOT NULL,
    tenant TEXT COLLATE "C" NOT NULL DEFAULT current_setting('holdfast.tenant'),
    position BIGINT NOT NULL,
    record BIGINT NOT NULL,
    checkpoint_id TEXT COLLATE "C" NOT NULL,
    number BIGINT NOT NULL,
    sequence BIGINT NOT NULL,
    old_hash TEXT NOT NULL,
    hash TEXT NOT NULL,
    reason TEXT NOT NULL,
    removed_at BIGINT,
    PRIMARY KEY (project_id, tenant, position)
);
CREATE UNIQUE INDEX tombstone_id ON tombstone (project_id, tenant, checkpoint_id);
CREATE INDEX tombstone_anywhere ON tombstone (checkpoint_id);

-- What a machine gave, as it proves it there; without text, it was taken back. change:
-- grows within the project, so that whoever has all up to one asks for those after it.
CREATE TABLE shared (
    project_id TEXT COLLATE "C" NOT NULL,
    tenant TEXT COLLATE "C" NOT NULL DEFAULT current_setting('holdfast.tenant'),
    checkpoint_id TEXT COLLATE "C" NOT NULL,
    change BIGINT NOT NULL,
    machine TEXT COLLATE "C" NOT NULL,
    previous_hash TEXT NOT NULL,
    hash TEXT NOT NULL,
    name TEXT,
    body TEXT,
    PRIMARY KEY (project_id, tenant, checkpoint_id)
);
CREATE INDEX shared_anywhere ON shared (checkpoint_id);
CREATE INDEX shared_change ON shared (project_id, tenant, change);

-- done: records up to this place have postings, made by one analysis of the text.
CREATE TABLE search_state (
    project_id TEXT COLLATE "C" NOT NULL,
    tenant TEXT COLLATE "C" NOT NULL DEFAULT current_setting('holdfast.tenant'),
    analysis BIGINT NOT NULL,
    done BIGINT NOT NULL DEFAULT 0,
    passages BIGINT NOT NULL DEFAULT 0,
    PRIMARY KEY (project_id, tenant)
);

-- A term of a record, and in which of its passages it says how much: place * 16 + level.
-- Facets, and words too common to find a passage by, have none.
CREATE TABLE posting (
    project_id TEXT COLLATE "C" NOT NULL,
    tenant TEXT COLLATE "C" NOT NULL DEFAULT current_setting('holdfast.tenant'),
    term TEXT COLLATE "C" NOT NULL,
    position BIGINT NOT NULL,
    places INTEGER[] NOT NULL,
    PRIMARY KEY (project_id, tenant, term, position)
);

-- All terms of a record in order, then its facets: what phrases are looked up in.
CREATE TABLE search_text (
    project_id TEXT COLLATE "C" NOT NULL,
    tenant TEXT COLLATE "C" NOT NULL DEFAULT current_setting('holdfast.tenant'),
    position BIGINT NOT NULL,
    passages BIGINT NOT NULL,
    words TEXT NOT NULL,
    facets TEXT NOT NULL,
    PRIMARY KEY (project_id, tenant, position)
);

-- The role that everybody works as owns nothing, and sees the rows of its tenant only;
-- forced, the policies hold for the tables' owner, too.
ALTER TABLE project ENABLE ROW LEVEL SECURITY;
ALTER TABLE project FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON project
USING (tenant = current_setting('holdfast.tenant', true))
WITH CHECK (tenant = current_setting('holdfast.tenant', true));

ALTER TABLE project_alias ENABLE ROW LEVEL SECURITY;
ALTER TABLE project_alias FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON project_alias
USING (tenant = current_setting('holdfast.tenant', true))
WITH CHECK (tenant = current_setting('holdfast.tenant', true));

ALTER TABLE session ENABLE ROW LEVEL SECURITY;
ALTER TABLE session FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON session
USING (tenant = current_setting('holdfast.tenant', true))
WITH CHECK (tenant = current_setting('holdfast.tenant', true));

ALTER TABLE checkpoint ENABLE ROW LEVEL SECURITY;
ALTER TABLE checkpoint FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON checkpoint
USING (tenant = current_setting('holdfast.tenant', true))
WITH CHECK (tenant = current_setting('holdfast.tenant', true));

ALTER TABLE tombstone ENABLE ROW LEVEL SECURITY;
ALTER TABLE tombstone FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON tombstone
USING (tenant = current_setting('holdfast.tenant', true))
WITH CHECK (tenant = current_setting('holdfast.tenant', true));

ALTER TABLE shared ENABLE ROW LEVEL SECURITY;
ALTER TABLE shared FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON shared
USING (tenant = current_setting('holdfast.tenant', true))
WITH CHECK (tenant = current_setting('holdfast.tenant', true));

ALTER TABLE search_state ENABLE ROW LEVEL SECURITY;
ALTER TABLE search_state FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON search_state
USING (tenant = current_setting('holdfast.tenant', true))
WITH CHECK (tenant = current_setting('holdfast.tenant', true));

ALTER TABLE posting ENABLE ROW LEVEL SECURITY;
ALTER TABLE posting FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON posting
USING (tenant = current_setting('holdfast.tenant', true))
WITH CHECK (tenant = current_setting('holdfast.tenant', true));

ALTER TABLE search_text ENABLE ROW LEVEL SECURITY;
ALTER TABLE search_text FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON search_text
USING (tenant = current_setting('holdfast.tenant', true))
WITH CHECK (tenant = current_setting('holdfast.tenant', true));

GRANT SELECT, INSERT, UPDATE, DELETE ON
    project, project_alias, session, checkpoint, tombstone, shared, search_state,
    posting, search_text
TO holdfast_app;
