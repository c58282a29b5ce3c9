-- Recurring jobs: what a tick enqueues, and when the next one is.
CREATE TABLE pawl_schedule (
    name         varchar(100) NOT NULL,
    kind         varchar(100) NOT NULL,
    queue        varchar(100) NOT NULL,
    priority     smallint     NOT NULL,
    max_attempts smallint     NOT NULL,
    tags         text,
    headers      text,
    payload      text         NOT NULL,
    recurrence   varchar(400) NOT NULL,                  -- '0 3 * * * in Europe/Rome', 'every PT5M', 'PT5M after its end'
    declared     varchar(400),                           -- the one that a program has declared; null: added by hand
    missed       int          NOT NULL,                  -- how many ticks that nobody has seen to are made up for
    overlap      varchar(20)  NOT NULL,                  -- while the last job has not ended: skip, queue, allow
    own_days     smallint     NOT NULL,                  -- 1: only programs that declare it know on which days it has no ticks
    next_at      timestamptz ,                           -- the next tick; null: paused, or the end of a job tells
    look_at      timestamptz ,                           -- when a worker is to look; null: paused
    waiting      smallint     NOT NULL DEFAULT 0,        -- 1: the next tick is past, and waits for the end of the last job
    last_tick    timestamptz ,
    last_job_id  bigint,
    paused_at    timestamptz ,
    created_at   timestamptz  NOT NULL,
    revision     bigint NOT NULL DEFAULT 0,               -- grows with every change
    PRIMARY KEY (name)
);
CREATE INDEX pawl_schedule_look ON pawl_schedule (look_at);

-- What became of each tick. The key is what makes it happen once.
CREATE TABLE pawl_tick (
    schedule   varchar(100) NOT NULL,
    tick       timestamptz  NOT NULL,
    looked_at  timestamptz  NOT NULL,
    outcome    varchar(20)  NOT NULL,                    -- enqueued, overlapped, missed, by_hand
    job_id     bigint,
    PRIMARY KEY (schedule, tick)
);

-- JSON array of the schedules that a worker's program declares; null: none, or an older program has written the row.
ALTER TABLE pawl_worker ADD COLUMN schedules text;

INSERT INTO pawl_schema (version, name, applied_at, works_from)
VALUES (9, 'schedules', statement_timestamp(), 7);
