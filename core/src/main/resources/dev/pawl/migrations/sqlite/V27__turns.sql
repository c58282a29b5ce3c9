-- Whoever takes the turn of a key has locked its row, which says now which of its jobs have been let go. Programs of before would not count
-- them, and so let too many go: the row is where they do not find it.
ALTER TABLE pawl_key RENAME TO pawl_turn;

-- The ids of jobs that have been let go, separated by commas; null: none. They may have ended since, or be parked again, as their own rows
-- say. What has no room here has let_go = 1 in pawl_keyed; a job that is named here has no row there.
ALTER TABLE pawl_turn ADD COLUMN under_way text;

-- Whether there are any.
ALTER TABLE pawl_turn ADD COLUMN busy smallint NOT NULL DEFAULT 0;
CREATE INDEX pawl_turn_busy ON pawl_turn (busy, queue, job_key);

INSERT INTO pawl_schema (version, name, applied_at, works_from)
VALUES (27, 'turns', CAST(unixepoch('subsec') * 1000 AS integer) * 1000, 27);
