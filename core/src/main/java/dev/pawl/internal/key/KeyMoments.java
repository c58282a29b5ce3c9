package dev.pawl.internal.key;

import dev.pawl.internal.feature.MomentQuery;
import dev.pawl.internal.feature.WorkMoment;
import dev.pawl.internal.store.WorkSource;
import dev.pawl.internal.store.WorkSource.By;
import java.util.Collection;
import java.util.List;

/**
 * The next moments at which concurrency keys have jobs to release, for a worker that is being suspended. When the worker resumes, the
 * thread that releases keys searches for such keys.
 */
final class KeyMoments {
    /** A blocked job becomes due. */
    static final WorkSource KEYS = new WorkSource("KEYS", By.MAIN_PATH);

    /** The pause of a key ends. */
    static final WorkSource KEY_HOLDS = new WorkSource("KEY_HOLDS", By.MAIN_PATH);

    /** The rate of a key allows the next start. */
    static final WorkSource KEY_RATES = new WorkSource("KEY_RATES", By.MAIN_PATH);

    private static final String HAS_BLOCKED = " AND EXISTS (SELECT 1 FROM pawl_keyed p WHERE p.queue = k.queue"
            + " AND p.job_key = k.job_key AND p.released = 0)";

    private static final String MEMORY = "(f.rate_period + 2 * CASE WHEN f.rate_period < 2000000 THEN 100000"
            + " WHEN f.rate_period > 20000000 THEN 1000000 ELSE f.rate_period / 20 END)";

    /**
     * How far from now the current rate can have set the next start, as in {@code Bucket.furthest}. A start further away was set by a
     * former, slower rate, and counts as the current time.
     */
    private static final String FURTHEST =
            "CASE WHEN k.cost_backlog IS NULL THEN " + MEMORY + " / f.rate_limit + 1 ELSE " + MEMORY + " END";

    private KeyMoments() {}

    static List<WorkMoment> all() {
        return List.of(
                new WorkMoment(KEYS, KeyMoments::blocked),
                new WorkMoment(KEY_HOLDS, KeyMoments::holds),
                new WorkMoment(KEY_RATES, KeyMoments::rates));
    }

    /**
     * Adds the moments at which blocked jobs become due. Jobs that are due already are left out: they wait for other jobs to end, or for
     * the rate of their key.
     */
    private static void blocked(MomentQuery query) {
        for (String queue : query.worker().keyed()) {
            String later = "pawl_keyed WHERE released = 0 AND available_at > 0 AND available_at > " + query.now()
                    + " AND queue = " + query.value(queue);
            query.add(KEYS, "(" + query.dialect().least("available_at", later, "released, queue, job_key") + ")", "");
        }
    }

    private static void holds(MomentQuery query) {
        Collection<String> queues = query.worker().keyed();
        if (!queues.isEmpty()) {
            query.add(
                    KEY_HOLDS,
                    "MIN(k.paused_until)",
                    "FROM pawl_key k WHERE k.queue IN " + query.in(queues) + " AND k.paused_until > " + query.now()
                            + HAS_BLOCKED);
        }
    }

    private static void rates(MomentQuery query) {
        Collection<String> queues = query.worker().keyed();
        if (!queues.isEmpty()) {
            query.add(
                    KEY_RATES,
                    "MIN(CASE WHEN k.next_start_at > " + query.now() + " + " + FURTHEST + " THEN " + query.now()
                            + " ELSE k.next_start_at END)",
                    KeyRates.WITH_RATE + " WHERE k.queue IN " + query.in(queues) + " AND k.next_start_at > "
                            + query.now() + HAS_BLOCKED);
        }
    }
}
