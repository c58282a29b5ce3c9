-- How many jobs of all keys of a queue may be under way, shared equally among the keys; null: any number.
ALTER TABLE pawl_limit ADD COLUMN together int;

-- What was started lately, while there are jobs that cost several starts of a rate: the words of CostlyStarts.
ALTER TABLE pawl_limit ADD COLUMN costly text;

-- How long ended jobs of a queue or kind are kept, in microseconds; null: as of all others.
CREATE TABLE pawl_retention (
    subject   varchar(10)  NOT NULL,                     -- queue or kind; what is said of a kind goes first
    name      varchar(100) NOT NULL,
    completed bigint,
    cancelled bigint,
    discarded bigint,
    PRIMARY KEY (subject, name)
);

-- How many jobs at once a worker may be scaled to, and how many somebody wants it to run; null: as many as now.
ALTER TABLE pawl_worker ADD COLUMN max_concurrency integer;
ALTER TABLE pawl_worker ADD COLUMN wanted_concurrency integer;

INSERT INTO pawl_schema (version, name, applied_at, works_from)
VALUES (13, 'rules', statement_timestamp(), 7);
