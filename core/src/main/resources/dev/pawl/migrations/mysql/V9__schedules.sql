-- Recurring jobs: what a tick enqueues, and when the next one is.
CREATE TABLE IF NOT EXISTS pawl_schedule (
    name         varchar(100) NOT NULL,
    kind         varchar(100) NOT NULL,
    queue        varchar(100) NOT NULL,
    priority     smallint     NOT NULL,
    max_attempts smallint     NOT NULL,
    tags         text,
    headers      text,
    payload      mediumtext   NOT NULL,
    recurrence   varchar(400) NOT NULL,                  -- '0 3 * * * in Europe/Rome', 'every PT5M', 'PT5M after its end'
    declared     varchar(400),                           -- the one that a program has declared; null: added by hand
    missed       int          NOT NULL,                  -- how many ticks that nobody has seen to are made up for
    overlap      varchar(20)  NOT NULL,                  -- while the last job has not ended: skip, queue, allow
    own_days     smallint     NOT NULL,                  -- 1: only programs that declare it know on which days it has no ticks
    next_at      datetime(6) ,                           -- the next tick; null: paused, or the end of a job tells
    look_at      datetime(6) ,                           -- when a worker is to look; null: paused
    waiting      smallint     NOT NULL DEFAULT 0,        -- 1: the next tick is past, and waits for the end of the last job
    last_tick    datetime(6) ,
    last_job_id  bigint,
    paused_at    datetime(6) ,
    created_at   datetime(6)  NOT NULL,
    revision     bigint NOT NULL DEFAULT 0,               -- grows with every change
    PRIMARY KEY (name),
    KEY pawl_schedule_look (look_at)
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_bin;

-- What became of each tick. The key is what makes it happen once.
CREATE TABLE IF NOT EXISTS pawl_tick (
    schedule   varchar(100) NOT NULL,
    tick       datetime(6)  NOT NULL,
    looked_at  datetime(6)  NOT NULL,
    outcome    varchar(20)  NOT NULL,                    -- enqueued, overlapped, missed, by_hand
    job_id     bigint,
    PRIMARY KEY (schedule, tick)
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_bin;

-- JSON array of the schedules that a worker's program declares; null: none, or an older program has written the row.
ALTER TABLE pawl_worker ADD COLUMN schedules mediumtext;

INSERT IGNORE INTO pawl_schema (version, name, applied_at, works_from)
VALUES (9, 'schedules', UTC_TIMESTAMP(6), 7);
