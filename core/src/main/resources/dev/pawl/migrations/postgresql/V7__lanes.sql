-- A lane is a queue's jobs of one priority that need no row of their own: written once, and never rewritten. A thousand of
-- them are claimed by one row in pawl_lane_range.
CREATE TABLE pawl_lane (
    id       int          GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    queue    varchar(100) NOT NULL,
    priority smallint     NOT NULL,
    is_open  boolean      NOT NULL DEFAULT true,         -- whether new jobs may be written to it
    UNIQUE (queue, priority)
);

-- Both kinds of jobs draw their ids from one sequence, which goes on where the jobs so far have come to. The first change,
-- which changes nothing, keeps everybody out until this step is done.
ALTER TABLE pawl_job ALTER COLUMN prefetched SET DEFAULT false;
CREATE SEQUENCE IF NOT EXISTS pawl_job_ids AS bigint;
INSERT INTO pawl_lane (queue, priority)
SELECT '', 0 WHERE setval('pawl_job_ids', GREATEST(
    nextval('pawl_job_ids'), nextval(pg_get_serial_sequence('pawl_job', 'id')), (SELECT MAX(id) FROM pawl_job),
    (SELECT MAX(id) FROM pawl_job_history), (SELECT MAX(job_id) FROM pawl_attempt),
    (SELECT MAX(job_id) FROM pawl_job_log))) < 0; -- never: this only sets the sequence
ALTER TABLE pawl_job ALTER COLUMN id DROP IDENTITY IF EXISTS;
ALTER TABLE pawl_job ALTER COLUMN id SET DEFAULT nextval('pawl_job_ids');

-- Jobs in the order of their ids.
CREATE TABLE pawl_lane_job (
    lane         int          NOT NULL,
    id           bigint       NOT NULL DEFAULT nextval('pawl_job_ids'),
    created_at   timestamptz  NOT NULL,
    max_attempts smallint     NOT NULL,
    kind         varchar(100) NOT NULL,
    tags         text,
    payload      text         NOT NULL,
    PRIMARY KEY (lane, id)
);

-- What was claimed together: the jobs between the last one of the range before it and its own last one. The primary key
-- lets one of several claims win. A job is available beyond the last range; in a range it is running, unless a bit says
-- that it is done, or has moved to a row of its own.
CREATE TABLE pawl_lane_range (
    lane             int         NOT NULL,
    after_id         bigint      NOT NULL,               -- the last id of the range before it; 0 for the first
    last_id          bigint      NOT NULL,
    jobs             int         NOT NULL,
    ids              text,                               -- steps from one to the next; null: consecutive up to last_id
    leased_by        bigint      NOT NULL,               -- pawl_worker.id
    ahead            boolean     NOT NULL,               -- claimed before a handler was free
    claimed_at       timestamptz NOT NULL,
    lease_expires_at timestamptz,                        -- null: all are done or moved
    finished_at      timestamptz,                        -- when a bit was set last
    completed        int         NOT NULL DEFAULT 0,
    moves            int         NOT NULL DEFAULT 0,     -- how many have moved
    done             bytea,                              -- a bit for each job; null: none, or, without a lease, all that have not moved
    moved            bytea,
    emptied          boolean     NOT NULL DEFAULT false, -- its jobs are deleted from pawl_lane_job
    recount_at       timestamptz,                        -- when to look for jobs that were committed late; null: there are none
    recounts         smallint    NOT NULL DEFAULT 0,
    PRIMARY KEY (lane, after_id)
) WITH (fillfactor = 70);
CREATE INDEX pawl_lane_range_open ON pawl_lane_range (lease_expires_at) WHERE lease_expires_at IS NOT NULL;
CREATE INDEX pawl_lane_range_recount ON pawl_lane_range (recount_at) WHERE recount_at IS NOT NULL;

INSERT INTO pawl_schema (version, name, applied_at, works_from) VALUES (7, 'lanes', statement_timestamp(), 7);
