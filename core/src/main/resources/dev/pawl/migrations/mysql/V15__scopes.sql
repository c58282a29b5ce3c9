-- A key may be taken as long as its job stands in a certain way: 0 until the job begins, 1 until it has ended otherwise than
-- discarded, 2 until it is deleted; null: only for its time.
ALTER TABLE pawl_unique ADD COLUMN scope smallint;

-- The end of its time where there is a scope; taken_until is then when to look whether the row is still needed.
ALTER TABLE pawl_unique ADD COLUMN held_until bigint;

-- How many jobs may wait in a queue before more are refused; null: any number.
ALTER TABLE pawl_limit ADD COLUMN max_waiting int;

INSERT IGNORE INTO pawl_schema (version, name, applied_at, works_from)
VALUES (15, 'scopes', UTC_TIMESTAMP(6), 7);
