-- Which ranges may be counted for the last time is asked each second, of those that wait for a count.
CREATE INDEX pawl_lane_range_closed ON pawl_lane_range (claimed_at) WHERE recount_at IS NOT NULL;

INSERT INTO pawl_schema (version, name, applied_at, works_from)
VALUES (22, 'recounts', statement_timestamp(), 7);
