-- Rates of keys. Moments are microseconds since 1970 by the database's clock.
-- The turn of the next start of a job with this key, where the queue's keys have a rate.
ALTER TABLE pawl_key ADD COLUMN next_start bigint NOT NULL DEFAULT 0;

-- The turn of the next job that is let go: no more of them than may start.
ALTER TABLE pawl_key ADD COLUMN next_let_go bigint NOT NULL DEFAULT 0;

-- What was started lately, while there are jobs that cost several starts: as in pawl_limit.
ALTER TABLE pawl_key ADD COLUMN costly text;

-- Until then the row is needed although no job may have this key: who forgot it would allow what it has used up.
ALTER TABLE pawl_key ADD COLUMN kept_until bigint NOT NULL DEFAULT 0;

INSERT IGNORE INTO pawl_schema (version, name, applied_at, works_from)
VALUES (14, 'key_rates', UTC_TIMESTAMP(6), 7);
