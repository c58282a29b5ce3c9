-- Which place a job has in the line of its key: its priority. One that waits for its time stands behind all of those: at that moment, in
-- microseconds since 1970. So nobody reads such jobs to find the next one.
ALTER TABLE pawl_keyed
    ALTER COLUMN priority TYPE bigint,
    DROP CONSTRAINT pawl_keyed_pkey,
    ADD PRIMARY KEY (job_id);
DROP INDEX pawl_keyed_parked;

-- The lines, and those that have been let go, each key's by themselves.
CREATE INDEX pawl_keyed_line ON pawl_keyed (let_go, queue, job_key, priority, job_id);

-- When the first of those that wait is due, which a worker asks before it sleeps.
CREATE INDEX pawl_keyed_later ON pawl_keyed (queue, priority) WHERE let_go = 0 AND priority > 32767;

-- Rows come and go, as those of pawl_job.
ALTER TABLE pawl_keyed SET (
    autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_threshold = 2000,
    autovacuum_vacuum_cost_delay = 0, autovacuum_analyze_scale_factor = 0.1);

INSERT INTO pawl_schema (version, name, applied_at, works_from)
VALUES (24, 'key_places', statement_timestamp(), 7);
