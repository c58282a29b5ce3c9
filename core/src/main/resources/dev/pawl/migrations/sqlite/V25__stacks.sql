-- What the thread of a run does, on demand: somebody asks, the worker that runs the job tells.
CREATE TABLE pawl_stack (
    job_id      integer      NOT NULL PRIMARY KEY,
    lease_token integer      NOT NULL,                    -- of the run that is asked about
    attempt     int          NOT NULL,
    asked_at    integer      NOT NULL,
    told_at     integer,                                  -- null: not yet
    stack_text  text
);

INSERT INTO pawl_schema (version, name, applied_at, works_from)
VALUES (25, 'stacks', CAST(unixepoch('subsec') * 1000 AS integer) * 1000, 7);
