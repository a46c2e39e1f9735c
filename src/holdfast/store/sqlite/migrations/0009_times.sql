-- What tells of an earlier time than it was kept in, by its time: of a project, and of all.
CREATE INDEX checkpoint_past_project ON checkpoint (project_id, created_at)
WHERE (number < 0 OR trigger IN ('backfill', 'import'));
CREATE INDEX checkpoint_past ON checkpoint (created_at)
WHERE (number < 0 OR trigger IN ('backfill', 'import'));
