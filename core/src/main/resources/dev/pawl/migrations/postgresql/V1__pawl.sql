-- Pawl's tables. Names and keys compare byte for byte; columns of type bigint that hold a moment are microseconds since 1970 by the
-- database's clock.

-- ---------------------------------------------------------------------------------------------------- schema

-- The versions that were applied. Each script records its own, whatever tool runs it.
CREATE TABLE IF NOT EXISTS pawl_schema (
    version    int          PRIMARY KEY,
    name       varchar(100) NOT NULL,
    applied_at timestamptz  NOT NULL,
    works_from int          NOT NULL                     -- the oldest program that can use the tables, by the newest version that it knows
);

-- ---------------------------------------------------------------------------------------------------- jobs as rows

-- Jobs that have not finished: a small, hot table, empty when the work is done.
CREATE SEQUENCE pawl_job_ids AS bigint;                  -- of rows and lanes alike
CREATE TABLE pawl_job (
    id               bigint       DEFAULT nextval('pawl_job_ids') PRIMARY KEY,
    lease_token      bigint       NOT NULL DEFAULT 0,    -- grows with every claim; every write of the claim's owner tests it
    leased_by        bigint,                             -- pawl_worker.id while running
    created_at       timestamptz  NOT NULL,
    available_at     timestamptz  NOT NULL,              -- can be claimed from then on, if it waits for no other jobs
    started_at       timestamptz,                        -- when the running attempt was claimed
    lease_expires_at timestamptz,
    expires_at       timestamptz,                        -- must have started by then; null: no expiry
    batch_id         bigint,                             -- pawl_batch.id; null: none
    cost             int,                                -- starts of a rate that it takes; null: 1
    state            smallint     NOT NULL DEFAULT 0,    -- 0 available, 1 running, 2 completed and about to move to the
                                                         -- history, 5 blocked by its key, 6 pending for its workflow,
                                                         -- 7 paused with its batch
    priority         smallint     NOT NULL DEFAULT 0,    -- small first
    attempt          smallint     NOT NULL DEFAULT 0,    -- attempts started so far
    max_attempts     smallint     NOT NULL,
    progress         smallint,                           -- 0 to 100, as the handler reported
    cancel_requested boolean      NOT NULL DEFAULT false,
    prefetched       boolean      NOT NULL DEFAULT false, -- claimed before a handler was free; the attempt counts once it has started
    queue            varchar(100) NOT NULL,
    kind             varchar(100) NOT NULL,
    unique_key       varchar(200),
    unindexed_key    varchar(200),                       -- its unique key, if it has the key only while it waits, or has expired
    job_key          varchar(200),                       -- concurrency key; null: none
    tags             text,                               -- JSON array of strings
    payload          text         NOT NULL,
    headers          text,                               -- JSON object of strings, such as a trace's context
    CONSTRAINT pawl_job_state CHECK (state IN (0, 1, 2, 5, 6, 7)),
    CONSTRAINT pawl_job_lease CHECK (
        (state IN (1, 2)) = (leased_by IS NOT NULL)
        AND (state IN (1, 2)) = (lease_expires_at IS NOT NULL)
        AND (state IN (1, 2)) = (started_at IS NOT NULL)),
    CONSTRAINT pawl_job_attempts CHECK (
        attempt >= 0 AND attempt <= max_attempts AND (state IN (1, 2) OR attempt < max_attempts))
) WITH (
    -- Rows come and go: vacuum after a number of rows instead of a share of them, and without pauses.
    autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_threshold = 2000,
    autovacuum_vacuum_cost_delay = 0, autovacuum_analyze_scale_factor = 0.1);

