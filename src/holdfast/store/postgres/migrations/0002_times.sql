-- What tells of an earlier time than it was kept in, by its time: of a project, and of all.
CREATE INDEX checkpoint_past ON checkpoint (project_id, created_at)
WHERE NOT (number > 0 AND trigger NOT IN ('backfill', 'import'));
CREATE INDEX checkpoint_past_anywhere ON checkpoint (created_at)
WHERE NOT (number > 0 AND trigger NOT IN ('backfill', 'import'));
