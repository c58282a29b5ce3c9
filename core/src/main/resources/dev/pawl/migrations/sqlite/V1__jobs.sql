-- Moments are microseconds since 1970.

-- Which steps of the schema have been taken. Each step records itself, whatever tool runs it.
CREATE TABLE IF NOT EXISTS pawl_schema (
    version    int          PRIMARY KEY,
    name       varchar(100) NOT NULL,
    applied_at integer      NOT NULL
);

-- Live jobs only: narrow, hot, and empty when the work is done.
CREATE TABLE pawl_job (
    id               integer      PRIMARY KEY AUTOINCREMENT,
    lease_token      integer      NOT NULL DEFAULT 0,    -- grows with every claim; every write of an owner names it
    leased_by        bigint,                             -- pawl_worker.id while running
    created_at       integer      NOT NULL,
    available_at     integer      NOT NULL,              -- may be claimed from then on
    started_at       integer,                        -- when the running attempt was claimed
    lease_expires_at integer,
    state            smallint     NOT NULL DEFAULT 0,    -- 0 available, 1 running, 2 completed: marked, and soon swept to the history
    priority         smallint     NOT NULL DEFAULT 0,    -- small first
    attempt          smallint     NOT NULL DEFAULT 0,    -- starts so far
    max_attempts     smallint     NOT NULL,
    progress         smallint,                           -- 0 to 100, as the handler reported
    cancel_requested boolean      NOT NULL DEFAULT false,
    queue            varchar(100) NOT NULL,
    kind             varchar(100) NOT NULL,
    unique_key       varchar(200),
    tags             text,                               -- JSON array of strings
    payload          text         NOT NULL,
    CONSTRAINT pawl_job_state CHECK (state IN (0, 1, 2)),
    CONSTRAINT pawl_job_lease CHECK (
        (state > 0) = (leased_by IS NOT NULL)
        AND (state > 0) = (lease_expires_at IS NOT NULL)
        AND (state > 0) = (started_at IS NOT NULL)),
    CONSTRAINT pawl_job_attempts CHECK (
        attempt >= 0 AND attempt <= max_attempts AND (state > 0 OR attempt < max_attempts))
);

-- The claim's order. A claimed row leaves this index; nothing in it changes otherwise.
CREATE INDEX pawl_job_ready ON pawl_job (queue, priority, available_at, id) WHERE state = 0;
CREATE INDEX pawl_job_running ON pawl_job (lease_expires_at) WHERE state = 1;
CREATE INDEX pawl_job_marked ON pawl_job (id) WHERE state = 2;
CREATE UNIQUE INDEX pawl_job_unique_key ON pawl_job (kind, unique_key) WHERE unique_key IS NOT NULL;

-- Finished jobs: appended in the transaction that finishes them, pruned by age.
CREATE TABLE pawl_job_history (
    id               integer      PRIMARY KEY,
    lease_token      integer      NOT NULL,
    leased_by        bigint,
    created_at       integer      NOT NULL,
    available_at     integer      NOT NULL,
    started_at       integer,
    finished_at      integer      NOT NULL,
    state            smallint     NOT NULL,              -- 2 completed, 3 cancelled, 4 discarded
    priority         smallint     NOT NULL,
    attempt          smallint     NOT NULL,
    max_attempts     smallint     NOT NULL,
    progress         smallint,
    queue            varchar(100) NOT NULL,
    kind             varchar(100) NOT NULL,
    unique_key       varchar(200),
    tags             text,
    payload          text         NOT NULL,
    reason           text,
    CONSTRAINT pawl_job_history_state CHECK (state IN (2, 3, 4))
);
CREATE INDEX pawl_job_history_finished ON pawl_job_history (state, finished_at);

-- One row for each attempt that failed.
CREATE TABLE pawl_attempt (
    job_id      integer     NOT NULL,
    lease_token integer     NOT NULL,
    attempt     smallint    NOT NULL,
    leased_by   bigint,
    started_at  integer,
    failed_at   integer     NOT NULL,
    error       text        NOT NULL,
    PRIMARY KEY (job_id, lease_token)
);

-- Lines that handlers wrote.
CREATE TABLE pawl_job_log (
    id        integer     PRIMARY KEY AUTOINCREMENT,
    job_id    integer     NOT NULL,
    attempt   smallint    NOT NULL,
    logged_at integer     NOT NULL,
    line      text        NOT NULL
);
CREATE INDEX pawl_job_log_job ON pawl_job_log (job_id, id);

-- One row for each worker process; its heartbeat tells that it lives.
CREATE TABLE pawl_worker (
    id           integer     PRIMARY KEY AUTOINCREMENT,
    name         varchar(200) NOT NULL,                  -- host/pid
    queues       text         NOT NULL,                  -- JSON array of strings
    concurrency  int          NOT NULL,
    started_at   integer      NOT NULL,
    heartbeat_at integer      NOT NULL,
    stopped_at   integer
);

-- What people set for a queue. A queue without a row runs.
CREATE TABLE pawl_queue (
    name      varchar(100) PRIMARY KEY,
    paused_at integer,
    strategy  varchar(200)                               -- how its jobs are claimed; null: as suits the database
);

INSERT INTO pawl_schema (version, name, applied_at) VALUES (1, 'jobs', CAST(unixepoch('subsec') * 1000 AS integer) * 1000);