-- The order of claims, kind by kind: a worker never reads past jobs of kinds that it does not handle. A claim removes the job from this
-- index.
CREATE INDEX pawl_job_ready ON pawl_job (queue, kind, priority, available_at, id) WHERE state = 0;
-- Jobs that wait for others, and are in no other index of states.
CREATE INDEX pawl_job_waiting ON pawl_job (state, queue, kind) WHERE state > 4;
CREATE INDEX pawl_job_running ON pawl_job (lease_expires_at) WHERE state = 1;
CREATE INDEX pawl_job_marked ON pawl_job (id) WHERE state = 2;
CREATE UNIQUE INDEX pawl_job_unique_key ON pawl_job (kind, unique_key) WHERE unique_key IS NOT NULL;

-- Finished jobs, written by the transaction that finishes them, deleted by age.
CREATE TABLE pawl_job_history (
    id               bigint       PRIMARY KEY,
    lease_token      bigint       NOT NULL,
    leased_by        bigint,
    created_at       timestamptz  NOT NULL,
    available_at     timestamptz  NOT NULL,
    started_at       timestamptz,
    finished_at      timestamptz  NOT NULL,
    expires_at       timestamptz,
    batch_id         bigint,
    cost             int,
    state            smallint     NOT NULL,              -- 2 completed, 3 cancelled, 4 discarded
    priority         smallint     NOT NULL,
    attempt          smallint     NOT NULL,
    max_attempts     smallint     NOT NULL,
    progress         smallint,
    queue            varchar(100) NOT NULL,
    kind             varchar(100) NOT NULL,
    unique_key       varchar(200),
    unindexed_key    varchar(200),
    job_key          varchar(200),
    tags             text,
    payload          text         NOT NULL,
    headers          text,
    reason           text,
    CONSTRAINT pawl_job_history_state CHECK (state IN (2, 3, 4))
);
CREATE INDEX pawl_job_history_finished ON pawl_job_history (state, finished_at);

-- Failed attempts.
CREATE TABLE pawl_attempt (
    job_id      bigint      NOT NULL,
    lease_token bigint      NOT NULL,
    attempt     smallint    NOT NULL,
    leased_by   bigint,
    started_at  timestamptz,
    failed_at   timestamptz NOT NULL,
    error       text        NOT NULL,
    PRIMARY KEY (job_id, lease_token)
);

-- Lines that handlers logged.
CREATE TABLE pawl_job_log (
    id        bigint      GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    job_id    bigint      NOT NULL,
    attempt   smallint    NOT NULL,
    logged_at timestamptz NOT NULL,
    line      text        NOT NULL
);
CREATE INDEX pawl_job_log_job ON pawl_job_log (job_id, id);

-- Results of handlers, written with the completion and kept as long as the job.
CREATE TABLE pawl_result (
    job_id      bigint      NOT NULL,
    lease_token bigint      NOT NULL,                    -- of the run that completed the job
    written_at  timestamptz NOT NULL,
    result      text        NOT NULL,                    -- as the codec wrote it
    PRIMARY KEY (job_id, lease_token)
);

-- Stack traces of runs, on request: a client requests one, the worker that runs the job reports it.
CREATE TABLE pawl_stack (
    job_id       bigint      NOT NULL PRIMARY KEY,
    lease_token  bigint      NOT NULL,                   -- of the run in question
    attempt      int         NOT NULL,
    requested_at timestamptz NOT NULL,
    reported_at  timestamptz,                            -- null: not reported yet
    stack_text   text
);

-- ---------------------------------------------------------------------------------------------------- jobs in lanes

-- A lane holds the jobs of one queue and priority that need no row of their own. They are written once and never updated; one row of
-- pawl_lane_range claims up to a thousand of them.
CREATE TABLE pawl_lane (
    id       int          GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    queue    varchar(100) NOT NULL,
    priority smallint     NOT NULL,
    is_open  boolean      NOT NULL DEFAULT true,         -- whether it takes new jobs
    node     int          NOT NULL DEFAULT 0,            -- for MySQL and MariaDB
    UNIQUE (queue, priority, node)
);

