-- The server commits after each statement, so each one may be run again after a crash half way.
-- Names and keys compare byte for byte (utf8mb4_bin). Moments are UTC.

-- Which steps of the schema have been taken. Each step records itself, whatever tool runs it.
CREATE TABLE IF NOT EXISTS pawl_schema (
    version    int          PRIMARY KEY,
    name       varchar(100) NOT NULL,
    applied_at datetime(6)  NOT NULL
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_bin;

-- Live jobs only: narrow, hot, and empty when the work is done.
CREATE TABLE IF NOT EXISTS pawl_job (
    id               bigint       NOT NULL AUTO_INCREMENT PRIMARY KEY,
    lease_token      bigint       NOT NULL DEFAULT 0,    -- grows with every claim; every write of an owner names it
    leased_by        bigint,                             -- pawl_worker.id while running
    created_at       datetime(6)  NOT NULL,
    available_at     datetime(6)  NOT NULL,              -- may be claimed from then on
    started_at       datetime(6),                        -- when the running attempt was claimed
    lease_expires_at datetime(6),
    state            smallint     NOT NULL DEFAULT 0,    -- 0 available, 1 running, 2 completed: marked, and soon swept to the history
    priority         smallint     NOT NULL DEFAULT 0,    -- small first
    attempt          smallint     NOT NULL DEFAULT 0,    -- starts so far
    max_attempts     smallint     NOT NULL,
    progress         smallint,                           -- 0 to 100, as the handler reported
    cancel_requested tinyint(1)   NOT NULL DEFAULT 0,
    queue            varchar(100) NOT NULL,
    kind             varchar(100) NOT NULL,
    unique_key       varchar(200),
    tags             text,                               -- JSON array of strings
    payload          mediumtext   NOT NULL,
    -- The claim's order within state 0, with the primary key behind it, and the running jobs under state 1. A claim moves
    -- the entry from one to the other, and nothing in it changes otherwise.
    KEY pawl_job_ready (state, queue, priority, available_at),
    -- Rows without a key are NULL here, and NULLs do not collide.
    UNIQUE KEY pawl_job_unique_key (kind, unique_key),
    CONSTRAINT pawl_job_state CHECK (state IN (0, 1, 2)),
    CONSTRAINT pawl_job_lease CHECK (
        (state > 0) = (leased_by IS NOT NULL)
        AND (state > 0) = (lease_expires_at IS NOT NULL)
        AND (state > 0) = (started_at IS NOT NULL)),
    CONSTRAINT pawl_job_attempts CHECK (
        attempt >= 0 AND attempt <= max_attempts AND (state > 0 OR attempt < max_attempts))
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_bin;

-- Finished jobs: appended in the transaction that finishes them, pruned by age.
CREATE TABLE IF NOT EXISTS pawl_job_history (
    id               bigint       PRIMARY KEY,
    lease_token      bigint       NOT NULL,
    leased_by        bigint,
    created_at       datetime(6)  NOT NULL,
    available_at     datetime(6)  NOT NULL,
    started_at       datetime(6),
    finished_at      datetime(6)  NOT NULL,
    state            smallint     NOT NULL,              -- 2 completed, 3 cancelled, 4 discarded
    priority         smallint     NOT NULL,
    attempt          smallint     NOT NULL,
    max_attempts     smallint     NOT NULL,
    progress         smallint,
    queue            varchar(100) NOT NULL,
    kind             varchar(100) NOT NULL,
    unique_key       varchar(200),
    tags             text,
    payload          mediumtext   NOT NULL,
    reason           text,
    KEY pawl_job_history_finished (state, finished_at),
    CONSTRAINT pawl_job_history_state CHECK (state IN (2, 3, 4))
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_bin;

-- One row for each attempt that failed.
CREATE TABLE IF NOT EXISTS pawl_attempt (
    job_id      bigint      NOT NULL,
    lease_token bigint      NOT NULL,
    attempt     smallint    NOT NULL,
    leased_by   bigint,
    started_at  datetime(6),
    failed_at   datetime(6) NOT NULL,
    error       mediumtext  NOT NULL,
    PRIMARY KEY (job_id, lease_token)
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_bin;

-- Lines that handlers wrote.
CREATE TABLE IF NOT EXISTS pawl_job_log (
    id        bigint      NOT NULL AUTO_INCREMENT PRIMARY KEY,
    job_id    bigint      NOT NULL,
    attempt   smallint    NOT NULL,
    logged_at datetime(6) NOT NULL,
    line      text        NOT NULL,
    KEY pawl_job_log_job (job_id, id)
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_bin;

-- One row for each worker process; its heartbeat tells that it lives.
CREATE TABLE IF NOT EXISTS pawl_worker (
    id           bigint       NOT NULL AUTO_INCREMENT PRIMARY KEY,
    name         varchar(200) NOT NULL,                  -- host/pid
    queues       text         NOT NULL,                  -- JSON array of strings
    concurrency  int          NOT NULL,
    started_at   datetime(6)  NOT NULL,
    heartbeat_at datetime(6)  NOT NULL,
    stopped_at   datetime(6)
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_bin;

-- What people set for a queue. A queue without a row runs.
CREATE TABLE IF NOT EXISTS pawl_queue (
    name      varchar(100) PRIMARY KEY,
    paused_at datetime(6),
    strategy  varchar(200)                               -- how its jobs are claimed; null: as suits the database
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_bin;

INSERT IGNORE INTO pawl_schema (version, name, applied_at) VALUES (1, 'jobs', UTC_TIMESTAMP(6));
