-- How the workers elsewhere are, as each manager sees them.
CREATE TABLE pawl_remote_worker (
    manager_id bigint       NOT NULL,                    -- pawl_worker.id
    url        varchar(200) NOT NULL,
    problem    varchar(500),                             -- why it gets no jobs; null: it is well
    capacity   int          NOT NULL,                    -- jobs at once
    running    int          NOT NULL,                    -- jobs that it has, from all managers
    kinds      text         NOT NULL,                    -- JSON array of strings; empty: all
    looked_at  timestamptz  NOT NULL,
    PRIMARY KEY (manager_id, url)
);

INSERT INTO pawl_schema (version, name, applied_at, works_from) VALUES (6, 'remote_workers', statement_timestamp(), 4);
