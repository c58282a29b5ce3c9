-- Each of these is atomic, and may be run again after a crash half way; a column that is there already is as good as added.

-- A job that is claimed ahead of a free handler has not begun; if its worker dies, the attempt is given back, unless the
-- worker has announced that it may begin.
ALTER TABLE pawl_job ADD COLUMN prefetched tinyint(1) NOT NULL DEFAULT 0;

-- The claim's order, kind by kind: neither jobs nor priorities of kinds that a worker does not know are read on the way.
-- In one statement, because the claims of older programs name this key.
ALTER TABLE pawl_job
    DROP KEY pawl_job_ready,
    ADD KEY pawl_job_ready (state, queue, kind, priority, available_at);

-- Jobs that may have begun: token:id or token:first-last, by blanks.
ALTER TABLE pawl_worker ADD COLUMN announced mediumtext;

-- The oldest program, by the newest step that it knows, that may work on the tables as this step leaves them.
ALTER TABLE pawl_schema ADD COLUMN works_from int NOT NULL DEFAULT 1;
INSERT IGNORE INTO pawl_schema (version, name, applied_at, works_from)
VALUES (4, 'starts_and_kinds', UTC_TIMESTAMP(6), 4);
