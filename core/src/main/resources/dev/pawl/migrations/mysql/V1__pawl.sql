-- Pawl's tables. The server commits after each statement, and each can be run again after a crash. Names and keys compare byte for byte.
-- Columns of type datetime(6) are UTC; columns of type bigint that hold a moment are microseconds since 1970 by the database's clock.

-- ---------------------------------------------------------------------------------------------------- schema

-- The versions that were applied. Each script records its own, whatever tool runs it.
CREATE TABLE IF NOT EXISTS pawl_schema (
    version    int          NOT NULL PRIMARY KEY,
    name       varchar(100) NOT NULL,
    applied_at datetime(6)  NOT NULL,
    works_from int          NOT NULL                     -- the oldest program that can use the tables, by the newest version that it knows
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_bin;

-- ---------------------------------------------------------------------------------------------------- jobs as rows

-- Jobs that have not finished: a small, hot table, empty when the work is done.
CREATE TABLE IF NOT EXISTS pawl_job (
    id               bigint       NOT NULL AUTO_INCREMENT PRIMARY KEY,
    lease_token      bigint       NOT NULL DEFAULT 0,    -- grows with every claim; every write of the claim's owner tests it
    leased_by        bigint,                             -- pawl_worker.id while running
    created_at       datetime(6)  NOT NULL,
    available_at     datetime(6)  NOT NULL,              -- can be claimed from then on, if it waits for no other jobs
    started_at       datetime(6),                        -- when the running attempt was claimed
    lease_expires_at datetime(6),
    expires_at       datetime(6),                        -- must have started by then; null: no expiry
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
    payload          mediumtext   NOT NULL,
    headers          text,                               -- JSON object of strings, such as a trace's context
    UNIQUE KEY pawl_job_unique_key (kind, unique_key),
    KEY pawl_job_ready (state, queue, kind, priority, available_at),
    CONSTRAINT pawl_job_state CHECK (state IN (0, 1, 2, 5, 6, 7)),
    CONSTRAINT pawl_job_lease CHECK (
        (state IN (1, 2)) = (leased_by IS NOT NULL)
        AND (state IN (1, 2)) = (lease_expires_at IS NOT NULL)
        AND (state IN (1, 2)) = (started_at IS NOT NULL)),
    CONSTRAINT pawl_job_attempts CHECK (
        attempt >= 0 AND attempt <= max_attempts AND (state IN (1, 2) OR attempt < max_attempts))
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_bin AUTO_INCREMENT = 1000000000000;

-- Finished jobs, written by the transaction that finishes them, deleted by age.
CREATE TABLE IF NOT EXISTS pawl_job_history (
    id           bigint       NOT NULL PRIMARY KEY,
    lease_token  bigint       NOT NULL,
    leased_by    bigint,
    created_at   datetime(6)  NOT NULL,
    available_at datetime(6)  NOT NULL,
    started_at   datetime(6),
    finished_at  datetime(6)  NOT NULL,
    expires_at   datetime(6),
    batch_id     bigint,
    cost         int,
    state        smallint     NOT NULL,                  -- 2 completed, 3 cancelled, 4 discarded
    priority     smallint     NOT NULL,
    attempt      smallint     NOT NULL,
    max_attempts smallint     NOT NULL,
    progress     smallint,
    queue        varchar(100) NOT NULL,
    kind         varchar(100) NOT NULL,
    unique_key   varchar(200),
    unindexed_key varchar(200),
    job_key      varchar(200),
    tags         text,
    payload      mediumtext   NOT NULL,
    headers      text,
    reason       text,
    KEY pawl_job_history_finished (state, finished_at),
    CONSTRAINT pawl_job_history_state CHECK (state IN (2, 3, 4))
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_bin;

-- Failed attempts.
CREATE TABLE IF NOT EXISTS pawl_attempt (
    job_id      bigint       NOT NULL,
    lease_token bigint       NOT NULL,
    attempt     smallint     NOT NULL,
    leased_by   bigint,
    started_at  datetime(6),
    failed_at   datetime(6)  NOT NULL,
    error       mediumtext   NOT NULL,
    PRIMARY KEY (job_id, lease_token)
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_bin;

-- Lines that handlers logged.
CREATE TABLE IF NOT EXISTS pawl_job_log (
    id        bigint       NOT NULL AUTO_INCREMENT PRIMARY KEY,
    job_id    bigint       NOT NULL,
    attempt   smallint     NOT NULL,
    logged_at datetime(6)  NOT NULL,
    line      mediumtext   NOT NULL,
    KEY pawl_job_log_job (job_id, id)
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_bin;

-- Results of handlers, written with the completion and kept as long as the job.
CREATE TABLE IF NOT EXISTS pawl_result (
    job_id      bigint       NOT NULL,
    lease_token bigint       NOT NULL,                   -- of the run that completed the job
    written_at  datetime(6)  NOT NULL,
    result      mediumtext   NOT NULL,                   -- as the codec wrote it
    PRIMARY KEY (job_id, lease_token)
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_bin;

-- Stack traces of runs, on request: a client requests one, the worker that runs the job reports it.
CREATE TABLE IF NOT EXISTS pawl_stack (
    job_id       bigint      NOT NULL PRIMARY KEY,
    lease_token  bigint      NOT NULL,                   -- of the run in question
    attempt      int         NOT NULL,
    requested_at datetime(6) NOT NULL,
    reported_at  datetime(6),                            -- null: not reported yet
    stack_text   mediumtext
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_bin;

-- ---------------------------------------------------------------------------------------------------- jobs in lanes

-- A lane holds the jobs of one queue and priority that need no row of their own. They are written once and never updated; one row of
-- pawl_lane_range claims up to a thousand of them.
CREATE TABLE IF NOT EXISTS pawl_lane (
    id       int          NOT NULL AUTO_INCREMENT PRIMARY KEY,
    queue    varchar(100) NOT NULL,
    priority smallint     NOT NULL,
    is_open  boolean      NOT NULL DEFAULT true,         -- whether it takes new jobs
    node     int          NOT NULL DEFAULT 0,            -- the node of a cluster on which its jobs are enqueued; 0: one server
    UNIQUE KEY pawl_lane_place (queue, priority, node)
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_bin;

-- The jobs, ordered by id. Jobs with rows of their own draw their ids here too, as rows of lane 0 that workers delete later: so no id is
-- given out twice.
CREATE TABLE IF NOT EXISTS pawl_lane_job (
    lane         int          NOT NULL,
    id           bigint       NOT NULL AUTO_INCREMENT,
    created_at   datetime(6)  NOT NULL,
    expires_at   datetime(6),
    batch_id     bigint,
    cost         int,
    max_attempts smallint     NOT NULL,
    kind         varchar(100) NOT NULL,
    tags         text,
    payload      mediumtext   NOT NULL,
    headers      text,
    PRIMARY KEY (lane, id),
    KEY pawl_lane_job_id (id)
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_bin;

-- Claims: the jobs after the last one of the range before, up to the range's own last one. The primary key lets one of several
-- concurrent claims win. Jobs behind the last range are available. Jobs of a range are running unless their bit says that they are done,
-- or that they have moved to a row of their own.
CREATE TABLE IF NOT EXISTS pawl_lane_range (
    lane             int            NOT NULL,
    starts_after     bigint         NOT NULL,            -- the last id of the range before; 0 for the first range
    last_id          bigint         NOT NULL,
    jobs             int            NOT NULL,
    id_gaps          text,                               -- gaps between ids; null: consecutive up to last_id
    leased_by        bigint         NOT NULL,            -- pawl_worker.id
    token            bigint         NOT NULL DEFAULT 1,  -- drawn by each claim; every write of its owner tests it
    ahead            boolean        NOT NULL,            -- claimed before a handler was free
    claimed_at       datetime(6)    NOT NULL,
    lease_expires_at datetime(6),                        -- null: all jobs are done or moved
    finished_at      datetime(6),                        -- when a bit was last set
    completed        int            NOT NULL DEFAULT 0,
    moved_count      int            NOT NULL DEFAULT 0,  -- number of moved jobs
    done             varbinary(200),                     -- a bit for each job; null: none, or, without a lease, all that have not moved
    moved            varbinary(200),
    jobs_deleted     boolean        NOT NULL DEFAULT false, -- its jobs are deleted from pawl_lane_job
    recount_at       datetime(6),                        -- when to search for jobs that were committed late; null: never
    recounts         smallint       NOT NULL DEFAULT 0,
    node             int            NOT NULL DEFAULT 0,  -- the node of a cluster on which it was claimed; 0: one server
    PRIMARY KEY (lane, starts_after),
    KEY pawl_lane_range_open (lease_expires_at),
    KEY pawl_lane_range_recount (recount_at)
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_bin;

-- One row for each job of a range that a handler's transaction has completed, until the range has its bit; and for each job that has moved
-- while it was running, as long as the range exists. The first of the two to write the key wins.
CREATE TABLE IF NOT EXISTS pawl_lane_fence (
    id    bigint NOT NULL PRIMARY KEY,                   -- of the job
    token bigint NOT NULL                                -- of the claim under which it was completed; 0: it has moved
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_bin;

-- ---------------------------------------------------------------------------------------------------- workers and queues

-- Worker processes; a heartbeat shows that one is alive.
CREATE TABLE IF NOT EXISTS pawl_worker (
    id                 bigint       NOT NULL AUTO_INCREMENT PRIMARY KEY,
    name               varchar(200) NOT NULL,            -- host/pid
    queues             mediumtext   NOT NULL,            -- JSON array of strings
    kinds              mediumtext   NOT NULL,            -- JSON array of the kinds that it handles
    schedules          mediumtext,                       -- JSON object: the form of each schedule that its program declares; null: none
    concurrency        int          NOT NULL,
    max_concurrency    int          NOT NULL,            -- how far it can be scaled
    wanted_concurrency int,                              -- what an operator wants; null: as it is
    command            smallint,                         -- a command for it: 1 claim nothing, 2 stop; null: work
    started_at         datetime(6)  NOT NULL,
    heartbeat_at       datetime(6)  NOT NULL,
    stopped_at         datetime(6),
    started_leases     mediumtext,                       -- prefetched jobs that may have started: JSON array of [token, first id, last id]
    runs               text                              -- run times since its start: JSON object of counts by kind and time; null: no run yet
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_bin;

-- Remote workers as each manager sees them.
CREATE TABLE IF NOT EXISTS pawl_remote_worker (
    manager_id bigint       NOT NULL,                    -- pawl_worker.id
    url        varchar(200) NOT NULL,
    problem    varchar(500),                             -- why it gets no jobs; null: it is healthy
    capacity   int          NOT NULL,                    -- jobs at once
    running    int          NOT NULL,                    -- jobs that it has from all managers
    kinds      text         NOT NULL,                    -- JSON array of strings; empty: all
    checked_at datetime(6)  NOT NULL,
    PRIMARY KEY (manager_id, url)
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_bin;

-- Which remote worker a run was assigned to; kept as long as the job.
CREATE TABLE IF NOT EXISTS pawl_assignment (
    job_id      bigint       NOT NULL,
    lease_token bigint       NOT NULL,
    attempt     smallint     NOT NULL,
    assigned_at datetime(6)  NOT NULL,
    worker      varchar(200) NOT NULL,
    PRIMARY KEY (job_id, lease_token)
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_bin;

-- Settings of queues. A queue without a row runs.
CREATE TABLE IF NOT EXISTS pawl_queue (
    name      varchar(100) NOT NULL PRIMARY KEY,
    paused_at datetime(6),
    strategy  varchar(200)                               -- how its jobs are claimed; null: as suits the database
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_bin;

-- How long finished jobs are kept, in microseconds; null: as by default.
CREATE TABLE IF NOT EXISTS pawl_retention (
    subject   varchar(10)  NOT NULL,                     -- queue or kind, whose row takes precedence; program: all others, as a program
                                                         -- has set it, for those that set nothing
    name      varchar(100) NOT NULL,                     -- empty for program
    completed bigint,
    cancelled bigint,
    discarded bigint,
    PRIMARY KEY (subject, name)
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_bin;

-- Work that one process of all does while it holds the row; the next one resumes from the state.
CREATE TABLE IF NOT EXISTS pawl_leader (
    name       varchar(40)  NOT NULL PRIMARY KEY,
    owner      varchar(100) NOT NULL,                    -- a process
    token      bigint       NOT NULL,                    -- grows with every owner; every write of the state tests it
    held_until datetime(6),                              -- null: released
    state      mediumtext
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_bin;

-- Samples of all queues for charts: a few thousand rows at most, and no new ones while no dashboard or alert needs them.
CREATE TABLE IF NOT EXISTS pawl_sample (
    resolution smallint    NOT NULL,                     -- 0: every ten seconds, for hours; 1: every five minutes, for days
    taken_at   datetime(6) NOT NULL,
    span       bigint      NOT NULL,                     -- over how many microseconds finished jobs were counted
    stats      mediumtext  NOT NULL,                     -- JSON object: numbers by queue, run times by kind
    PRIMARY KEY (resolution, taken_at)
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_bin;

-- ---------------------------------------------------------------------------------------------------- slots

-- Series of slots: values that jobs take one after the other. A reservation locks the row of the series.
CREATE TABLE IF NOT EXISTS pawl_slot_series (
    name         varchar(100) NOT NULL PRIMARY KEY,
    started      boolean      NOT NULL DEFAULT false,    -- whether the first value is known
    last_slot    varchar(200),                           -- the value that was issued last
    last_ordinal bigint       NOT NULL DEFAULT 0         -- how many were issued
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_bin;

CREATE TABLE IF NOT EXISTS pawl_slot (
    series      varchar(100) NOT NULL,
    slot        varchar(200) NOT NULL,
    ordinal     bigint       NOT NULL,                   -- in the order of issue
    state       smallint     NOT NULL,                   -- 0 reserved, 1 used, 2 cleared
    owner       varchar(36)  NOT NULL,                   -- drawn by each reservation; every later write tests it
    job_id      bigint,                                  -- the job that reserved it
    reserved_at datetime(6)  NOT NULL,
    expires_at  datetime(6)  NOT NULL,                   -- of the reservation
    used_at     datetime(6),
    PRIMARY KEY (series, slot),
    KEY pawl_slot_free (series, state, ordinal),
    CONSTRAINT pawl_slot_state CHECK (state IN (0, 1, 2) AND (state = 1) = (used_at IS NOT NULL))
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_bin;

-- ---------------------------------------------------------------------------------------------------- schedules

-- Recurring jobs: what a tick enqueues, and when the next one is due.
CREATE TABLE IF NOT EXISTS pawl_schedule (
    name             varchar(100) NOT NULL PRIMARY KEY,
    kind             varchar(100) NOT NULL,
    queue            varchar(100) NOT NULL,
    priority         smallint     NOT NULL,
    max_attempts     smallint     NOT NULL,
    tags             text,
    headers          text,
    job_key          varchar(200),
    cost             int,
    expires_in       bigint,                             -- in microseconds, from the enqueue of each job
    payload          mediumtext   NOT NULL,
    recurrence       varchar(400) NOT NULL,              -- '0 3 * * * in Europe/Rome', 'every PT5M', 'PT5M after its end'
    declared         varchar(400),                       -- the recurrence that a program declares; null: added by an operator
    missed           int          NOT NULL,              -- how many missed ticks are made up for
    overlap          varchar(20)  NOT NULL,              -- while the last job has not finished: skip, queue, allow
    local_exclusions boolean      NOT NULL,              -- whether it excludes days that only the declaring programs know
    next_at          datetime(6),                        -- the next tick; null: paused, or decided when a job finishes
    next_check_at    datetime(6),                        -- when a worker checks next; null: paused
    overlapping      boolean      NOT NULL DEFAULT false, -- whether the next tick is due and waits for the last job to finish
    last_tick        datetime(6),
    last_job_id      bigint,
    paused_at        datetime(6),
    created_at       datetime(6)  NOT NULL,
    revision         bigint       NOT NULL DEFAULT 0,    -- grows with every change
    KEY pawl_schedule_next_check (next_check_at)
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_bin;

-- What became of each tick. The primary key makes it happen once.
CREATE TABLE IF NOT EXISTS pawl_tick (
    schedule   varchar(100) NOT NULL,
    tick       datetime(6)  NOT NULL,
    checked_at datetime(6)  NOT NULL,
    outcome    varchar(20)  NOT NULL,                    -- enqueued, overlapped, missed, by_hand
    job_id     bigint,
    PRIMARY KEY (schedule, tick)
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_bin;

-- ---------------------------------------------------------------------------------------------------- limits

-- Limits of the whole cluster.
CREATE TABLE IF NOT EXISTS pawl_limit (
    subject                varchar(10)  NOT NULL,        -- queue, kind or keys
    name                   varchar(100) NOT NULL,
    max_concurrency        int,                          -- most jobs that run at the same time; null: any number
    max_concurrency_shared int,                          -- most jobs of all keys of a queue in flight, shared equally; null: any number
    rate_limit             int,                          -- most jobs that start in any span of rate_period; null: any number
    rate_period            bigint,                       -- in microseconds
    max_waiting            int,                          -- most jobs that may wait before an enqueue is refused; null: any number
    next_start_at          datetime(6),                  -- when the rate allows the next start; null: at once
    cost_backlog           text,                         -- JSON object: recent starts, while jobs cost several or answers are late
    paused_until           datetime(6),                  -- until when the resource is unavailable; null: it is available
    failures               int          NOT NULL DEFAULT 0, -- how often in a row it was unavailable; 0 if an operator paused it
    reason                 text,
    allocations            bigint       NOT NULL DEFAULT 0, -- grows with each: in clusters with several writers only a change conflicts
    PRIMARY KEY (subject, name)
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_bin;

-- A worker's permits under max_concurrency. Expired ones count as much as their worker still has leases.
CREATE TABLE IF NOT EXISTS pawl_permit (
    subject    varchar(10)  NOT NULL,
    name       varchar(100) NOT NULL,
    worker_id  bigint       NOT NULL,                    -- pawl_worker.id
    permits    int          NOT NULL,
    wanted     int          NOT NULL,                    -- how many more it would use
    expires_at datetime(6),                              -- null: released
    PRIMARY KEY (subject, name, worker_id)
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_bin;

-- ---------------------------------------------------------------------------------------------------- unique keys, concurrency keys

-- Unique keys that outlast their job, or are taken while it is in certain states.
CREATE TABLE IF NOT EXISTS pawl_unique (
    kind       varchar(100) NOT NULL,
    unique_key varchar(200) NOT NULL,
    job_id     bigint       NOT NULL,                    -- the job that has the key
    scope      varchar(20),                              -- how long its job has it: waiting, live-or-discarded, kept; null: by time
    recheck_at datetime(6)  NOT NULL,                    -- when the key is free; with a scope, when to check next
    expires_at datetime(6),                              -- with a scope: when the key is free even so
    PRIMARY KEY (kind, unique_key),
    KEY pawl_unique_recheck (recheck_at)
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_bin;

-- Jobs that wait for others of their concurrency key. They leave by pawl_key.in_flight, or with released = 1 if that is full.
CREATE TABLE IF NOT EXISTS pawl_keyed (
    queue    varchar(100) NOT NULL,
    job_key  varchar(200) NOT NULL,
    job_id   bigint       NOT NULL PRIMARY KEY,
    available_at bigint   NOT NULL,                     -- moment before which it is not released; 0: its time has come
    priority smallint     NOT NULL,                      -- of the job
    released smallint     NOT NULL,                      -- 0: blocked; 1: released, perhaps finished
    KEY pawl_keyed_line (released, queue, job_key, available_at, priority, job_id)
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_bin;

-- Concurrency keys. Releasing jobs of a key locks its row.
CREATE TABLE IF NOT EXISTS pawl_key (
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
    PRIMARY KEY (queue, job_key),
    KEY pawl_key_in_flight (has_in_flight, queue, job_key)
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_bin;

-- ---------------------------------------------------------------------------------------------------- batches and workflows

-- Jobs that belong together. Adding to a batch takes a shared lock on its row, sealing an exclusive one; finishing jobs do not change it.
CREATE TABLE IF NOT EXISTS pawl_batch (
    id         bigint       NOT NULL AUTO_INCREMENT PRIMARY KEY,
    parent_id  bigint,                                   -- the batch that it is part of
    name       varchar(200) NOT NULL,
    created_at datetime(6)  NOT NULL,
    sealed_at  datetime(6),                              -- from then on only its own jobs add to it
    on_done    mediumtext,                               -- jobs to enqueue: JSON objects of strings
    on_failed  mediumtext,
    on_success mediumtext,
    KEY pawl_batch_parent (parent_id)
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_bin;

-- The progress of a batch: one update for each flush of outcomes.
CREATE TABLE IF NOT EXISTS pawl_batch_count (
    batch_id       bigint       NOT NULL PRIMARY KEY,
    expected       bigint,                               -- number of jobs; null: not sealed
    completed      bigint       NOT NULL DEFAULT 0,
    failed         bigint       NOT NULL DEFAULT 0,      -- discarded
    cancelled      bigint       NOT NULL DEFAULT 0,
    stop_percent   int          NOT NULL DEFAULT 0,      -- stops when more than that share has failed; 0: never
    stop_after     int          NOT NULL DEFAULT 0,      -- but not before this number has finished
    stopped_at     datetime(6),
    fired          smallint     NOT NULL DEFAULT 0,      -- enqueued callbacks: 1 done, 2 failed, 4 success
    reported       smallint     NOT NULL DEFAULT 0,      -- how its parent counts it: 0 not, 2 completed, 3 cancelled, 4 failed
    pending_action smallint     NOT NULL DEFAULT 0,      -- for a worker to do: 1 cancel the jobs that wait, 2 let the rest start
    done_at        datetime(6),
    known_jobs     bigint,                               -- result of the last count of its jobs, up to known_to
    known_to       bigint,
    KEY pawl_batch_count_pending_action (pending_action),
    KEY pawl_batch_count_done (done_at)
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_bin;

-- The jobs of a batch.
CREATE TABLE IF NOT EXISTS pawl_batch_job (
    batch_id bigint       NOT NULL,
    job_id   bigint       NOT NULL,
    PRIMARY KEY (batch_id, job_id)
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_bin;

-- Batches whose jobs do not start: paused, or waiting for a few first jobs to complete. Others have no row.
CREATE TABLE IF NOT EXISTS pawl_batch_pause (
    batch_id    bigint       NOT NULL PRIMARY KEY,
    canary      int          NOT NULL DEFAULT 0,         -- jobs that complete before the others start; 0: none, or they have
    paused_at   datetime(6),
    released_at datetime(6)                              -- when it was resumed
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_bin;

-- Nodes of workflows. A node is a batch within the batch that is the workflow.
CREATE TABLE IF NOT EXISTS pawl_node (
    id                bigint       NOT NULL PRIMARY KEY, -- the batch of its jobs
    workflow_id       bigint       NOT NULL,             -- the batch of its nodes
    open_dependencies int          NOT NULL,             -- open dependencies
    state             smallint     NOT NULL,             -- 0 pending, 1 released
    pending_action    smallint     NOT NULL DEFAULT 0,   -- for a worker to do: 1 release its jobs, 2 cancel them
    KEY pawl_node_workflow (workflow_id),
    KEY pawl_node_pending_action (pending_action)
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_bin;

-- Dependencies between nodes.
CREATE TABLE IF NOT EXISTS pawl_edge (
    node_id    bigint       NOT NULL,
    next_id    bigint       NOT NULL,                    -- the node that depends on it
    on_failure smallint     NOT NULL,                    -- if node_id does not complete: 0 next_id goes on waiting, 1 is cancelled, 2 runs
    satisfied  smallint     NOT NULL,                    -- 1: satisfied
    PRIMARY KEY (node_id, next_id)
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_bin;

-- ---------------------------------------------------------------------------------------------------- steps

-- What a job remembers from one run to the next: finished steps, and what it waits for.
CREATE TABLE IF NOT EXISTS pawl_step (
    job_id     bigint       NOT NULL,
    kind       smallint     NOT NULL,                    -- 0 step, 1 signal, 2 sleep
    name       varchar(200) NOT NULL,
    place      int          NOT NULL,                    -- in the order in which the job reached them; 0: not yet
    state      smallint     NOT NULL,                    -- 0 waiting, 1 done, 2 timed out
    payload    mediumtext,                               -- its value; null: none
    written_at datetime(6)  NOT NULL,
    until_at   datetime(6),                              -- how long it waits
    PRIMARY KEY (job_id, kind, name)
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_bin;

INSERT IGNORE INTO pawl_schema (version, name, applied_at, works_from) VALUES (1, 'pawl', UTC_TIMESTAMP(6), 1);
