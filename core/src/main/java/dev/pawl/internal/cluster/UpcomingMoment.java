package dev.pawl.internal.cluster;

import dev.pawl.internal.jdbc.Database;
import dev.pawl.internal.jdbc.Dialect;
import dev.pawl.internal.jdbc.Micros;
import dev.pawl.internal.jdbc.QueuePause;
import dev.pawl.internal.jdbc.RowStates;
import dev.pawl.internal.jdbc.Sql;
import dev.pawl.internal.store.KeyPosition;
import dev.pawl.internal.store.NextMoment;
import dev.pawl.internal.store.WorkSource;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * Reads the next moment at which each source of work has something for a worker: each term is the first moment of its
 * source, read together with the current time.
 */
public final class UpcomingMoment implements NextMoment {
    private static final String HAS_PARKED = " AND EXISTS (SELECT 1 FROM pawl_keyed p WHERE p.queue = k.queue"
            + " AND p.job_key = k.job_key AND p.released = 0)";

    /**
     * The furthest next start that the current rate can have set, as in {@code Bucket.furthest}: one beyond it was set
     * by a former, slower rate, and counts as the present.
     */
    private static final String MEMORY = "(f.rate_period + 2 * CASE WHEN f.rate_period < 2000000 THEN 100000"
            + " WHEN f.rate_period > 20000000 THEN 1000000 ELSE f.rate_period / 20 END)";

    private static final String FURTHEST =
            "CASE WHEN k.cost_backlog IS NULL THEN " + MEMORY + " / f.rate_limit + 1 ELSE " + MEMORY + " END";

    private final Database database;
    private final Dialect dialect;
    private final String now;

    /**
     * @param database the pool and the dialect
     */
    public UpcomingMoment(Database database) {
        this.database = database;
        this.dialect = database.dialect();
        this.now = dialect.micros(dialect.now());
    }

    /** A statement under construction. */
    private final class Terms {
        private final List<String> terms = new ArrayList<>();
        private final List<String> values = new ArrayList<>();

        void add(WorkSource source, String moment, String from) {
            terms.add("SELECT '" + source.name() + "', " + now + ", " + moment + " " + from);
        }

        String value(String value) {
            values.add(value);
            return "?";
        }

        /** Binds the names in the order of their placeholders, so terms must be added in order. */
        String in(Collection<String> names) {
            values.addAll(names);
            return "(" + String.join(",", Collections.nCopies(names.size(), "?")) + ")";
        }
    }

    /**
     * The worker whose moments are read.
     *
     * @param queues of the worker
     * @param kinds that it handles
     * @param keyed those of its queues that may contain jobs with keys
     * @param declared schedules that its program knows
     */
    private record Of(
            Collection<String> queues,
            Collection<String> kinds,
            Collection<String> keyed,
            Collection<String> declared) {}

    @Override
    public Moments until(
            Collection<String> queues, Collection<String> kinds, Collection<String> keyed, Collection<String> declared)
            throws SQLException {
        Of worker = new Of(queues, kinds, keyed, declared);
        Terms all = new Terms();
        for (WorkSource source : WorkSource.values()) {
            add(all, source, worker);
        }
        Sql sql = dialect.planned(String.join(" UNION ALL ", all.terms));
        return database.autocommit(
                connection -> sql.on(connection, all.values.toArray()).query(UpcomingMoment::moments));
    }

    private static Moments moments(ResultSet rows) throws SQLException {
        Map<WorkSource, Duration> until = new EnumMap<>(WorkSource.class);
        while (rows.next()) {
            long present = rows.getLong(2);
            long moment = rows.getLong(3);
            if (!rows.wasNull()) {
                Duration wait = Duration.of(moment - present, ChronoUnit.MICROS);
                until.merge(
                        WorkSource.valueOf(rows.getString(1)),
                        wait,
                        (one, other) -> one.compareTo(other) < 0 ? one : other);
            }
        }
        return new Moments(until);
    }

    /** The switch has no default, so that a source without a term does not compile. */
    private void add(Terms all, WorkSource source, Of worker) {
        Runnable term = switch (source) {
            case JOBS -> () -> rows(all, worker.queues, worker.kinds);
            case LANES -> () -> lanes(all, worker.queues, worker.kinds);
            case LEASES -> () -> leases(all);
            case LATE_JOBS -> () -> lateJobs(all);
            case TICKS -> () -> ticks(all, worker.declared);
            case HOLDS -> () -> holds(all);
            case KEYS -> () -> blocked(all, worker.keyed);
            case KEY_HOLDS -> () -> keyHolds(all, worker.keyed);
            case KEY_RATES -> () -> keyRates(all, worker.keyed);
            case BATCHES -> () -> batches(all);
            case ENDED_PAUSES -> () -> endedPauses(all);
        };
        term.run();
    }

    /** Of any queue: any worker rescues. */
    private void leases(Terms all) {
        all.add(WorkSource.LEASES, dialect.micros("MIN(lease_expires_at)"), "FROM pawl_job WHERE " + RowStates.RUNS);
        all.add(
                WorkSource.LEASES,
                dialect.micros("MIN(lease_expires_at)"),
                "FROM pawl_lane_range WHERE lease_expires_at IS NOT NULL");
    }

