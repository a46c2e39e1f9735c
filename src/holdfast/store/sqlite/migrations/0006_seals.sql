-- When a record was removed, in Unix ms; nobody knows for those removed before.
ALTER TABLE tombstone ADD COLUMN removed_at INTEGER;

-- seal: a checksum of the row's other columns, or of those outside a record's hash. The
-- chain proves what records say; this shows a changed byte in everything else.
-- `row_seal` is a function of ours, storage/sqlite/seals.py.

ALTER TABLE store ADD COLUMN seal INTEGER;
UPDATE store SET seal = row_seal(
    machine, observations
);
CREATE TRIGGER store_made AFTER INSERT ON store BEGIN
    UPDATE store SET seal = row_seal(
        NEW.machine, NEW.observations
    )
    WHERE only_row = NEW.only_row;
END;
CREATE TRIGGER store_changed AFTER UPDATE OF
    machine, observations
ON store BEGIN
    UPDATE store SET seal = row_seal(
        NEW.machine, NEW.observations
    )
    WHERE only_row = NEW.only_row;
END;

ALTER TABLE checkpoint ADD COLUMN seal INTEGER;
UPDATE checkpoint SET seal = row_seal(
    position, name, consumed
);
CREATE TRIGGER checkpoint_made AFTER INSERT ON checkpoint BEGIN
    UPDATE checkpoint SET seal = row_seal(
        NEW.position, NEW.name, NEW.consumed
    )
    WHERE position = NEW.position;
END;
CREATE TRIGGER checkpoint_changed AFTER UPDATE OF
    position, name, consumed
ON checkpoint BEGIN
    UPDATE checkpoint SET seal = row_seal(
        NEW.position, NEW.name, NEW.consumed
    )
    WHERE position = NEW.position;
END;

ALTER TABLE session ADD COLUMN seal INTEGER;
UPDATE session SET seal = row_seal(
    born, session_id, agent, agent_version, project_id, workspace, working_directory,
    hostname, transcript, parent_session, root_session, started_at, ended_at, cleared,
    message_count, touched, sequence
);
CREATE TRIGGER session_made AFTER INSERT ON session BEGIN
    UPDATE session SET seal = row_seal(
        NEW.born, NEW.session_id, NEW.agent, NEW.agent_version, NEW.project_id,
        NEW.workspace, NEW.working_directory, NEW.hostname, NEW.transcript,
        NEW.parent_session, NEW.root_session, NEW.started_at, NEW.ended_at, NEW.cleared,
        NEW.message_count, NEW.touched, NEW.sequence
    )
    WHERE born = NEW.born;
END;
CREATE TRIGGER session_changed AFTER UPDATE OF
    born, session_id, agent, agent_version, project_id, workspace, working_directory,
    hostname, transcript, parent_session, root_session, started_at, ended_at, cleared,
    message_count, touched, sequence
ON session BEGIN
    UPDATE session SET seal = row_seal(
        NEW.born, NEW.session_id, NEW.agent, NEW.agent_version, NEW.project_id,
        NEW.workspace, NEW.working_directory, NEW.hostname, NEW.transcript,
        NEW.parent_session, NEW.root_session, NEW.started_at, NEW.ended_at, NEW.cleared,
        NEW.message_count, NEW.touched, NEW.sequence
    )
    WHERE born = NEW.born;
END;

ALTER TABLE project ADD COLUMN seal INTEGER;
UPDATE project SET seal = row_seal(
    project_id, root, remote, number
);
CREATE TRIGGER project_made AFTER INSERT ON project BEGIN
    UPDATE project SET seal = row_seal(
        NEW.project_id, NEW.root, NEW.remote, NEW.number
    )
    WHERE project_id = NEW.project_id;
END;
CREATE TRIGGER project_changed AFTER UPDATE OF
    project_id, root, remote, number
ON project BEGIN
    UPDATE project SET seal = row_seal(
        NEW.project_id, NEW.root, NEW.remote, NEW.number
    )
    WHERE project_id = NEW.project_id;
END;

ALTER TABLE project_alias ADD COLUMN seal INTEGER;
UPDATE project_alias SET seal = row_seal(
    kind, value, project_id
);
CREATE TRIGGER project_alias_made AFTER INSERT ON project_alias BEGIN
    UPDATE project_alias SET seal = row_seal(
        NEW.kind, NEW.value, NEW.project_id
    )
    WHERE kind = NEW.kind AND value = NEW.value AND project_id = NEW.project_id;
