-- What a job remembers from one run to the next: the steps that are done, and what it waits for.
CREATE TABLE pawl_step (
    job_id     bigint       NOT NULL,
    kind       smallint     NOT NULL,                    -- 0 step, 1 signal, 2 sleep
    name       varchar(200) NOT NULL,
    place      int          NOT NULL,                    -- in the order in which the job came to them; 0: not yet
    state      smallint     NOT NULL,                    -- 0 waiting, 1 done, 2 given up
    payload    text,                                     -- its value; null: none
    written_at timestamptz  NOT NULL,
    until_at   timestamptz,                              -- how long it waits
    PRIMARY KEY (job_id, kind, name)
);

INSERT INTO pawl_schema (version, name, applied_at, works_from)
VALUES (18, 'steps', statement_timestamp(), 7);
