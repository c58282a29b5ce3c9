-- What handlers gave back, written with the completion and kept as long as the job.
CREATE TABLE pawl_result (
    job_id      integer       NOT NULL,
    lease_token integer       NOT NULL,                  -- of the run that completed the job
    written_at  integer NOT NULL,
    result      text NOT NULL,                           -- as the codec wrote it
    PRIMARY KEY (job_id, lease_token)
);

-- Jobs that belong together. Who adds to a batch shares a lock on its row, who seals it has it alone; runs that end do not touch it.
CREATE TABLE pawl_batch (
    id          integer      PRIMARY KEY AUTOINCREMENT,
    parent_id   integer,                                 -- the batch it is part of
    name        varchar(200) NOT NULL,
    created_at  integer NOT NULL,
    sealed_at   integer,                                 -- no more jobs come, but for those that its own jobs add
    on_done     text,                                    -- jobs to enqueue: JSON objects of strings
    on_failed   text,
    on_success  text
);
CREATE INDEX pawl_batch_parent ON pawl_batch (parent_id);

-- How far a batch is: one update for each flush of outcomes.
CREATE TABLE pawl_batch_count (
    batch_id     integer   NOT NULL PRIMARY KEY,
    expected     integer,                                -- how many there are; null: not sealed
    completed    integer   NOT NULL DEFAULT 0,
    failed       integer   NOT NULL DEFAULT 0,           -- discarded
    cancelled    integer   NOT NULL DEFAULT 0,
    stop_percent integer      NOT NULL DEFAULT 0,        -- stop when more than that have failed; 0: never
    stop_after   integer      NOT NULL DEFAULT 0,        -- of at least so many that have ended
    stopped_at   integer,
    fired        smallint NOT NULL DEFAULT 0,            -- callbacks that were enqueued: 1 done, 2 failed, 4 success
    reported     smallint NOT NULL DEFAULT 0,            -- as what its parent has counted it: 0 not, 2 completed, 3 cancelled, 4 failed
    chore        smallint NOT NULL DEFAULT 0,            -- what a worker is to do: 1 cancel what waits
    done_at      integer
);
CREATE INDEX pawl_batch_count_chore ON pawl_batch_count (chore) WHERE chore > 0;
CREATE INDEX pawl_batch_count_done ON pawl_batch_count (done_at);

-- Which jobs a batch has.
CREATE TABLE pawl_batch_job (
    batch_id integer NOT NULL,
    job_id   integer NOT NULL,
    PRIMARY KEY (batch_id, job_id)
);

INSERT INTO pawl_schema (version, name, applied_at, works_from)
VALUES (16, 'batches', CAST(unixepoch('subsec') * 1000 AS integer) * 1000, 7);
