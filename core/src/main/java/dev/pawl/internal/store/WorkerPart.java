package dev.pawl.internal.store;

import dev.pawl.api.Job;
import dev.pawl.api.Outcome;
import java.sql.SQLException;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A part of a worker that a feature adds. It has a thread of its own, and hears what the worker does. Thread-safe. */
public interface WorkerPart {
    /** {@return the name of its thread} */
    String name();

    /** Works until {@link #stop} is called, and finishes its present work then. */
    void run();

    /** Ends {@link #run}. Idempotent. */
    void stop();

    /** Releases what the worker has of the feature, at the end. */
    default void signOff() throws SQLException {}

    /** Takes over the settings, each time that the worker reads them. */
    default void read(JobStore.Settings settings) {}

    /** {@return whether to read the settings early after a notification without a job, because they may tell the part of its first work} */
    default boolean wantsSettings() {
        return false;
    }

    /** A round of claims begins, so there may be new jobs. Called for every claim: quick. */
    default void claims() {}

    /**
     * A handler has ended.
     *
     * @param job that it ran
     * @param outcome null if it has failed, or the outcome is irrelevant
     */
    default void ran(Job job, @Nullable Outcome outcome) {}

    /** The outcomes of these jobs are recorded, or their leases are lost. */
    default void recorded(List<Job> jobs) {}

    /** {@return whether it is about to make jobs available; that ends with a notification if there are any} */
    default boolean isReleasing() {
        return false;
    }

    /** {@return whether it may be about to make jobs available, or has not looked for them yet} */
    default boolean isBusy() {
        return false;
    }

    /** {@return how often it has looked for jobs to make available; {@link Long#MAX_VALUE} if there can be none} */
    default long checks() {
        return Long.MAX_VALUE;
    }

    /** {@return the queues whose jobs it may make available} */
    default Set<String> watched() {
        return Set.of();
    }

    /** {@return whether it has no work for a while, as it has found after this moment, so that the worker may be suspended} */
    default boolean isSettledSince(long nanos) {
        return true;
    }
}
