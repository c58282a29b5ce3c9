-- How much may go on in the whole cluster. Moments are microseconds since 1970 by the database's clock.
CREATE TABLE IF NOT EXISTS pawl_limit (
    subject    varchar(10)  NOT NULL,                    -- queue or kind
    name       varchar(100) NOT NULL,
    at_once    int,                                      -- how many jobs may be running at the same time; null: any number
    starts     int,                                      -- how many may start in any span of per_micros; null: any number
    per_micros bigint,
    next_start bigint       NOT NULL DEFAULT 0,          -- the turn of the next start
    held_until bigint       NOT NULL DEFAULT 0,          -- what its jobs need is not available until then; 0: it is
    failures   int          NOT NULL DEFAULT 0,          -- how often in a row it was found unavailable
    reason     text,
    PRIMARY KEY (subject, name)
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_bin;

-- How much of "at once" a worker has. What is over counts as much as the worker still has leases.
CREATE TABLE IF NOT EXISTS pawl_share (
    subject   varchar(10)  NOT NULL,
    name      varchar(100) NOT NULL,
    worker_id bigint       NOT NULL,                     -- pawl_worker.id
    share     int          NOT NULL,
    wants     int          NOT NULL,                     -- how many more it would use
    expires   bigint       NOT NULL,
    PRIMARY KEY (subject, name, worker_id)
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_bin;

INSERT IGNORE INTO pawl_schema (version, name, applied_at, works_from)
VALUES (10, 'limits', UTC_TIMESTAMP(6), 7);
