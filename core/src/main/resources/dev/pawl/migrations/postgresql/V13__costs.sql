-- How many jobs of all keys of a queue may be under way, shared equally among the keys; null: any number.
ALTER TABLE pawl_limit ADD COLUMN together int;

-- What was started lately, while there are jobs that cost several starts of a rate: the words of CostlyStarts.
ALTER TABLE pawl_limit ADD COLUMN costly text;

INSERT INTO pawl_schema (version, name, applied_at, works_from)
VALUES (13, 'costs', statement_timestamp(), 7);
