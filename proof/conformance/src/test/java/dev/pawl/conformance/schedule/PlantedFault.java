package dev.pawl.conformance.schedule;

import dev.pawl.api.Strategy;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A bug that is planted by removing a guard (a condition that prevents a conflict) from statements on their way to the database.
 *
 * @param name what goes wrong without the guard
 * @param strategy of workers
 * @param cast the actors that are needed to show it
 * @param guard the guard's text in a statement, which can be replaced without changing the number of parameters
 * @param instead its replacement
 * @param changed how many statements were changed; zero means that the guard is written differently now
 */
record PlantedFault(
        String name, Strategy strategy, List<Role> cast, Pattern guard, String instead, AtomicInteger changed)
        implements UnaryOperator<String> {
    private static final Strategy ROWS = Strategy.optimistic(2, Strategy.Pick.FIRST);

    private PlantedFault(String name, Strategy strategy, List<Role> cast, String guard, String instead) {
        // statements qualify their tables
        this(
                name,
                strategy,
                cast,
                Pattern.compile(guard.replace("pawl_", "(?:\\w+\\.)?pawl_"), Pattern.DOTALL),
                instead,
                new AtomicInteger());
    }

    @Override
    public String apply(String sql) {
        Matcher found = guard.matcher(sql);
        if (!found.find()) {
            return sql;
        }
        changed.incrementAndGet();
        return found.replaceAll(instead);
    }

    @Override
    public String toString() {
        return name;
    }

    /** {@return the faults of all databases} */
    static List<PlantedFault> everywhere() {
        return List.of(
                new PlantedFault(
                        "a range is completed whatever has moved",
                        Strategy.LANES,
                        List.of(Role.DILIGENT, Role.CANCELLER),
                        "(completed = 0|done = \\?) AND (moved_count = 0|moved = \\?)",
                        "$1 AND ($2 OR 1 = 1)"),
                new PlantedFault(
                        "a row is claimed whoever has claimed it",
                        ROWS,
                        List.of(Role.WORKER, Role.WORKER),
                        " WHERE id = \\? AND state(?: \\+ 0)? = 0 AND lease_token = \\?",
                        " WHERE id = ? AND lease_token >= ? - 1000"));
    }

    /**
     * {@return faults of claims that read first and write later, and one fault that is found soonest on a database whose schedules are
     * quick}
     */
    static List<PlantedFault> ofOneWriter() {
        return List.of(
                new PlantedFault(
                        "a run is rescued though its lease was renewed",
                        ROWS,
                        List.of(Role.LAZY, Role.RESCUER),
                        // any lease is treated as the lease that was read
                        "(lease_token|cancel_requested), lease_expires_at"
                                + "(?:(, kind)|(\\s.*)AND lease_expires_at <= .*?(\\s+ORDER BY id))",
                        "$1, created_at AS lease_expires_at$2$3$4"),
                new PlantedFault(
                        "a range is written where one was pruned",
                        Strategy.LANES,
                        List.of(Role.DILIGENT, Role.DILIGENT, Role.PRUNER),
                        "present.end_id = \\?",
                        "present.end_id >= ?"),
                new PlantedFault(
                        "a range is written over another",
                        Strategy.LANES,
                        List.of(Role.WORKER, Role.WORKER),
                        "INSERT (INTO pawl_lane_range\\s.*)present.end_id = \\?",
                        "INSERT OR REPLACE $1present.end_id >= ?"));
    }

    /** {@return faults of databases with concurrent writers} */
    static List<PlantedFault> ofManyWriters() {
        return List.of(
                new PlantedFault(
                        "a range is claimed though its key is taken",
                        Strategy.LANES,
                        List.of(Role.WORKER, Role.CANCELLER),
                        "ON CONFLICT DO NOTHING RETURNING 1",
                        "ON CONFLICT (lane, starts_after) DO UPDATE SET leased_by = EXCLUDED.leased_by RETURNING 1"),
                new PlantedFault(
                        "a range is changed without its lock",
                        Strategy.LANES,
                        List.of(Role.WORKER, Role.CANCELLER),
                        "(FROM pawl_lane_range WHERE lane = \\? AND starts_after = \\? )FOR UPDATE( SKIP LOCKED)?",
                        "$1"),
                new PlantedFault(
                        "a job is taken out where a range was pruned",
                        Strategy.LANES,
                        List.of(Role.DILIGENT, Role.PRUNER, Role.CANCELLER),
                        "(finished_at,\\s+moved_count, .*)present.end_id = \\?",
                        "$1present.end_id >= ?"),
                new PlantedFault(
                        "a job is locked before its range",
                        Strategy.LANES,
                        List.of(Role.DILIGENT, Role.PRUNER, Role.CANCELLER),
                        "(SELECT 1 FROM pawl_lane_job WHERE lane = \\? AND id = \\? )$",
                        "$1FOR UPDATE"),
                new PlantedFault(
                        "nobody counts again",
                        Strategy.LANES,
                        List.of(Role.WORKER, Role.ENQUEUER, Role.ENQUEUER),
                        "WHERE r.recount_at IS NOT NULL",
                        "WHERE FALSE"),
                new PlantedFault(
                        "a run is completed under any token",
                        ROWS,
                        List.of(Role.LAZY, Role.LAZY, Role.RESCUER),
                        "\\(j.id, j.lease_token\\) IN \\(SELECT \\* FROM unnest\\(\\?::bigint\\[\\], \\?::bigint\\[\\]\\)\\)",
                        "j.id IN (SELECT one FROM unnest(?::bigint[], ?::bigint[]) AS ours (one, other))"));
    }
}
