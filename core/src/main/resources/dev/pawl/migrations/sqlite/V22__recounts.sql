-- Which ranges may be counted for the last time is asked each second, of those that wait for a count.
-- Here nothing is asked: the database does not tell, or nothing comes late.

INSERT INTO pawl_schema (version, name, applied_at, works_from)
VALUES (22, 'recounts', CAST(unixepoch('subsec') * 1000 AS integer) * 1000, 7);
