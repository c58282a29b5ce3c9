-- How many jobs of a queue are due, how many run, for how many seconds the oldest due one has been waiting, and how many
-- keys have blocked jobs that are due: a worker must run to release them.
WITH job AS (
    SELECT available_at AS since
      FROM pawl_job
     WHERE queue = 'default' AND state = 0 AND available_at <= UTC_TIMESTAMP(6)
     LIMIT 10000
), lane AS ( -- made once: without a limit it would become a part of what follows
    SELECT n.id, COALESCE((SELECT r.last_id FROM pawl_lane_range r
                            WHERE r.lane = n.id ORDER BY r.lane DESC, r.starts_after DESC LIMIT 1), 0) AS claimed
      FROM pawl_lane n
     WHERE n.queue = 'default'
     LIMIT 1000
), lane_job AS ( -- with = instead of >= and <= the server would read what has ended, too
    SELECT STRAIGHT_JOIN j.created_at AS since
      FROM lane JOIN pawl_lane_job j FORCE INDEX (PRIMARY)
                  ON j.lane >= lane.id AND j.lane <= lane.id AND j.id > lane.claimed
     LIMIT 10000
), due AS (
    SELECT since FROM job UNION ALL SELECT since FROM lane_job
)
SELECT (SELECT COUNT(*) FROM due) AS due,
       (SELECT COUNT(*) FROM pawl_job WHERE queue = 'default' AND state = 1)
       + (SELECT COALESCE(SUM(r.jobs - r.completed - r.moved_count), 0)
            FROM pawl_lane n JOIN pawl_lane_range r ON r.lane = n.id
           WHERE n.queue = 'default' AND r.lease_expires_at IS NOT NULL) AS running,
       (SELECT COALESCE(TIMESTAMPDIFF(MICROSECOND, MIN(since), UTC_TIMESTAMP(6)) / 1000000, 0) FROM due) AS oldest_seconds,
       (SELECT COUNT(DISTINCT k.job_key)
          FROM (SELECT id FROM pawl_job WHERE queue = 'default' AND state = 5 AND available_at <= UTC_TIMESTAMP(6)
                 LIMIT 10000) blocked
          JOIN pawl_keyed k ON k.job_id = blocked.id) AS blocked_keys
