-- JSON array of the kinds that a worker handles; null: an older program has written the row, and it may be any.
ALTER TABLE pawl_worker ADD COLUMN kinds mediumtext;

INSERT IGNORE INTO pawl_schema (version, name, applied_at, works_from)
VALUES (5, 'worker_kinds', UTC_TIMESTAMP(6), 4);
