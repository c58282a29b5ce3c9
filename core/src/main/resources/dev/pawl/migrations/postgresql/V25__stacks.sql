-- What the thread of a run does, on demand: somebody asks, the worker that runs the job tells.
CREATE TABLE pawl_stack (
    job_id      bigint       NOT NULL PRIMARY KEY,
    lease_token bigint       NOT NULL,                    -- of the run that is asked about
    attempt     int          NOT NULL,
    asked_at    timestamptz  NOT NULL,
    told_at     timestamptz,                              -- null: not yet
    stack_text  text
);

INSERT INTO pawl_schema (version, name, applied_at, works_from)
VALUES (25, 'stacks', statement_timestamp(), 7);