    private void lateJobs(Terms all) {
        all.add(
                WorkSource.LATE_JOBS,
                dialect.micros("MIN(recount_at)"),
                "FROM pawl_lane_range WHERE recount_at IS NOT NULL");
    }

    private void rows(Terms all, Collection<String> queues, Collection<String> kinds) {
        if (queues.isEmpty()) {
            return;
        }
        all.add(
                WorkSource.JOBS,
                dialect.micros("MIN(available_at)"),
                "FROM " + dialect.readyTable() + " WHERE " + RowStates.CLAIMABLE + " AND queue IN " + all.in(queues)
                        + " AND kind IN " + all.in(kinds) + isOpen("queue") + notHeld("kind", "kind"));
    }

    /** A paused queue needs no work: a resume notifies workers, and the end of an outage is a term. */
    private String isOpen(String queue) {
        return " AND " + QueuePause.isOpen(queue) + notHeld("queue", queue);
    }

    private String notHeld(String subject, String name) {
        return " AND " + name + " NOT IN (SELECT h.name FROM pawl_limit h WHERE h.subject = '" + subject
                + "' AND h.held_until > " + dialect.now() + ")";
    }

    /** Unclaimed jobs of a lane are due, unless everything that this worker could run is paused. */
    private void lanes(Terms all, Collection<String> queues, Collection<String> kinds) {
        if (queues.isEmpty()) {
            return;
        }
        all.add(
                WorkSource.LANES,
                "MIN(0)",
                "FROM pawl_lane n WHERE n.queue IN " + all.in(queues) + isOpen("n.queue")
                        + " AND (SELECT l.id FROM pawl_lane_job l WHERE l.lane = n.id ORDER BY l.lane DESC, l.id DESC LIMIT 1)"
                        + " > COALESCE((SELECT r.last_id FROM pawl_lane_range r WHERE r.lane = n.id"
                        + " ORDER BY r.lane DESC, r.starts_after DESC LIMIT 1), 0)"
                        + " AND (SELECT COUNT(*) FROM pawl_limit f WHERE f.subject = 'kind' AND f.held_until > "
                        + dialect.now()
                        + " AND f.name IN " + all.in(kinds) + ") < " + kinds.size());
    }

    /** Schedules whose excluded days only other programs know are left to them. */
    private void ticks(Terms all, Collection<String> declared) {
        all.add(
                WorkSource.TICKS,
                dialect.micros("MIN(next_check_at)"),
                "FROM pawl_schedule WHERE next_check_at IS NOT NULL AND (local_exclusions = FALSE"
                        + (declared.isEmpty() ? "" : " OR name IN " + all.in(declared)) + ")");
    }

    private void holds(Terms all) {
        all.add(
                WorkSource.HOLDS,
                dialect.micros("MIN(held_until)"),
                "FROM pawl_limit WHERE held_until > " + dialect.now());
    }

    /** Due ones wait for other jobs to end, or for the next start that the rate of their key allows. */
    private void blocked(Terms all, Collection<String> queues) {
        for (String queue : queues) {
            String later = "pawl_keyed WHERE released = 0 AND priority > " + KeyPosition.LAST + " AND priority > " + now
                    + " AND queue = " + all.value(queue);
            all.add(WorkSource.KEYS, "(" + dialect.least("priority", later, "released, queue, job_key") + ")", "");
        }
    }

    private void keyHolds(Terms all, Collection<String> queues) {
        if (!queues.isEmpty()) {
            all.add(
                    WorkSource.KEY_HOLDS,
                    "MIN(k.held_until)",
                    "FROM pawl_key k WHERE k.queue IN " + all.in(queues) + " AND k.held_until > " + now + HAS_PARKED);
        }
    }

    private void keyRates(Terms all, Collection<String> queues) {
        if (!queues.isEmpty()) {
            all.add(
                    WorkSource.KEY_RATES,
                    "MIN(CASE WHEN k.next_start_at > " + now + " + " + FURTHEST + " THEN " + now
                            + " ELSE k.next_start_at END)",
                    "FROM pawl_key k JOIN pawl_limit f ON f.subject = 'keys' AND f.name = k.queue AND f.rate_limit IS NOT NULL WHERE k.queue IN "
                            + all.in(queues) + " AND k.next_start_at > " + now + HAS_PARKED);
        }
    }

    /** Of any queue: any worker does it. */
    private void batches(Terms all) {
        all.add(WorkSource.BATCHES, "MIN(0)", "FROM pawl_batch_count WHERE pending_action > 0");
        all.add(WorkSource.BATCHES, "MIN(0)", "FROM pawl_node WHERE pending_action > 0");
    }

    /**
     * A resumed batch is checked until all workers know that it was resumed. Its row is deleted once none of its jobs is
     * paused any more.
     */
    private void endedPauses(Terms all) {
        all.add(
                WorkSource.ENDED_PAUSES,
                "MIN(COALESCE(" + dialect.micros("released_at") + " + " + Micros.of(WorkSource.PAUSE_END_KNOWN)
                        + ", 0))",
                "FROM pawl_batch_pause WHERE canary = 0 AND paused_at IS NULL");
    }
}