-- The jobs, ordered by id.
CREATE TABLE pawl_lane_job (
    id           bigint       NOT NULL DEFAULT nextval('pawl_job_ids'),
    created_at   timestamptz  NOT NULL,
    expires_at   timestamptz,
    batch_id     bigint,
    lane         int          NOT NULL,
    cost         int,
    max_attempts smallint     NOT NULL,
    kind         varchar(100) NOT NULL,
    tags         text,
    payload      text         NOT NULL,
    headers      text,
    PRIMARY KEY (lane, id)
);

-- Claims: the jobs after the last one of the range before, up to the range's own last one. The primary key lets one of several
-- concurrent claims win. Jobs behind the last range are available. Jobs of a range are running unless their bit says that they are done,
-- or that they have moved to a row of their own.
CREATE TABLE pawl_lane_range (
    lane             int         NOT NULL,
    starts_after     bigint      NOT NULL,               -- the last id of the range before; 0 for the first range
    last_id          bigint      NOT NULL,
    jobs             int         NOT NULL,
    id_gaps          text,                               -- gaps between ids; null: consecutive up to last_id
    leased_by        bigint      NOT NULL,               -- pawl_worker.id
    token            bigint      NOT NULL DEFAULT 1,     -- drawn by each claim; every write of its owner tests it
    ahead            boolean     NOT NULL,               -- claimed before a handler was free
    claimed_at       timestamptz NOT NULL,
    lease_expires_at timestamptz,                        -- null: all jobs are done or moved
    finished_at      timestamptz,                        -- when a bit was last set
    completed        int         NOT NULL DEFAULT 0,
    moved_count      int         NOT NULL DEFAULT 0,     -- number of moved jobs
    done             bytea,                              -- a bit for each job; null: none, or, without a lease, all that have not moved
    moved            bytea,
    jobs_deleted     boolean     NOT NULL DEFAULT false, -- its jobs are deleted from pawl_lane_job
    recount_at       timestamptz,                        -- when to search for jobs that were committed late; null: never
    recounts         smallint    NOT NULL DEFAULT 0,
    node             int         NOT NULL DEFAULT 0,     -- for MySQL and MariaDB
    PRIMARY KEY (lane, starts_after)
) WITH (fillfactor = 70);
CREATE INDEX pawl_lane_range_open ON pawl_lane_range (lease_expires_at) WHERE lease_expires_at IS NOT NULL;
CREATE INDEX pawl_lane_range_recount ON pawl_lane_range (recount_at) WHERE recount_at IS NOT NULL;
CREATE INDEX pawl_lane_range_closed ON pawl_lane_range (claimed_at) WHERE recount_at IS NOT NULL;

-- One row for each job of a range that a handler's transaction has completed, until the range has its bit; and for each job that has moved
-- while it was running, as long as the range exists. The first of the two to write the key wins.
CREATE TABLE pawl_lane_fence (
    id    bigint NOT NULL PRIMARY KEY,                   -- of the job
    token bigint NOT NULL                                -- of the claim under which it was completed; 0: it has moved
);

-- ---------------------------------------------------------------------------------------------------- workers and queues

-- Worker processes; a heartbeat shows that one is alive.
CREATE TABLE pawl_worker (
    id                 bigint       GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    name               varchar(200) NOT NULL,            -- host/pid
    queues             text         NOT NULL,            -- JSON array of strings
    kinds              text         NOT NULL,            -- JSON array of the kinds that it handles
    schedules          text,                             -- JSON object: the form of each schedule that its program declares; null: none
    concurrency        int          NOT NULL,
    max_concurrency    integer      NOT NULL,            -- how far it can be scaled
    wanted_concurrency integer,                          -- what an operator wants; null: as it is
    command            smallint,                         -- a command for it: 1 claim nothing, 2 stop; null: work
    started_at         timestamptz  NOT NULL,
    heartbeat_at       timestamptz  NOT NULL,
    stopped_at         timestamptz,
    started_leases     text,                             -- prefetched jobs that may have started: JSON array of [token, first id, last id]
    runs               text                              -- run times since its start: JSON object of counts by kind and time; null: no run yet
);

