-- What the thread of a run does, on demand: somebody asks, the worker that runs the job tells.
CREATE TABLE IF NOT EXISTS pawl_stack (
    job_id      bigint       NOT NULL PRIMARY KEY,
    lease_token bigint       NOT NULL,                    -- of the run that is asked about
    attempt     int          NOT NULL,
    asked_at    datetime(6)  NOT NULL,
    told_at     datetime(6),                              -- null: not yet
    stack_text  mediumtext
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_bin;

INSERT IGNORE INTO pawl_schema (version, name, applied_at, works_from)
VALUES (25, 'stacks', UTC_TIMESTAMP(6), 7);