END;
CREATE TRIGGER project_alias_changed AFTER UPDATE OF
    kind, value, project_id
ON project_alias BEGIN
    UPDATE project_alias SET seal = row_seal(
        NEW.kind, NEW.value, NEW.project_id
    )
    WHERE kind = NEW.kind AND value = NEW.value AND project_id = NEW.project_id;
END;

ALTER TABLE client ADD COLUMN seal INTEGER;
UPDATE client SET seal = row_seal(
    pid, started, session_id, transcript, workspace, directory, source, headless,
    seen_at, noted
);
CREATE TRIGGER client_made AFTER INSERT ON client BEGIN
    UPDATE client SET seal = row_seal(
        NEW.pid, NEW.started, NEW.session_id, NEW.transcript, NEW.workspace,
        NEW.directory, NEW.source, NEW.headless, NEW.seen_at, NEW.noted
    )
    WHERE pid = NEW.pid AND started = NEW.started;
END;
CREATE TRIGGER client_changed AFTER UPDATE OF
    pid, started, session_id, transcript, workspace, directory, source, headless,
    seen_at, noted
ON client BEGIN
    UPDATE client SET seal = row_seal(
        NEW.pid, NEW.started, NEW.session_id, NEW.transcript, NEW.workspace,
        NEW.directory, NEW.source, NEW.headless, NEW.seen_at, NEW.noted
    )
    WHERE pid = NEW.pid AND started = NEW.started;
END;

ALTER TABLE delivery ADD COLUMN seal INTEGER;
UPDATE delivery SET seal = row_seal(
    position, session_id, boundary, workspace, source, checkpoint_id, what, rule,
    tokens, offered_at, delivered, sign
);
CREATE TRIGGER delivery_made AFTER INSERT ON delivery BEGIN
    UPDATE delivery SET seal = row_seal(
        NEW.position, NEW.session_id, NEW.boundary, NEW.workspace, NEW.source,
        NEW.checkpoint_id, NEW.what, NEW.rule, NEW.tokens, NEW.offered_at,
        NEW.delivered, NEW.sign
    )
    WHERE position = NEW.position;
END;
CREATE TRIGGER delivery_changed AFTER UPDATE OF
    position, session_id, boundary, workspace, source, checkpoint_id, what, rule,
    tokens, offered_at, delivered, sign
ON delivery BEGIN
    UPDATE delivery SET seal = row_seal(
        NEW.position, NEW.session_id, NEW.boundary, NEW.workspace, NEW.source,
        NEW.checkpoint_id, NEW.what, NEW.rule, NEW.tokens, NEW.offered_at,
        NEW.delivered, NEW.sign
    )
    WHERE position = NEW.position;
END;

ALTER TABLE switch ADD COLUMN seal INTEGER;
UPDATE switch SET seal = row_seal(
    kind, value, until
);
CREATE TRIGGER switch_made AFTER INSERT ON switch BEGIN
    UPDATE switch SET seal = row_seal(
        NEW.kind, NEW.value, NEW.until
    )
    WHERE kind = NEW.kind AND value = NEW.value;
END;
CREATE TRIGGER switch_changed AFTER UPDATE OF
    kind, value, until
ON switch BEGIN
    UPDATE switch SET seal = row_seal(
        NEW.kind, NEW.value, NEW.until
    )
    WHERE kind = NEW.kind AND value = NEW.value;
END;

ALTER TABLE hook_session ADD COLUMN seal INTEGER;
UPDATE hook_session SET seal = row_seal(
    session_id, events, milliseconds, tokens, octets, crossed, nudged_at, context_window
);
CREATE TRIGGER hook_session_made AFTER INSERT ON hook_session BEGIN
    UPDATE hook_session SET seal = row_seal(
        NEW.session_id, NEW.events, NEW.milliseconds, NEW.tokens, NEW.octets,
        NEW.crossed, NEW.nudged_at, NEW.context_window
    )
    WHERE session_id = NEW.session_id;
END;
CREATE TRIGGER hook_session_changed AFTER UPDATE OF
    session_id, events, milliseconds, tokens, octets, crossed, nudged_at, context_window
ON hook_session BEGIN
    UPDATE hook_session SET seal = row_seal(
        NEW.session_id, NEW.events, NEW.milliseconds, NEW.tokens, NEW.octets,
        NEW.crossed, NEW.nudged_at, NEW.context_window
    )
    WHERE session_id = NEW.session_id;
END;
