package dev.pawl.internal.engine;

import dev.pawl.api.DatabaseException;
import dev.pawl.api.Job;
import dev.pawl.internal.store.JobStore;
import dev.pawl.internal.store.Verdict;
import java.sql.SQLException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Decides whether a run is charged an attempt when a conflict with another transaction rolls it back. It is not charged if a statement of
 * this library or the commit failed, because the library may be the cause. The same holds for a serialization failure in the handler's
 * statements. Both are limited, because a job that always conflicts would run forever. Thread-safe.
 */
final class Conflicts {
    /** Conflicts of a job after which serialization failures in its handler's statements are charged. */
    static final int FREE = 20;

    /** Conflicts after which every conflict is charged. With the delays between them that takes about five minutes. */
    static final int MAX_FREE = 100;

    /** Remembered jobs; a forgotten one gets more free failures than it should. */
    private static final int MAX = 1_000;

    private static final int DEEPEST = 50;
    private static final int SHORTEST_MILLIS = 20;
    private static final int MAX_DOUBLED = 8;

    private final JobStore store;
    private final RunLog log;
    private final Map<Long, Integer> counts = new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<Long, Integer> eldest) {
            return size() > MAX;
        }
    };

    Conflicts(JobStore store, RunLog log) {
        this.store = store;
        this.log = log;
    }

    /**
     * Notes a rollback of a run's transaction.
     *
     * @param by the failure
     * @param isHandlers whether a statement of the handler threw it
     * @return whether that was a conflict for which the run is not charged
     */
    boolean note(HeldJob held, Throwable by, boolean isHandlers) {
        boolean isOurs = isHandlers ? isOurs(by) : has(by, store::isContention);
        if (isOurs) {
            held.conflict(by, true);
        } else if (isHandlers && has(by, store::isSerializationFailure)) {
            held.conflict(by, false);
        }
        return isOurs;
    }

    /** {@return the verdict on a run that failed because of a conflict; null if the attempt is charged} */
    @Nullable
    Verdict free(HeldJob held, Throwable error) {
        HeldJob.Conflict known = known(held, error);
        boolean isOurs = known == null ? isOurs(error) : known.isOurs();
        if (known == null && !isOurs) {
            return null;
        }
        int count = count(held.job());
        if (count > (isOurs ? MAX_FREE : FREE)) {
            return null;
        }
        if (Integer.bitCount(count) == 1) { // logs 1, 2, 4 … to bound the number of lines
            log.add(
                    held.job(),
                    "released, and the attempt is not counted, because of a conflict with another transaction (" + count
                            + " so far on this worker): " + ErrorText.firstLine(error));
        }
        return new Verdict.Snooze(wait(count));
    }

    /** {@return the conflict of the run's transaction, if the run failed because of that conflict; else null} */
    private static HeldJob.@Nullable Conflict known(HeldJob held, Throwable error) {
        HeldJob.Conflict last = held.conflict();
        return last == null || chain(error).noneMatch(cause -> cause == last.by()) ? null : last;
    }

    /** {@return whether an operation of this library failed after its own retries} */
    private boolean isOurs(Throwable error) {
        return chain(error)
                .anyMatch(cause ->
                        cause instanceof DatabaseException failed && store.isContention(failed.sqlException()));
    }

    private static boolean has(Throwable error, Predicate<SQLException> fault) {
        return chain(error).anyMatch(cause -> cause instanceof SQLException sql && fault.test(sql));
    }

    /** Bounded, because causes may be circular. */
    private static Stream<Throwable> chain(Throwable error) {
        return Stream.<Throwable>iterate(error, Objects::nonNull, Throwable::getCause)
                .limit(DEEPEST);
    }

    private synchronized int count(Job job) {
        return counts.merge(job.id(), 1, Integer::sum);
    }

    /** Grows and is random, so that conflicting jobs do not meet again. */
    private static Duration wait(int count) {
        long most = (long) SHORTEST_MILLIS << Math.min(count, MAX_DOUBLED);
        return Duration.ofMillis(ThreadLocalRandom.current().nextLong(most / 4, most));
    }
}
