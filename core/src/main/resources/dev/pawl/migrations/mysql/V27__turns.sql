-- Whoever takes the turn of a key has locked its row, which says now which of its jobs have been let go. Programs of before would not count
-- them, and so let too many go: the row is where they do not find it.
CREATE TABLE IF NOT EXISTS pawl_turn (
    queue       varchar(100) NOT NULL,
    job_key     varchar(200) NOT NULL,
    next_start  bigint       NOT NULL DEFAULT 0,         -- the turn of the next start, where the queue's keys have a rate
    next_let_go bigint       NOT NULL DEFAULT 0,         -- the turn of the next job that is let go
    costly      text,                                    -- what was started lately, while there are jobs that cost several starts
    kept_until  bigint       NOT NULL DEFAULT 0,         -- until then the row is needed although no job may have this key
    held_until  bigint       NOT NULL DEFAULT 0,         -- until then the jobs of the key are held back; 0: they are not
    failures    int          NOT NULL DEFAULT 0,         -- how often in a row it was found unavailable; 0 if a person holds them
    reason      text,
    -- The ids of jobs that have been let go, separated by commas; null: none. They may have ended since, or be parked again, as their own
    -- rows say. What has no room here has let_go = 1 in pawl_keyed; a job that is named here has no row there.
    under_way   text,
    busy        smallint     NOT NULL DEFAULT 0,         -- whether there are any
    PRIMARY KEY (queue, job_key),
    KEY pawl_turn_busy (busy, queue, job_key)
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_bin;

-- It is gone if an earlier try came to its end and could not say so.
CREATE TABLE IF NOT EXISTS pawl_key LIKE pawl_turn;

-- Another try finds rows of the one before it, and programs of before have written to theirs since.
INSERT INTO pawl_turn (queue, job_key, next_start, next_let_go, costly, kept_until, held_until, failures, reason)
SELECT k.queue, k.job_key, k.next_start, k.next_let_go, k.costly, k.kept_until, k.held_until, k.failures, k.reason FROM pawl_key k
ON DUPLICATE KEY UPDATE next_start = k.next_start, next_let_go = k.next_let_go, costly = k.costly, kept_until = k.kept_until,
    held_until = k.held_until, failures = k.failures, reason = k.reason;

DROP TABLE IF EXISTS pawl_key;

INSERT IGNORE INTO pawl_schema (version, name, applied_at, works_from)
VALUES (27, 'turns', UTC_TIMESTAMP(6), 27);
