-- Jobs enqueued in SQL, by triggers for instance:
-- INSERT INTO pawl_enqueue (kind, payload, queue) VALUES ('mail.send', '{"to": 17}', 'mail');
-- what is left out is as usual. Workers find them with their next poll.
DROP VIEW IF EXISTS pawl_enqueue
;;
CREATE VIEW pawl_enqueue (kind, payload, queue, priority, delay_seconds, max_attempts) AS
SELECT kind, payload, queue, priority, 0.0, max_attempts FROM pawl_job WHERE 0
;;
CREATE TRIGGER pawl_enqueue_insert INSTEAD OF INSERT ON pawl_enqueue
BEGIN
    SELECT RAISE(ABORT, 'the kind is not valid: use 1 to 100 letters, digits or . _ : / -')
     WHERE NEW.kind IS NULL OR length(NEW.kind) > 100
        OR NEW.kind NOT GLOB '[A-Za-z0-9]*' OR NEW.kind GLOB '*[^A-Za-z0-9._:/-]*';
    SELECT RAISE(ABORT, 'the queue is not valid: use 1 to 100 letters, digits or . _ : / -')
     WHERE length(NEW.queue) > 100
        OR NEW.queue NOT GLOB '[A-Za-z0-9]*' OR NEW.queue GLOB '*[^A-Za-z0-9._:/-]*';
    SELECT RAISE(ABORT, 'the payload of a job is NULL') WHERE NEW.payload IS NULL;
    SELECT RAISE(ABORT, 'the payload is not valid: it has more than MOST_BYTES bytes')
     WHERE length(CAST(NEW.payload AS blob)) > MOST_BYTES;
    SELECT RAISE(ABORT, 'max_attempts is not valid: use 1 to 32767')
     WHERE typeof(COALESCE(NEW.max_attempts, 20)) <> 'integer' OR COALESCE(NEW.max_attempts, 20) NOT BETWEEN 1 AND 32767;
    SELECT RAISE(ABORT, 'the priority is not valid: use -32768 to 32767')
     WHERE typeof(COALESCE(NEW.priority, 0)) <> 'integer' OR COALESCE(NEW.priority, 0) NOT BETWEEN -32768 AND 32767;
    SELECT RAISE(ABORT, 'delay_seconds is not valid: use 0 to 315360000')
     WHERE typeof(COALESCE(NEW.delay_seconds, 0)) NOT IN ('integer', 'real')
        OR COALESCE(NEW.delay_seconds, 0) NOT BETWEEN 0 AND 315360000;
    SELECT RAISE(ABORT, 'SQLite 3.42 or newer is needed') WHERE unixepoch('subsec') IS NULL;
    INSERT INTO pawl_job (queue, kind, payload, priority, max_attempts, created_at, available_at)
    VALUES (COALESCE(NEW.queue, 'default'), NEW.kind, NEW.payload, COALESCE(NEW.priority, 0),
            COALESCE(NEW.max_attempts, 20), CAST(unixepoch('subsec') * 1000 AS integer) * 1000,
            CAST(unixepoch('subsec') * 1000 AS integer) * 1000
            + CAST(COALESCE(NEW.delay_seconds, 0) * 1000000 AS integer));
END
