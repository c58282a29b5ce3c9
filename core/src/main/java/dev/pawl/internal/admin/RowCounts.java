package dev.pawl.internal.admin;

import dev.pawl.admin.QueueStats;
import dev.pawl.internal.place.QueueCount;
import java.time.Instant;
import java.util.EnumSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The counts of a queue's jobs, in rows or in all places.
 *
 * @param available jobs that may be claimed now
 * @param scheduled jobs that are due later, and wait for nothing else
 * @param retrying jobs that wait for their next attempt
 * @param running jobs under a lease
 * @param others jobs that wait for other jobs or their batch
 * @param oldest when the oldest available job became available; null if there is none
 * @param lowerBounds counts that stopped at a limit
 */
public record RowCounts(
        long available,
        long scheduled,
        long retrying,
        long running,
        WaitingForOthers others,
        @Nullable Instant oldest,
        Set<QueueStats.Count> lowerBounds) {
    static final RowCounts NONE = new RowCounts(0, 0, 0, 0, WaitingForOthers.NONE, null);

    /** {@return the counts of jobs that have no rows of their own} */
    static RowCounts withoutRows(QueueCount count) {
        Set<QueueStats.Count> bounds = count.isAtLeast() ? Set.of(QueueStats.Count.AVAILABLE) : Set.of();
        return new RowCounts(count.available(), 0, 0, count.running(), WaitingForOthers.NONE, count.oldest(), bounds);
    }

    /** Exact counts. */
    RowCounts(
            long available,
            long scheduled,
            long retrying,
            long running,
            WaitingForOthers others,
            @Nullable Instant oldest) {
        this(available, scheduled, retrying, running, others, oldest, Set.of());
    }

    RowCounts plus(RowCounts other) {
        Set<QueueStats.Count> bounds = EnumSet.noneOf(QueueStats.Count.class);
        bounds.addAll(lowerBounds);
        bounds.addAll(other.lowerBounds);
        Instant older =
                oldest == null || (other.oldest != null && other.oldest.isBefore(oldest)) ? other.oldest : oldest;
        return new RowCounts(
                available + other.available,
                scheduled + other.scheduled,
                retrying + other.retrying,
                running + other.running,
                others.plus(other.others),
                older,
                bounds);
    }

    long later() {
        return scheduled + retrying;
    }

    /**
     * {@return the same counts, with marks on those that stopped at a limit}
     *
     * @param most where counting of this queue stopped
     * @param isRunningBounded whether the count of running jobs stopped there
     */
    RowCounts countedUpTo(long most, boolean isRunningBounded) {
        Set<QueueStats.Count> bounds = EnumSet.noneOf(QueueStats.Count.class);
        mark(bounds, available >= most, QueueStats.Count.AVAILABLE);
        mark(bounds, later() >= most, QueueStats.Count.SCHEDULED);
        mark(bounds, later() >= most, QueueStats.Count.RETRYING);
        mark(bounds, others.blocked() >= most, QueueStats.Count.BLOCKED);
        mark(bounds, others.pending() >= most, QueueStats.Count.PENDING);
        mark(bounds, others.paused() >= most, QueueStats.Count.PAUSED);
        mark(bounds, isRunningBounded, QueueStats.Count.RUNNING);
        return new RowCounts(available, scheduled, retrying, running, others, oldest, bounds);
    }

    private static void mark(Set<QueueStats.Count> bounds, boolean isBounded, QueueStats.Count count) {
        if (isBounded) {
            bounds.add(count);
        }
    }
}
