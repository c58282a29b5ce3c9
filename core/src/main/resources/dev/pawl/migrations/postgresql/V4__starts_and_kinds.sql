-- A job that is claimed ahead of a free handler has not begun; if its worker dies, the attempt is given back, unless the
-- worker has announced that it may begin.
ALTER TABLE pawl_job ADD COLUMN prefetched boolean NOT NULL DEFAULT false;

-- Jobs that may have begun: token:id or token:first-last, by blanks.
ALTER TABLE pawl_worker ADD COLUMN announced text;

-- The claim's order, kind by kind: neither jobs nor priorities of kinds that a worker does not know are read on the way.
DROP INDEX pawl_job_ready;
CREATE INDEX pawl_job_ready ON pawl_job (queue, kind, priority, available_at, id) WHERE state = 0;

-- The oldest program, by the newest step that it knows, that may work on the tables as this step leaves them.
ALTER TABLE pawl_schema ADD COLUMN works_from int NOT NULL DEFAULT 1;
INSERT INTO pawl_schema (version, name, applied_at, works_from)
VALUES (4, 'starts_and_kinds', statement_timestamp(), 4);
