package dev.pawl.internal.engine;

import dev.pawl.DatabaseException;
import dev.pawl.Job;
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
 * Decides whether a run is charged an attempt when the database rolls its transaction back because of a conflict with another one. It is
 * not if a statement of this library or the commit has failed, because the library may be the cause. A serialization failure in the
 * handler's statements may have the same cause. Either is free up to a limit, or a job that always conflicts would run for ever.
 * Thread-safe.
 */
final class Conflicts {
    /** After so many conflicts of a job, a worker charges it for serialization failures in its handler's statements. */
    static final int FREE = 20;

    /** After so many, for every conflict. With the waits between them that takes some five minutes. */
    static final int MOST_FREE = 100;

    /** How many jobs are remembered; one that is forgotten gets more free failures than it should. */
    private static final int MOST = 1_000;

    private static final int DEEPEST = 50;
    private static final int SHORTEST_MILLIS = 20;
    private static final int MOST_DOUBLED = 8;

    private final JobStore store;
    private final RunLog log;
    private final Map<Long, Integer> counts = new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<Long, Integer> eldest) {
            return size() > MOST;
        }
    };

    Conflicts(JobStore store, RunLog log) {
        this.store = store;
        this.log = log;
    }

    /**
     * A transaction of a run was rolled back.
     *
     * @param by what it failed with
     * @param isHandlers whether a statement of the handler has thrown it
     * @return whether that was a conflict, which the run is not charged for if it fails with it
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

    /** {@return what becomes of a run that has failed with a conflict; null if it is to be charged} */
    @Nullable
    Verdict free(HeldJob held, Throwable error) {
        HeldJob.Conflict known = known(held, error);
        boolean isOurs = known == null ? isOurs(error) : known.isOurs();
        if (known == null && !isOurs) {
            return null;
        }
        int count = count(held.job());
        if (count > (isOurs ? MOST_FREE : FREE)) {
            return null;
        }
        if (Integer.bitCount(count) == 1) { // 1, 2, 4 …: a line for each would be too many
            log.add(
                    held.job(),
                    "given back without an attempt because of a conflict with another transaction (" + count
                            + " so far on this worker): " + ErrorText.firstLine(error));
        }
        return new Verdict.Snooze(wait(count));
    }

    /** {@return the conflict of its transaction, if the run has failed with that; else null} */
    private static HeldJob.@Nullable Conflict known(HeldJob held, Throwable error) {
        HeldJob.Conflict last = held.conflict();
        return last == null || chain(error).noneMatch(cause -> cause == last.by()) ? null : last;
    }

    /** An operation of this library, which has tried it several times already. */
    private boolean isOurs(Throwable error) {
        return chain(error)
                .anyMatch(cause ->
                        cause instanceof DatabaseException failed && store.isContention(failed.sqlException()));
    }

    private static boolean has(Throwable error, Predicate<SQLException> fault) {
        return chain(error).anyMatch(cause -> cause instanceof SQLException sql && fault.test(sql));
    }

    /** Bounded: causes may form a circle. */
    private static Stream<Throwable> chain(Throwable error) {
        return Stream.<Throwable>iterate(error, Objects::nonNull, Throwable::getCause)
                .limit(DEEPEST);
    }

    private synchronized int count(Job job) {
        return counts.merge(job.id(), 1, Integer::sum);
    }

    /** Grows, and is drawn: those that were in conflict must not meet again. */
    private static Duration wait(int count) {
        long most = (long) SHORTEST_MILLIS << Math.min(count, MOST_DOUBLED);
        return Duration.ofMillis(ThreadLocalRandom.current().nextLong(most / 4, most));
    }
}
