-- What holds jobs of a batch back: its first jobs, which are to succeed before the rest begins, or a person. Other batches have no row here.
CREATE TABLE IF NOT EXISTS pawl_batch_hold (
    batch_id  bigint NOT NULL PRIMARY KEY,
    canary    int    NOT NULL DEFAULT 0,                 -- so many are to complete before the rest begins; 0: none, or they have
    paused_at datetime(6) NULL,
    let_go_at datetime(6) NULL                           -- since then nothing holds it back
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_bin;

INSERT IGNORE INTO pawl_schema (version, name, applied_at, works_from)
VALUES (21, 'batch_holds', UTC_TIMESTAMP(6), 7);
