-- Which worker a manager has given a run to, kept as long as the job.
CREATE TABLE IF NOT EXISTS pawl_assignment (
    job_id      bigint       NOT NULL,
    lease_token bigint       NOT NULL,
    attempt     smallint     NOT NULL,
    assigned_at datetime(6) NOT NULL,
    worker      varchar(200) NOT NULL,
    PRIMARY KEY (job_id, lease_token)
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_bin;

INSERT IGNORE INTO pawl_schema (version, name, applied_at) VALUES (3, 'assignments', UTC_TIMESTAMP(6));