-- Remote workers as each manager sees them.
CREATE TABLE pawl_remote_worker (
    manager_id bigint       NOT NULL,                    -- pawl_worker.id
    url        varchar(200) NOT NULL,
    problem    varchar(500),                             -- why it gets no jobs; null: it is healthy
    capacity   int          NOT NULL,                    -- jobs at once
    running    int          NOT NULL,                    -- jobs that it has from all managers
    kinds      text         NOT NULL,                    -- JSON array of strings; empty: all
    checked_at timestamptz  NOT NULL,
    PRIMARY KEY (manager_id, url)
);

-- Which remote worker a run was assigned to; kept as long as the job.
CREATE TABLE pawl_assignment (
    job_id      bigint       NOT NULL,
    lease_token bigint       NOT NULL,
    attempt     smallint     NOT NULL,
    assigned_at timestamptz  NOT NULL,
    worker      varchar(200) NOT NULL,
    PRIMARY KEY (job_id, lease_token)
);

-- Settings of queues. A queue without a row runs.
CREATE TABLE pawl_queue (
    name      varchar(100) PRIMARY KEY,
    paused_at timestamptz,
    strategy  varchar(200)                               -- how its jobs are claimed; null: as suits the database
);

-- How long finished jobs are kept, in microseconds; null: as by default.
CREATE TABLE pawl_retention (
    subject   varchar(10)  NOT NULL,                     -- queue or kind, whose row takes precedence; program: all others, as a program
                                                         -- has set it, for those that set nothing
    name      varchar(100) NOT NULL,                     -- empty for program
    completed bigint,
    cancelled bigint,
    discarded bigint,
    PRIMARY KEY (subject, name)
);

-- Work that one process of all does while it holds the row; the next one resumes from the state.
CREATE TABLE pawl_leader (
    name       varchar(40)  NOT NULL,
    owner      varchar(100) NOT NULL,                    -- a process
    token      bigint       NOT NULL,                    -- grows with every owner; every write of the state tests it
    held_until timestamptz,                              -- null: released
    state      text,
    PRIMARY KEY (name)
);

-- Samples of all queues for charts: a few thousand rows at most, and no new ones while no dashboard or alert needs them.
CREATE TABLE pawl_sample (
    resolution smallint    NOT NULL,                     -- 0: every ten seconds, for hours; 1: every five minutes, for days
    taken_at   timestamptz NOT NULL,
    span       bigint      NOT NULL,                     -- over how many microseconds finished jobs were counted
    stats      text        NOT NULL,                     -- JSON object: numbers by queue, run times by kind
    PRIMARY KEY (resolution, taken_at)
);

-- ---------------------------------------------------------------------------------------------------- slots

-- Series of slots: values that jobs take one after the other. A reservation locks the row of the series.
CREATE TABLE pawl_slot_series (
    name         varchar(100) NOT NULL PRIMARY KEY,
    started      boolean      NOT NULL DEFAULT false,    -- whether the first value is known
    last_slot    varchar(200),                           -- the value that was issued last
    last_ordinal bigint       NOT NULL DEFAULT 0         -- how many were issued
);

CREATE TABLE pawl_slot (
    series       varchar(100) NOT NULL,
    slot         varchar(200) NOT NULL,
    ordinal      bigint       NOT NULL,                  -- in the order of issue
    state        smallint     NOT NULL,                  -- 0 reserved, 1 used, 2 cleared
    owner        varchar(36)  NOT NULL,                  -- drawn by each reservation; every later write tests it
    job_id       bigint,                                 -- the job that reserved it
    reserved_at  timestamptz  NOT NULL,
    expires_at   timestamptz  NOT NULL,                  -- of the reservation
    used_at      timestamptz,
    PRIMARY KEY (series, slot),
    CONSTRAINT pawl_slot_state CHECK (state IN (0, 1, 2) AND (state = 1) = (used_at IS NOT NULL))
);
CREATE INDEX pawl_slot_free ON pawl_slot (series, state, ordinal);

