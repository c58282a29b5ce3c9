-- What a workflow does when. A node is a batch within the batch that is the workflow.
CREATE TABLE pawl_node (
    id          bigint NOT NULL PRIMARY KEY,            -- the batch of its jobs
    workflow_id bigint NOT NULL,                        -- the batch of its nodes
    waits       int      NOT NULL,                       -- for so many of the edges that lead here
    state       smallint NOT NULL,                       -- 0 waits, 1 let go
    chore       smallint NOT NULL DEFAULT 0              -- what a worker is to do: 1 let its jobs go, 2 cancel them
);
CREATE INDEX pawl_node_workflow ON pawl_node (workflow_id);
CREATE INDEX pawl_node_chore ON pawl_node (chore) WHERE chore > 0;

-- Which node comes after which.
CREATE TABLE pawl_edge (
    node_id    bigint NOT NULL,
    next_id    bigint NOT NULL,                         -- the node that waits
    on_failure smallint NOT NULL,                        -- what it does when this one ends otherwise than completed: 0 waits on, 1 is cancelled, 2 runs
    met        smallint NOT NULL,                        -- 1: it does not wait for this one any more
    PRIMARY KEY (node_id, next_id)
);

INSERT INTO pawl_schema (version, name, applied_at, works_from)
VALUES (20, 'workflows', statement_timestamp(), 7);
