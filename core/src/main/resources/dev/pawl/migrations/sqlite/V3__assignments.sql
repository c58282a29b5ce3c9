-- Which worker a manager has given a run to, kept as long as the job.
CREATE TABLE pawl_assignment (
    job_id      bigint       NOT NULL,
    lease_token bigint       NOT NULL,
    attempt     smallint     NOT NULL,
    assigned_at integer NOT NULL,
    worker      varchar(200) NOT NULL,
    PRIMARY KEY (job_id, lease_token)
);

INSERT INTO pawl_schema (version, name, applied_at) VALUES (3, 'assignments', CAST(unixepoch('subsec') * 1000 AS integer) * 1000);
