-- The token of a claim, which the program draws that claims: another claim may get the same key (lane, after_id) if the commit of this one is
-- lost. 1: claimed by a program that knows no tokens of ranges, or by no worker.
ALTER TABLE pawl_lane_range ADD COLUMN token bigint NOT NULL DEFAULT 1;

INSERT IGNORE INTO pawl_schema (version, name, applied_at, works_from)
VALUES (28, 'claim_tokens', UTC_TIMESTAMP(6), 28);
