-- A lane is a queue's jobs of one priority that need no row of their own: written once, and never rewritten. A thousand of
-- them are claimed by one row in pawl_lane_range.
CREATE TABLE pawl_lane (
    id       integer      PRIMARY KEY AUTOINCREMENT,
    queue    varchar(100) NOT NULL,
    priority smallint     NOT NULL,
    is_open  boolean      NOT NULL DEFAULT true,         -- whether new jobs may be written to it
    UNIQUE (queue, priority)
);

-- Jobs in the order of their ids, which are drawn from the counter of pawl_job.
CREATE TABLE pawl_lane_job (
    lane         integer      NOT NULL,
    id           integer      NOT NULL,
    created_at   integer      NOT NULL,
    max_attempts smallint     NOT NULL,
    kind         varchar(100) NOT NULL,
    tags         text,
    payload      text         NOT NULL,
    PRIMARY KEY (lane, id)
) WITHOUT ROWID;
INSERT INTO sqlite_sequence (name, seq)
SELECT 'pawl_job', 0 WHERE NOT EXISTS (SELECT 1 FROM sqlite_sequence WHERE name = 'pawl_job');

-- What was claimed together: the jobs between the last one of the range before it and its own last one. The primary key
-- lets one of several claims win. A job is available beyond the last range; in a range it is running, unless a bit says
-- that it is done, or has moved to a row of its own.
CREATE TABLE pawl_lane_range (
    lane             integer  NOT NULL,
    after_id         integer  NOT NULL,                  -- the last id of the range before it; 0 for the first
    last_id          integer  NOT NULL,
    jobs             int      NOT NULL,
    ids              text,                               -- steps from one to the next; null: consecutive up to last_id
    leased_by        bigint   NOT NULL,                  -- pawl_worker.id
    ahead            boolean  NOT NULL,                  -- claimed before a handler was free
    claimed_at       integer  NOT NULL,
    lease_expires_at integer,                            -- null: all are done or moved
    finished_at      integer,                            -- when a bit was set last
    completed        int      NOT NULL DEFAULT 0,
    moves            int      NOT NULL DEFAULT 0,        -- how many have moved
    done             blob,                               -- a bit for each job; null: none, or, without a lease, all that have not moved
    moved            blob,
    emptied          boolean  NOT NULL DEFAULT false,    -- its jobs are deleted from pawl_lane_job
    recount_at       integer,                            -- when to look for jobs that were committed late; null: there are none
    recounts         smallint NOT NULL DEFAULT 0,
    PRIMARY KEY (lane, after_id)
) WITHOUT ROWID;
CREATE INDEX pawl_lane_range_open ON pawl_lane_range (lease_expires_at) WHERE lease_expires_at IS NOT NULL;
CREATE INDEX pawl_lane_range_recount ON pawl_lane_range (recount_at) WHERE recount_at IS NOT NULL;

INSERT INTO pawl_schema (version, name, applied_at, works_from) VALUES (7, 'lanes', CAST(unixepoch('subsec') * 1000 AS integer) * 1000, 7);