-- ---------------------------------------------------------------------------------------------------- schedules

-- Recurring jobs: what a tick enqueues, and when the next one is due.
CREATE TABLE pawl_schedule (
    name             varchar(100) NOT NULL,
    kind             varchar(100) NOT NULL,
    queue            varchar(100) NOT NULL,
    priority         smallint     NOT NULL,
    max_attempts     smallint     NOT NULL,
    tags             text,
    headers          text,
    job_key          varchar(200),
    cost             int,
    expires_in       bigint,                             -- in microseconds, from the enqueue of each job
    payload          text         NOT NULL,
    recurrence       varchar(400) NOT NULL,              -- '0 3 * * * in Europe/Rome', 'every PT5M', 'PT5M after its end'
    declared         varchar(400),                       -- the recurrence that a program declares; null: added by an operator
    missed           int          NOT NULL,              -- how many missed ticks are made up for
    overlap          varchar(20)  NOT NULL,              -- while the last job has not finished: skip, queue, allow
    local_exclusions boolean      NOT NULL,              -- whether it excludes days that only the declaring programs know
    next_at          timestamptz,                        -- the next tick; null: paused, or decided when a job finishes
    next_check_at    timestamptz,                        -- when a worker checks next; null: paused
    overlapping      boolean      NOT NULL DEFAULT false, -- whether the next tick is due and waits for the last job to finish
    last_tick        timestamptz,
    last_job_id      bigint,
    paused_at        timestamptz,
    created_at       timestamptz  NOT NULL,
    revision         bigint       NOT NULL DEFAULT 0,    -- grows with every change
    PRIMARY KEY (name)
);
CREATE INDEX pawl_schedule_next_check ON pawl_schedule (next_check_at);

-- What became of each tick. The primary key makes it happen once.
CREATE TABLE pawl_tick (
    schedule   varchar(100) NOT NULL,
    tick       timestamptz  NOT NULL,
    checked_at timestamptz  NOT NULL,
    outcome    varchar(20)  NOT NULL,                    -- enqueued, overlapped, missed, by_hand
    job_id     bigint,
    PRIMARY KEY (schedule, tick)
);

-- ---------------------------------------------------------------------------------------------------- limits

-- Limits of the whole cluster.
CREATE TABLE pawl_limit (
    subject                varchar(10)  NOT NULL,        -- queue, kind or keys
    name                   varchar(100) NOT NULL,
    max_concurrency        int,                          -- most jobs that run at the same time; null: any number
    max_concurrency_shared int,                          -- most jobs of all keys of a queue in flight, shared equally; null: any number
    rate_limit             int,                          -- most jobs that start in any span of rate_period; null: any number
    rate_period            bigint,                       -- in microseconds
    max_waiting            int,                          -- most jobs that may wait before an enqueue is refused; null: any number
    next_start_at          timestamptz,                  -- when the rate allows the next start; null: at once
    cost_backlog           text,                         -- JSON object: recent starts, while jobs cost several or answers are late
    paused_until           timestamptz,                  -- until when the resource is unavailable; null: it is available
    failures               int          NOT NULL DEFAULT 0, -- how often in a row it was unavailable; 0 if an operator paused it
    reason                 text,
    allocations            bigint       NOT NULL DEFAULT 0, -- grows with each: in clusters with several writers only a change conflicts
    PRIMARY KEY (subject, name)
);

-- A worker's permits under max_concurrency. Expired ones count as much as their worker still has leases.
CREATE TABLE pawl_permit (
    subject    varchar(10)  NOT NULL,
    name       varchar(100) NOT NULL,
    worker_id  bigint       NOT NULL,                    -- pawl_worker.id
    permits    int          NOT NULL,
    wanted     int          NOT NULL,                    -- how many more it would use
    expires_at timestamptz,                              -- null: released
    PRIMARY KEY (subject, name, worker_id)
);

