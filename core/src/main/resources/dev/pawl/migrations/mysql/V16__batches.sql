-- What handlers gave back, written with the completion and kept as long as the job.
CREATE TABLE IF NOT EXISTS pawl_result (
    job_id      bigint       NOT NULL,
    lease_token bigint       NOT NULL,                   -- of the run that completed the job
    written_at  datetime(6) NOT NULL,
    result      mediumtext NOT NULL,                     -- as the codec wrote it
    PRIMARY KEY (job_id, lease_token)
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_bin;

-- Jobs that belong together. Who adds to a batch shares a lock on its row, who seals it has it alone; runs that end do not touch it.
CREATE TABLE IF NOT EXISTS pawl_batch (
    id          bigint       NOT NULL AUTO_INCREMENT PRIMARY KEY,
    parent_id   bigint,                                  -- the batch it is part of
    name        varchar(200) NOT NULL,
    created_at  datetime(6) NOT NULL,
    sealed_at   datetime(6) NULL,                        -- no more jobs come, but for those that its own jobs add
    on_done     mediumtext,                              -- jobs to enqueue: JSON objects of strings
    on_failed   mediumtext,
    on_success  mediumtext,
    KEY pawl_batch_parent (parent_id)
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_bin;

-- How far a batch is: one update for each flush of outcomes.
CREATE TABLE IF NOT EXISTS pawl_batch_count (
    batch_id     bigint   NOT NULL PRIMARY KEY,
    expected     bigint,                                 -- how many there are; null: not sealed
    completed    bigint   NOT NULL DEFAULT 0,
    failed       bigint   NOT NULL DEFAULT 0,            -- discarded
    cancelled    bigint   NOT NULL DEFAULT 0,
    stop_percent int      NOT NULL DEFAULT 0,            -- stop when more than that have failed; 0: never
    stop_after   int      NOT NULL DEFAULT 0,            -- of at least so many that have ended
    stopped_at   datetime(6) NULL,
    fired        smallint NOT NULL DEFAULT 0,            -- callbacks that were enqueued: 1 done, 2 failed, 4 success
    reported     smallint NOT NULL DEFAULT 0,            -- as what its parent has counted it: 0 not, 2 completed, 3 cancelled, 4 failed
    chore        smallint NOT NULL DEFAULT 0,            -- what a worker is to do: 1 cancel what waits
    done_at      datetime(6) NULL,
    KEY pawl_batch_count_chore (chore),
    KEY pawl_batch_count_done (done_at)
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_bin;

-- Which jobs a batch has.
CREATE TABLE IF NOT EXISTS pawl_batch_job (
    batch_id bigint NOT NULL,
    job_id   bigint NOT NULL,
    PRIMARY KEY (batch_id, job_id)
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_bin;

INSERT IGNORE INTO pawl_schema (version, name, applied_at, works_from)
VALUES (16, 'batches', UTC_TIMESTAMP(6), 7);
