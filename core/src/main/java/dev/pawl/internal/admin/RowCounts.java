package dev.pawl.internal.admin;

import dev.pawl.internal.place.QueueCount;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * What a queue has in rows, or in all places.
 *
 * @param available jobs that may be claimed now
 * @param scheduled jobs that are due later, and wait for nothing else
 * @param retrying jobs that wait for their next attempt
 * @param running jobs under a lease
 * @param others jobs that wait for others
 * @param oldest when the oldest available one became available; null if there is none
 */
public record RowCounts(
        long available,
        long scheduled,
        long retrying,
        long running,
        WaitingForOthers others,
        @Nullable Instant oldest) {
    static final RowCounts NONE = new RowCounts(0, 0, 0, 0, WaitingForOthers.NONE, null);

    /** {@return the counts of jobs that have no rows of their own} */
    static RowCounts withoutRows(QueueCount count) {
        return new RowCounts(count.available(), 0, 0, count.running(), WaitingForOthers.NONE, count.oldest());
    }

    RowCounts plus(RowCounts other) {
        Instant older =
                oldest == null || (other.oldest != null && other.oldest.isBefore(oldest)) ? other.oldest : oldest;
        return new RowCounts(
                available + other.available,
                scheduled + other.scheduled,
                retrying + other.retrying,
                running + other.running,
                others.plus(other.others),
                older);
    }

    long later() {
        return scheduled + retrying;
    }
}
