-- What the jobs of a key need is not available until then: microseconds since 1970 by the database's clock; 0: it is.
ALTER TABLE pawl_key ADD COLUMN held_until bigint NOT NULL DEFAULT 0;

-- How often in a row it was found unavailable; 0 if a person holds them.
ALTER TABLE pawl_key ADD COLUMN failures int NOT NULL DEFAULT 0;

ALTER TABLE pawl_key ADD COLUMN reason text;

INSERT IGNORE INTO pawl_schema (version, name, applied_at, works_from)
VALUES (19, 'key_holds', UTC_TIMESTAMP(6), 7);
