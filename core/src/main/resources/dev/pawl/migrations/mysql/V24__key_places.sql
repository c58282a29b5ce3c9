-- Which place a job has in the line of its key: its priority. One that waits for its time stands behind all of those: at that moment, in
-- microseconds since 1970. So nobody reads such jobs to find the next one. The index has the lines, and those that have been let go,
-- each key's by themselves.
ALTER TABLE pawl_keyed
    MODIFY priority bigint NOT NULL,
    DROP PRIMARY KEY,
    ADD PRIMARY KEY (job_id),
    DROP KEY pawl_keyed_parked,
    ADD KEY pawl_keyed_line (let_go, queue, job_key, priority, job_id);

INSERT IGNORE INTO pawl_schema (version, name, applied_at, works_from)
VALUES (24, 'key_places', UTC_TIMESTAMP(6), 7);