-- ---------------------------------------------------------------------------------------------------- unique keys, concurrency keys

-- Unique keys that outlast their job, or are taken while it is in certain states.
CREATE TABLE pawl_unique (
    kind       varchar(100) NOT NULL,
    unique_key varchar(200) NOT NULL,
    job_id     bigint       NOT NULL,                    -- the job that has the key
    scope      varchar(20),                              -- how long its job has it: waiting, live-or-discarded, kept; null: by time
    recheck_at timestamptz  NOT NULL,                    -- when the key is free; with a scope, when to check next
    expires_at timestamptz,                              -- with a scope: when the key is free even so
    PRIMARY KEY (kind, unique_key)
);
CREATE INDEX pawl_unique_recheck ON pawl_unique (recheck_at);

-- Jobs that wait for others of their concurrency key. They leave by pawl_key.in_flight, or with released = 1 if that is full.
CREATE TABLE pawl_keyed (
    queue    varchar(100) NOT NULL,
    job_key  varchar(200) NOT NULL,
    job_id   bigint       NOT NULL PRIMARY KEY,
    available_at bigint   NOT NULL,                     -- moment before which it is not released; 0: its time has come
    priority smallint     NOT NULL,                      -- of the job
    released smallint     NOT NULL                       -- 0: blocked; 1: released, perhaps finished
) WITH (
    autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_threshold = 2000,
    autovacuum_vacuum_cost_delay = 0, autovacuum_analyze_scale_factor = 0.1);
CREATE INDEX pawl_keyed_line ON pawl_keyed (released, queue, job_key, available_at, priority, job_id);
-- When the next one is due, which a worker reads before it waits.
CREATE INDEX pawl_keyed_later ON pawl_keyed (queue, available_at) WHERE released = 0 AND available_at > 0;

-- Concurrency keys. Releasing jobs of a key locks its row.
CREATE TABLE pawl_key (
    queue           varchar(100) NOT NULL,
    job_key         varchar(200) NOT NULL,
    next_start_at   bigint       NOT NULL DEFAULT 0,     -- moment of the next start, if keys of the queue have a rate
    next_release_at bigint       NOT NULL DEFAULT 0,     -- moment of the next release
    cost_backlog    text,                                -- recent starts, while jobs cost several or answers are late
    kept_until      bigint       NOT NULL DEFAULT 0,     -- moment until which the row is kept without jobs, for its rate
    paused_until    bigint       NOT NULL DEFAULT 0,     -- moment until which the resource is unavailable; 0: available
    failures        int          NOT NULL DEFAULT 0,     -- how often in a row it was unavailable; 0 if an operator paused it
    reason          text,
    in_flight       text,                                -- ids of released jobs, separated by commas; they may have finished since
    has_in_flight   smallint     NOT NULL DEFAULT 0,     -- 1: in_flight is not empty
    PRIMARY KEY (queue, job_key)
) WITH (fillfactor = 50);                                -- a release updates its row in place
CREATE INDEX pawl_key_in_flight ON pawl_key (has_in_flight, queue, job_key);

-- ---------------------------------------------------------------------------------------------------- batches and workflows

-- Jobs that belong together. Adding to a batch takes a shared lock on its row, sealing an exclusive one; finishing jobs do not change it.
CREATE TABLE pawl_batch (
    id         bigint       GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    parent_id  bigint,                                   -- the batch that it is part of
    name       varchar(200) NOT NULL,
    created_at timestamptz  NOT NULL,
    sealed_at  timestamptz,                              -- from then on only its own jobs add to it
    on_done    text,                                     -- jobs to enqueue: JSON objects of strings
    on_failed  text,
    on_success text
);
CREATE INDEX pawl_batch_parent ON pawl_batch (parent_id);

