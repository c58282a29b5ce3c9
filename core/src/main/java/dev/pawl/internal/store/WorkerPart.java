package dev.pawl.internal.store;

import dev.pawl.api.Job;
import dev.pawl.api.Outcome;
import java.sql.SQLException;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A part of a worker that a feature adds. It has a thread of its own, and is notified of what the worker does. Thread-safe. */
public interface WorkerPart {
    /** {@return the name of its thread} */
    String name();

    /** Works until {@link #stop} is called, and then finishes its current work. */
    void run();

    /** Ends {@link #run}. Idempotent. */
    void stop();

    /** Releases what the feature has allocated to the worker, when the worker stops. */
    default void signOff() throws SQLException {}

    /** Takes over the settings each time the worker has read them. */
    default void read(JobStore.Settings settings) {}

    /**
     * {@return whether the part may learn from the settings that it has work} They are then read early if a notification leads to no job.
     */
    default boolean wantsSettings() {
        return false;
    }

    /** Called at the beginning of each round of claims, because there may be new jobs then. Must be quick. */
    default void claims() {}

    /**
     * Called when a handler has ended.
     *
     * @param job that it ran
     * @param outcome the outcome; null if the handler has failed, or if the outcome is irrelevant
     */
    default void ran(Job job, @Nullable Outcome outcome) {}

    /** Called when the outcomes of these jobs are recorded, or their leases are lost. */
    default void recorded(List<Job> jobs) {}

    /** {@return whether the part is about to make jobs available; if it does, a notification follows} */
    default boolean isReleasing() {
        return false;
    }

    /** {@return whether the part may be about to make jobs available, or has not searched for such jobs yet} */
    default boolean isBusy() {
        return false;
    }

    /** {@return how often the part has searched for jobs to make available; {@link Long#MAX_VALUE} if there can be none} */
    default long checks() {
        return Long.MAX_VALUE;
    }

    /** {@return the queues whose jobs the part may make available} */
    default Set<String> watched() {
        return Set.of();
    }

    /** {@return whether the part has found, after this time, that it has no work for a while, so that the worker may be suspended} */
    default boolean isSettledSince(long nanos) {
        return true;
    }
}
