-- Jobs enqueued in SQL, by triggers for instance: CALL pawl_enqueue('mail.send', '{"to": 17}', 'mail', 0, 0, 20);
-- the last three are priority, seconds of delay and most attempts. Workers find them with their next poll.
DROP PROCEDURE IF EXISTS pawl_enqueue
;;
CREATE PROCEDURE pawl_enqueue(
    IN job_kind      varchar(200) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin,
    IN job_payload   mediumtext CHARACTER SET utf8mb4 COLLATE utf8mb4_bin,
    IN job_queue     varchar(200) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin,
    IN job_priority  smallint,
    IN delay_seconds double,
    IN most_attempts int)
MODIFIES SQL DATA
BEGIN
    IF job_kind IS NULL OR CHAR_LENGTH(job_kind) > 100 OR job_kind NOT REGEXP '^[A-Za-z0-9][A-Za-z0-9._:/-]*$' OR ORD(RIGHT(job_kind, 1)) = 10 THEN
        SIGNAL SQLSTATE '45000' SET MESSAGE_TEXT = 'the kind is not valid: use 1 to 100 letters, digits or . _ : / -';
    END IF;
    IF job_queue IS NULL OR CHAR_LENGTH(job_queue) > 100 OR job_queue NOT REGEXP '^[A-Za-z0-9][A-Za-z0-9._:/-]*$' OR ORD(RIGHT(job_queue, 1)) = 10 THEN
        SIGNAL SQLSTATE '45000' SET MESSAGE_TEXT = 'the queue is not valid: use 1 to 100 letters, digits or . _ : / -';
    END IF;
    IF job_payload IS NULL THEN
        SIGNAL SQLSTATE '45000' SET MESSAGE_TEXT = 'the payload of a job is NULL';
    END IF;
    IF LENGTH(job_payload) > MOST_BYTES THEN
        SIGNAL SQLSTATE '45000' SET MESSAGE_TEXT = 'the payload is not valid: it has more than MOST_BYTES bytes';
    END IF;
    IF most_attempts IS NULL OR most_attempts < 1 OR most_attempts > 32767 THEN
        SIGNAL SQLSTATE '45000' SET MESSAGE_TEXT = 'the most attempts are not valid: use 1 to 32767';
    END IF;
    IF delay_seconds IS NULL OR delay_seconds < 0 OR delay_seconds > 315360000 OR job_priority IS NULL THEN
        SIGNAL SQLSTATE '45000' SET MESSAGE_TEXT = 'the delay or the priority is not valid: use 0 to 315360000 seconds';
    END IF;
    INSERT INTO pawl_lane_job (lane, created_at, max_attempts, kind, payload) VALUES (0, '1970-01-01', 0, '', '');
    INSERT INTO pawl_job (id, queue, kind, payload, priority, max_attempts, created_at, available_at)
    VALUES (LAST_INSERT_ID(), job_queue, job_kind, job_payload, job_priority, most_attempts, UTC_TIMESTAMP(6),
            UTC_TIMESTAMP(6) + INTERVAL ROUND(delay_seconds * 1000000) MICROSECOND);
END
