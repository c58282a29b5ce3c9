-- Which place a job has in the line of its key: its priority. One that waits for its time stands behind all of those: at that moment, in
-- microseconds since 1970. So nobody reads such jobs to find the next one.
CREATE TABLE pawl_keyed_24 (
    queue    varchar(100) NOT NULL,
    job_key  varchar(200) NOT NULL,
    job_id   integer      NOT NULL PRIMARY KEY,
    due      integer      NOT NULL,                      -- not let go before: microseconds since 1970 by the database's clock
    priority integer      NOT NULL,
    let_go   smallint     NOT NULL                       -- 0: parked; 1: it may be claimed, is running, or has ended
);
INSERT INTO pawl_keyed_24 (queue, job_key, job_id, due, priority, let_go)
SELECT queue, job_key, job_id, due, priority, let_go FROM pawl_keyed;
DROP TABLE pawl_keyed;
ALTER TABLE pawl_keyed_24 RENAME TO pawl_keyed;

-- The lines, and those that have been let go, each key's by themselves.
CREATE INDEX pawl_keyed_line ON pawl_keyed (let_go, queue, job_key, priority, job_id);

-- When the first of those that wait is due, which a worker asks before it sleeps.
CREATE INDEX pawl_keyed_later ON pawl_keyed (queue, priority) WHERE let_go = 0 AND priority > 32767;

INSERT INTO pawl_schema (version, name, applied_at, works_from)
VALUES (24, 'key_places', CAST(unixepoch('subsec') * 1000 AS integer) * 1000, 7);
