-- Jobs that run one after the other with those of the same key. While one is parked, its available_at is far away.
CREATE TABLE IF NOT EXISTS pawl_keyed (
    queue    varchar(100) NOT NULL,
    job_key  varchar(200) NOT NULL,
    job_id   bigint       NOT NULL,
    due      bigint       NOT NULL,                      -- not let go before: microseconds since 1970 by the database's clock
    priority smallint     NOT NULL,
    let_go   smallint     NOT NULL,                      -- 0: parked; 1: it may be claimed, is running, or has ended
    PRIMARY KEY (queue, job_key, let_go, priority, job_id),
    KEY pawl_keyed_parked (let_go, job_id)
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_bin;

-- Whoever lets jobs of a key go has locked its row.
CREATE TABLE IF NOT EXISTS pawl_key (
    queue   varchar(100) NOT NULL,
    job_key varchar(200) NOT NULL,
    PRIMARY KEY (queue, job_key)
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_bin;

-- A payload may be written to the log, and a worker may claim from a thousand queues.
ALTER TABLE pawl_job_log MODIFY line mediumtext NOT NULL;
ALTER TABLE pawl_worker MODIFY queues mediumtext NOT NULL;

-- How many jobs at once a worker may be scaled to, and how many somebody wants it to run; null: as many as now.
ALTER TABLE pawl_worker ADD COLUMN max_concurrency integer;
ALTER TABLE pawl_worker ADD COLUMN wanted_concurrency integer;

INSERT IGNORE INTO pawl_schema (version, name, applied_at, works_from)
VALUES (12, 'keys', UTC_TIMESTAMP(6), 7);
