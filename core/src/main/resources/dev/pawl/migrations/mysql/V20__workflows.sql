-- What a workflow does when. A node is a batch within the batch that is the workflow.
CREATE TABLE IF NOT EXISTS pawl_node (
    id          bigint NOT NULL PRIMARY KEY,            -- the batch of its jobs
    workflow_id bigint NOT NULL,                        -- the batch of its nodes
    waits       int      NOT NULL,                       -- for so many of the edges that lead here
    state       smallint NOT NULL,                       -- 0 waits, 1 let go
    chore       smallint NOT NULL DEFAULT 0,             -- what a worker is to do: 1 let its jobs go, 2 cancel them
    KEY pawl_node_workflow (workflow_id),
    KEY pawl_node_chore (chore)
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_bin;

-- Which node comes after which.
CREATE TABLE IF NOT EXISTS pawl_edge (
    node_id    bigint NOT NULL,
    next_id    bigint NOT NULL,                         -- the node that waits
    on_failure smallint NOT NULL,                        -- what it does when this one ends otherwise than completed: 0 waits on, 1 is cancelled, 2 runs
    met        smallint NOT NULL,                        -- 1: it does not wait for this one any more
    PRIMARY KEY (node_id, next_id)
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_bin;

INSERT IGNORE INTO pawl_schema (version, name, applied_at, works_from)
VALUES (20, 'workflows', UTC_TIMESTAMP(6), 7);
