package dev.pawl.specification;

import dev.pawl.internal.engine.StepWorker;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;

/** What the clocks of the workers show, while that of the database is set, and whether a worker believes that leases are over. */
final class ModelClock {
    /** For how long after an outage workers record what they know, and rescue nothing. */
    private static final Duration AFTER_OUTAGE = Duration.ofSeconds(3);

    /**
     * What a worker knows.
     *
     * @param isStepUnseen the database's clock was set forward, and it has not read it since
     * @param trusted until then, by its own clock, leases that are over may be those of workers that live
     */
    private record Seen(boolean isStepUnseen, Instant trusted) {
        private static final Seen NOTHING = new Seen(false, Instant.MIN);
    }

    /** How far the database's clock was set forward. Those of the workers were not. */
    private Duration ahead = Duration.ZERO;

    private final Map<StepWorker, Seen> workers = new HashMap<>();

    ModelClock copy() {
        ModelClock copy = new ModelClock();
        copy.ahead = ahead;
        copy.workers.putAll(workers);
        return copy;
    }

    /** These work. One that begins later knows nothing of what was before. */
    void meet(Collection<StepWorker> present) {
        workers.keySet().retainAll(present);
        present.forEach(worker -> workers.putIfAbsent(worker, Seen.NOTHING));
    }

    /** {@return what the clocks of the workers show} */
    Instant ofWorkers(Instant now) {
        return now.minus(ahead);
    }

    /** The database's clock is set forward, or back. */
    void step(Duration length) {
        ahead = ahead.plus(length);
        if (!length.isNegative()) {
            workers.replaceAll((worker, seen) -> new Seen(true, seen.trusted));
        }
    }

    private Seen of(StepWorker worker) {
        return workers.getOrDefault(worker, Seen.NOTHING);
    }

    /** A worker reads the clock; those that live have a lease's time to renew theirs. */
    void reads(StepWorker worker, Instant now) {
        if (of(worker).isStepUnseen) {
            workers.put(worker, new Seen(false, of(worker).trusted));
            distrusts(worker, Model.LEASE, now);
        }
    }

    /** A worker has lost the database, and has it again. */
    void outage(StepWorker worker, Instant now) {
        distrusts(worker, AFTER_OUTAGE, now);
    }

    private void distrusts(StepWorker worker, Duration wait, Instant now) {
        Instant later = ofWorkers(now).plus(wait);
        Seen seen = of(worker);
        if (later.isAfter(seen.trusted)) {
            workers.put(worker, new Seen(seen.isStepUnseen, later));
        }
    }

    /** {@return whether a worker believes that a lease is over if the database says so} */
    boolean believes(StepWorker worker, Instant now) {
        return !ofWorkers(now).isBefore(of(worker).trusted);
    }
}