-- The progress of a batch: one update for each flush of outcomes.
CREATE TABLE pawl_batch_count (
    batch_id       bigint   NOT NULL PRIMARY KEY,
    expected       bigint,                               -- number of jobs; null: not sealed
    completed      bigint   NOT NULL DEFAULT 0,
    failed         bigint   NOT NULL DEFAULT 0,          -- discarded
    cancelled      bigint   NOT NULL DEFAULT 0,
    stop_percent   int      NOT NULL DEFAULT 0,          -- stops when more than that share has failed; 0: never
    stop_after     int      NOT NULL DEFAULT 0,          -- but not before this number has finished
    stopped_at     timestamptz,
    fired          smallint NOT NULL DEFAULT 0,          -- enqueued callbacks: 1 done, 2 failed, 4 success
    reported       smallint NOT NULL DEFAULT 0,          -- how its parent counts it: 0 not, 2 completed, 3 cancelled, 4 failed
    pending_action smallint NOT NULL DEFAULT 0,          -- for a worker to do: 1 cancel the jobs that wait, 2 let the rest start
    done_at        timestamptz,
    known_jobs     bigint,                               -- result of the last count of its jobs, up to known_to
    known_to       bigint
);
CREATE INDEX pawl_batch_count_pending_action ON pawl_batch_count (pending_action) WHERE pending_action > 0;
CREATE INDEX pawl_batch_count_done ON pawl_batch_count (done_at);

-- The jobs of a batch.
CREATE TABLE pawl_batch_job (
    batch_id bigint NOT NULL,
    job_id   bigint NOT NULL,
    PRIMARY KEY (batch_id, job_id)
);

-- Batches whose jobs do not start: paused, or waiting for a few first jobs to complete. Others have no row.
CREATE TABLE pawl_batch_pause (
    batch_id    bigint NOT NULL PRIMARY KEY,
    canary      int    NOT NULL DEFAULT 0,               -- jobs that complete before the others start; 0: none, or they have
    paused_at   timestamptz,
    released_at timestamptz                              -- when it was resumed
);

-- Nodes of workflows. A node is a batch within the batch that is the workflow.
CREATE TABLE pawl_node (
    id                bigint   NOT NULL PRIMARY KEY,     -- the batch of its jobs
    workflow_id       bigint   NOT NULL,                 -- the batch of its nodes
    open_dependencies int      NOT NULL,                 -- open dependencies
    state             smallint NOT NULL,                 -- 0 pending, 1 released
    pending_action    smallint NOT NULL DEFAULT 0        -- for a worker to do: 1 release its jobs, 2 cancel them
);
CREATE INDEX pawl_node_workflow ON pawl_node (workflow_id);
CREATE INDEX pawl_node_pending_action ON pawl_node (pending_action) WHERE pending_action > 0;

-- Dependencies between nodes.
CREATE TABLE pawl_edge (
    node_id    bigint   NOT NULL,
    next_id    bigint   NOT NULL,                        -- the node that depends on it
    on_failure smallint NOT NULL,                        -- if node_id does not complete: 0 next_id goes on waiting, 1 is cancelled, 2 runs
    satisfied  smallint NOT NULL,                        -- 1: satisfied
    PRIMARY KEY (node_id, next_id)
);

-- ---------------------------------------------------------------------------------------------------- steps

-- What a job remembers from one run to the next: finished steps, and what it waits for.
CREATE TABLE pawl_step (
    job_id     bigint       NOT NULL,
    kind       smallint     NOT NULL,                    -- 0 step, 1 signal, 2 sleep
    name       varchar(200) NOT NULL,
    place      int          NOT NULL,                    -- in the order in which the job reached them; 0: not yet
    state      smallint     NOT NULL,                    -- 0 waiting, 1 done, 2 timed out
    payload    text,                                     -- its value; null: none
    written_at timestamptz  NOT NULL,
    until_at   timestamptz,                              -- how long it waits
    PRIMARY KEY (job_id, kind, name)
);

INSERT INTO pawl_schema (version, name, applied_at, works_from) VALUES (1, 'pawl', statement_timestamp(), 1);
