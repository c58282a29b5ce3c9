-- How many jobs up to which id a batch had when they were counted last, so that those that jobs add one by one are not all counted anew.
ALTER TABLE pawl_batch_count ADD COLUMN known_jobs bigint;
ALTER TABLE pawl_batch_count ADD COLUMN known_to bigint;

INSERT INTO pawl_schema (version, name, applied_at, works_from)
VALUES (23, 'batch_growth', statement_timestamp(), 7);
