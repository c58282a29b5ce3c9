-- Jobs enqueued in SQL, by triggers for instance: SELECT pawl_enqueue('mail.send', '{"to": 17}', queue => 'mail');
-- Workers hear of them when the transaction commits.
CREATE OR REPLACE FUNCTION pawl_enqueue(
    kind         text,
    payload      text,
    queue        text     DEFAULT 'default',
    priority     int      DEFAULT 0,
    delay        interval DEFAULT interval '0',
    max_attempts int      DEFAULT 20)
RETURNS bigint
LANGUAGE plpgsql
SET search_path FROM CURRENT
AS $$
DECLARE
    job bigint;
BEGIN
    IF kind IS NULL OR length(kind) > 100 OR kind !~ '^[A-Za-z0-9][A-Za-z0-9._:/-]*$' THEN
        RAISE EXCEPTION 'kind ''%'' is not valid: use 1 to 100 letters, digits or . _ : / -', kind USING ERRCODE = '22023';
    END IF;
    IF queue IS NULL OR length(queue) > 100 OR queue !~ '^[A-Za-z0-9][A-Za-z0-9._:/-]*$' THEN
        RAISE EXCEPTION 'queue ''%'' is not valid: use 1 to 100 letters, digits or . _ : / -', queue USING ERRCODE = '22023';
    END IF;
    IF payload IS NULL THEN
        RAISE EXCEPTION 'the payload of a job is NULL' USING ERRCODE = '22023';
    END IF;
    IF octet_length(convert_to(payload, 'UTF8')) > MOST_BYTES THEN
        RAISE EXCEPTION 'the payload is not valid: it has more than MOST_BYTES bytes' USING ERRCODE = '22023';
    END IF;
    IF max_attempts IS NULL OR max_attempts < 1 OR max_attempts > 32767 THEN
        RAISE EXCEPTION 'max_attempts % is not valid: use 1 to 32767', max_attempts USING ERRCODE = '22023';
    END IF;
    IF delay IS NULL OR delay < interval '0' OR delay > interval '10 years' THEN
        RAISE EXCEPTION 'delay % is not valid: use 0 to 10 years', delay USING ERRCODE = '22023';
    END IF;
    INSERT INTO pawl_job (queue, kind, payload, priority, max_attempts, created_at, available_at)
    VALUES (queue, kind, payload, priority, max_attempts, statement_timestamp(), statement_timestamp() + delay)
    RETURNING id INTO job;
    PERFORM pg_notify('CHANNEL', queue);
    RETURN job;
END
$$
