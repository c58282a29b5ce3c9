-- What travels with a job beside its payload, such as the context of a trace: a JSON object of strings; null: nothing. A program
-- that does not know the column loses it when it moves a job to another table.
ALTER TABLE pawl_job ADD COLUMN headers text;
ALTER TABLE pawl_job_history ADD COLUMN headers text;
ALTER TABLE pawl_lane_job ADD COLUMN headers text;

INSERT IGNORE INTO pawl_schema (version, name, applied_at, works_from)
VALUES (8, 'headers', UTC_TIMESTAMP(6), 7);
