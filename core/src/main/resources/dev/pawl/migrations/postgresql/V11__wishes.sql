-- Unique keys that hold for a time, also when their job has ended.
CREATE TABLE pawl_unique (
    kind        varchar(100) NOT NULL,
    unique_key  varchar(200) NOT NULL,
    job_id      bigint       NOT NULL,                    -- the job that has the key
    taken_until bigint       NOT NULL,                    -- microseconds since 1970 by the database's clock
    PRIMARY KEY (kind, unique_key)
);
CREATE INDEX pawl_unique_until ON pawl_unique (taken_until);

-- What somebody wants a worker to do: 1 to claim nothing, 2 to stop; null: to work.
ALTER TABLE pawl_worker ADD COLUMN wish smallint;

INSERT INTO pawl_schema (version, name, applied_at, works_from)
VALUES (11, 'wishes', statement_timestamp(), 7);
