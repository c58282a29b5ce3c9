package dev.pawl.specification;

import dev.pawl.internal.engine.StepWorker;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;

/**
 * The difference between the database's clock, which the test sets, and the workers' clocks. Also knows which workers trust that leases
 * have expired.
 */
final class ModelClock {
    /** For this long after an outage workers record outcomes, and rescue nothing. */
    private static final Duration AFTER_OUTAGE = Duration.ofSeconds(3);

    /**
     * A worker's knowledge.
     *
     * @param isStepUnseen whether it has not read the database's clock since that was set forward
     * @param trustsFrom the time, by the worker's own clock, from which it trusts that leases have expired; until then these may belong to
     *     live workers
     */
    private record Seen(boolean isStepUnseen, Instant trustsFrom) {
        private static final Seen NOTHING = new Seen(false, Instant.MIN);
    }

    /** How far the database's clock is ahead of the workers' clocks. */
    private Duration ahead = Duration.ZERO;

    private final Map<StepWorker, Seen> workers = new HashMap<>();

    ModelClock copy() {
        ModelClock copy = new ModelClock();
        copy.ahead = ahead;
        copy.workers.putAll(workers);
        return copy;
    }

    /** Sets the current workers. A worker that is new does not know of earlier events. */
    void meet(Collection<StepWorker> present) {
        workers.keySet().retainAll(present);
        present.forEach(worker -> workers.putIfAbsent(worker, Seen.NOTHING));
    }

    /** {@return the time by the workers' clocks} */
    Instant ofWorkers(Instant now) {
        return now.minus(ahead);
    }

    /** The database's clock is set forward, or back. */
    void step(Duration length) {
        ahead = ahead.plus(length);
        if (!length.isNegative()) {
            workers.replaceAll((worker, seen) -> new Seen(true, seen.trustsFrom));
        }
    }

    private Seen of(StepWorker worker) {
        return workers.getOrDefault(worker, Seen.NOTHING);
    }

    /** A worker reads the clock. If it notices a step, it gives live workers one lease duration to renew. */
    void reads(StepWorker worker, Instant now) {
        if (of(worker).isStepUnseen) {
            workers.put(worker, new Seen(false, of(worker).trustsFrom));
            distrusts(worker, Model.LEASE, now);
        }
    }

    /** A worker has lost the database, and reached it again. */
    void outage(StepWorker worker, Instant now) {
        distrusts(worker, AFTER_OUTAGE, now);
    }

    private void distrusts(StepWorker worker, Duration wait, Instant now) {
        Instant later = ofWorkers(now).plus(wait);
        Seen seen = of(worker);
        if (later.isAfter(seen.trustsFrom)) {
            workers.put(worker, new Seen(seen.isStepUnseen, later));
        }
    }

    /** {@return whether a worker trusts the database that a lease has expired} */
    boolean believes(StepWorker worker, Instant now) {
        return !ofWorkers(now).isBefore(of(worker).trustsFrom);
    }
}
