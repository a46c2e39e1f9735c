-- Who else gets what is kept: every entry of the chain up to `cursor` is in its outbox.
CREATE TABLE outbox_target (
    target TEXT PRIMARY KEY,
    cursor INTEGER NOT NULL,
    failures INTEGER NOT NULL DEFAULT 0,
    due_at INTEGER NOT NULL DEFAULT 0,
    error TEXT NOT NULL DEFAULT '',
    seal INTEGER
) STRICT, WITHOUT ROWID;

-- What a target has, or is still to be told. Ids and numbers, no content. `position` is
-- the newest entry of the chain about a record; `lease`: until then somebody is at it.
CREATE TABLE outbox (
    target TEXT NOT NULL,
    checkpoint_id TEXT NOT NULL,
    position INTEGER NOT NULL,
    action TEXT NOT NULL CHECK (action IN ('send', 'replace', 'remove')),
    waits INTEGER NOT NULL,
    lease INTEGER NOT NULL DEFAULT 0,
    attempts INTEGER NOT NULL DEFAULT 0,
    due_at INTEGER NOT NULL DEFAULT 0,
    error TEXT NOT NULL DEFAULT '',
    remote TEXT NOT NULL DEFAULT '',
    seal INTEGER,
    PRIMARY KEY (target, checkpoint_id)
) STRICT, WITHOUT ROWID;

CREATE INDEX outbox_waiting ON outbox (target, position) WHERE waits = 1;
CREATE INDEX outbox_checkpoint ON outbox (checkpoint_id);

CREATE TRIGGER outbox_target_made AFTER INSERT ON outbox_target BEGIN
    UPDATE outbox_target SET seal = row_seal(
        NEW.target, NEW.cursor, NEW.failures, NEW.due_at, NEW.error
    )
    WHERE target = NEW.target;
END;
CREATE TRIGGER outbox_target_changed AFTER UPDATE OF
    target, cursor, failures, due_at, error
ON outbox_target BEGIN
    UPDATE outbox_target SET seal = row_seal(
        NEW.target, NEW.cursor, NEW.failures, NEW.due_at, NEW.error
    )
    WHERE target = NEW.target;
END;

CREATE TRIGGER outbox_made AFTER INSERT ON outbox BEGIN
    UPDATE outbox SET seal = row_seal(
        NEW.target, NEW.checkpoint_id, NEW.position, NEW.action, NEW.waits, NEW.lease,
        NEW.attempts, NEW.due_at, NEW.error, NEW.remote
    )
    WHERE target = NEW.target AND checkpoint_id = NEW.checkpoint_id;
END;
CREATE TRIGGER outbox_changed AFTER UPDATE OF
    target, checkpoint_id, position, action, waits, lease, attempts, due_at, error,
    remote
ON outbox BEGIN
    UPDATE outbox SET seal = row_seal(
        NEW.target, NEW.checkpoint_id, NEW.position, NEW.action, NEW.waits, NEW.lease,
        NEW.attempts, NEW.due_at, NEW.error, NEW.remote
    )
    WHERE target = NEW.target AND checkpoint_id = NEW.checkpoint_id;
END;
