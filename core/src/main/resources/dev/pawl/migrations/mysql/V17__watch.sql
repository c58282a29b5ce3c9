-- What one process of all does, while it holds the row; whoever comes after it goes on from the state.
CREATE TABLE IF NOT EXISTS pawl_duty (
    name       varchar(40)  NOT NULL,
    owner      varchar(100) NOT NULL,                    -- a process
    token      bigint        NOT NULL,                    -- grows with every owner; whoever writes the state names it
    held_until bigint        NOT NULL,                    -- microseconds since 1970 by the database's clock
    state      mediumtext,
    PRIMARY KEY (name)
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_bin;

-- How all queues were at a moment: a few thousand rows at most. There are none unless somebody watches.
CREATE TABLE IF NOT EXISTS pawl_sample (
    step     smallint    NOT NULL,                       -- 0: every ten seconds, for hours; 1: every five minutes, for days
    taken_at bigint       NOT NULL,                       -- microseconds since 1970 by the database's clock
    span     bigint       NOT NULL,                       -- over how many microseconds ended jobs were counted
    look     mediumtext  NOT NULL,                       -- a line for each queue: the words of SampleText
    PRIMARY KEY (step, taken_at)
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_bin;

INSERT IGNORE INTO pawl_schema (version, name, applied_at, works_from)
VALUES (17, 'watch', UTC_TIMESTAMP(6), 7);
