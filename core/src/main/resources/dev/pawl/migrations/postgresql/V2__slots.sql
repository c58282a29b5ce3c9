-- Series of slots: values that jobs take one after the other. Reserving locks the row of the series.
CREATE TABLE pawl_slot_series (
    name         varchar(100) NOT NULL PRIMARY KEY,
    started      smallint     NOT NULL DEFAULT 0,        -- 1 once startFrom has been asked
    last_slot    varchar(200),                           -- issued last; next goes on from here
    last_ordinal bigint       NOT NULL DEFAULT 0         -- how many were issued
);

CREATE TABLE pawl_slot (
    series       varchar(100) NOT NULL,
    slot         varchar(200) NOT NULL,
    ordinal      bigint       NOT NULL,                  -- in the order of issue
    state        smallint     NOT NULL,                  -- 0 reserved, 1 used, 2 cleared
    owner        varchar(36)  NOT NULL,                  -- drawn by each reservation; every later write names it
    job_id       bigint,                                 -- the job that reserved it
    reserved_at  timestamptz NOT NULL,
    expires_at   timestamptz NOT NULL,                    -- of the reservation
    used_at      timestamptz,
    PRIMARY KEY (series, slot),
    CONSTRAINT pawl_slot_state CHECK (state IN (0, 1, 2) AND (state = 1) = (used_at IS NOT NULL))
);
CREATE INDEX pawl_slot_free ON pawl_slot (series, state, ordinal);

INSERT INTO pawl_schema (version, name, applied_at) VALUES (2, 'slots', statement_timestamp());
