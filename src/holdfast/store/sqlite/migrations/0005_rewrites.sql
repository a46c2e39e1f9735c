-- What a record said before it was rewritten is gone; its hash is here, and this row is
-- an entry of the chain. new_hash stands on old_hash, as an entry on the one before.
CREATE TABLE rewrite (
    position INTEGER PRIMARY KEY REFERENCES chain,
    record INTEGER NOT NULL REFERENCES chain,
    checkpoint_id TEXT NOT NULL,
    old_hash TEXT NOT NULL,
    new_hash TEXT NOT NULL,
    reason TEXT NOT NULL
) STRICT;

CREATE INDEX rewrite_record ON rewrite (record, position);

-- A record with what proves it and what follows it in its session.
DROP VIEW kept;
CREATE VIEW kept AS
SELECT
    c.*,
    coalesce(newest.new_hash, entry.hash) AS hash,
    coalesce(newest.old_hash, before.hash) AS previous_hash,
    (
        SELECT later.checkpoint_id
        FROM checkpoint AS later
        WHERE later.session_id = c.session_id AND later.sequence > c.sequence
        ORDER BY later.sequence
        LIMIT 1
    ) AS next_checkpoint
FROM checkpoint AS c
JOIN chain AS entry ON entry.position = c.position
LEFT JOIN chain AS before ON before.position = c.position - 1
LEFT JOIN rewrite AS newest ON newest.position = (
    SELECT max(r.position) FROM rewrite AS r WHERE r.record = c.position
);
