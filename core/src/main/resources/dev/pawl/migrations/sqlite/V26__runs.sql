-- How long a worker's runs took since it started: the words of RunTimes; written with its heartbeat, null before its first run.
ALTER TABLE pawl_worker ADD COLUMN runs text;

INSERT INTO pawl_schema (version, name, applied_at, works_from)
VALUES (26, 'runs', CAST(unixepoch('subsec') * 1000 AS integer) * 1000, 7);
