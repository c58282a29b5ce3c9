-- Series of slots: values that jobs take one after the other. Reserving locks the row of the series.
CREATE TABLE IF NOT EXISTS pawl_slot_series (
    name         varchar(100) NOT NULL PRIMARY KEY,
    started      smallint     NOT NULL DEFAULT 0,        -- 1 once startFrom has been asked
    last_slot    varchar(200),                           -- issued last; next goes on from here
    last_ordinal bigint       NOT NULL DEFAULT 0         -- how many were issued
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_bin;

CREATE TABLE IF NOT EXISTS pawl_slot (
    series       varchar(100) NOT NULL,
    slot         varchar(200) NOT NULL,
    ordinal      bigint       NOT NULL,                  -- in the order of issue
    state        smallint     NOT NULL,                  -- 0 reserved, 1 used, 2 cleared
    owner        varchar(36)  NOT NULL,                  -- drawn by each reservation; every later write names it
    job_id       bigint,                                 -- the job that reserved it
    reserved_at  datetime(6) NOT NULL,
    expires_at   datetime(6) NOT NULL,                    -- of the reservation
    used_at      datetime(6),
    PRIMARY KEY (series, slot),
    KEY pawl_slot_free (series, state, ordinal),
    CONSTRAINT pawl_slot_state CHECK (state IN (0, 1, 2) AND (state = 1) = (used_at IS NOT NULL))
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_bin;

INSERT IGNORE INTO pawl_schema (version, name, applied_at) VALUES (2, 'slots', UTC_TIMESTAMP(6));
