-- JSON array of the kinds that a worker handles; null: an older program has written the row, and it may be any.
ALTER TABLE pawl_worker ADD COLUMN kinds text;

INSERT INTO pawl_schema (version, name, applied_at, works_from)
VALUES (5, 'worker_kinds', CAST(unixepoch('subsec') * 1000 AS integer) * 1000, 4);
