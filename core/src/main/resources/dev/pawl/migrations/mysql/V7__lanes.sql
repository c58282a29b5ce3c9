-- A lane is a queue's jobs of one priority that need no row of their own: written once, and never rewritten. A thousand of
-- them are claimed by one row in pawl_lane_range.
CREATE TABLE IF NOT EXISTS pawl_lane (
    id       int          NOT NULL AUTO_INCREMENT PRIMARY KEY,
    queue    varchar(100) NOT NULL,
    priority smallint     NOT NULL,
    is_open  tinyint(1)   NOT NULL DEFAULT 1,            -- whether new jobs may be written to it
    UNIQUE KEY pawl_lane_place (queue, priority)
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_bin;

-- Jobs in the order of their ids. Jobs with rows of their own draw their ids here too, as rows of lane 0 that are soon
-- deleted: so no id comes twice.
CREATE TABLE IF NOT EXISTS pawl_lane_job (
    lane         int          NOT NULL,
    id           bigint       NOT NULL AUTO_INCREMENT,
    created_at   datetime(6)  NOT NULL,
    max_attempts smallint     NOT NULL,
    kind         varchar(100) NOT NULL,
    tags         text,
    payload      mediumtext   NOT NULL,
    PRIMARY KEY (lane, id),
    KEY pawl_lane_job_id (id)
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_bin;

-- The counter goes on where that of the jobs so far has come to: the counter itself first, as far as the server tells, and then
-- the jobs that an older program has written until its own counter was moved out of the way. A row that somebody writes by
-- hand, without an id, gets one from there, too, and never one of the lanes'.
INSERT IGNORE INTO pawl_lane_job (lane, id, created_at, max_attempts, kind, payload)
SELECT 0, GREATEST(1, COALESCE(MAX(AUTO_INCREMENT), 0)), UTC_TIMESTAMP(6), 1, '', '' FROM information_schema.TABLES
 WHERE TABLE_SCHEMA = DATABASE() AND TABLE_NAME = 'pawl_job' AND AUTO_INCREMENT < 1000000000000;
ALTER TABLE pawl_job AUTO_INCREMENT = 1000000000000;
INSERT IGNORE INTO pawl_lane_job (lane, id, created_at, max_attempts, kind, payload)
SELECT 0, GREATEST(1, (SELECT COALESCE(MAX(id), 0) FROM pawl_job WHERE id < 1000000000000),
                   (SELECT COALESCE(MAX(id), 0) FROM pawl_job_history WHERE id < 1000000000000),
                   (SELECT COALESCE(MAX(job_id), 0) FROM pawl_attempt WHERE job_id < 1000000000000),
                   (SELECT COALESCE(MAX(job_id), 0) FROM pawl_job_log WHERE job_id < 1000000000000)),
       UTC_TIMESTAMP(6), 1, '', '';

-- What was claimed together: the jobs between the last one of the range before it and its own last one. The primary key
-- lets one of several claims win. A job is available beyond the last range; in a range it is running, unless a bit says
-- that it is done, or has moved to a row of its own.
CREATE TABLE IF NOT EXISTS pawl_lane_range (
    lane             int          NOT NULL,
    after_id         bigint       NOT NULL,              -- the last id of the range before it; 0 for the first
    last_id          bigint       NOT NULL,
    jobs             int          NOT NULL,
    ids              text,                               -- steps from one to the next; null: consecutive up to last_id
    leased_by        bigint       NOT NULL,              -- pawl_worker.id
    ahead            tinyint(1)   NOT NULL,              -- claimed before a handler was free
    claimed_at       datetime(6)  NOT NULL,
    lease_expires_at datetime(6),                        -- null: all are done or moved
    finished_at      datetime(6),                        -- when a bit was set last
    completed        int          NOT NULL DEFAULT 0,
    moves            int          NOT NULL DEFAULT 0,    -- how many have moved
    done             varbinary(200),                     -- a bit for each job; null: none, or, without a lease, all that have not moved
    moved            varbinary(200),
    emptied          tinyint(1)   NOT NULL DEFAULT 0,    -- its jobs are deleted from pawl_lane_job
    recount_at       datetime(6),                        -- when to look for jobs that were committed late; null: there are none
    recounts         smallint     NOT NULL DEFAULT 0,
    PRIMARY KEY (lane, after_id),
    KEY pawl_lane_range_open (lease_expires_at),
    KEY pawl_lane_range_recount (recount_at)
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_bin;

INSERT IGNORE INTO pawl_schema (version, name, applied_at, works_from) VALUES (7, 'lanes', UTC_TIMESTAMP(6), 7);
