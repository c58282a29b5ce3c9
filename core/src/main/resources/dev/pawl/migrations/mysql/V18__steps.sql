-- What a job remembers from one run to the next: the steps that are done, and what it waits for.
CREATE TABLE IF NOT EXISTS pawl_step (
    job_id     bigint       NOT NULL,
    kind       smallint     NOT NULL,                    -- 0 step, 1 signal, 2 sleep
    name       varchar(200) NOT NULL,
    place      int          NOT NULL,                    -- in the order in which the job came to them; 0: not yet
    state      smallint     NOT NULL,                    -- 0 waiting, 1 done, 2 given up
    payload    mediumtext,                               -- its value; null: none
    written_at datetime(6)  NOT NULL,
    until_at   datetime(6),                              -- how long it waits
    PRIMARY KEY (job_id, kind, name)
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_bin;

INSERT IGNORE INTO pawl_schema (version, name, applied_at, works_from)
VALUES (18, 'steps', UTC_TIMESTAMP(6), 7);
