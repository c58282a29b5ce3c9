package dev.pawl.admin;

import org.jspecify.annotations.Nullable;

/**
 * Options of the tables that suit some users and not all; null leaves an option unchanged. PostgreSQL only. Each change locks the table
 * exclusively while it copies the rows, so workers wait until it ends.
 *
 * @param unlogged the live table is not written to the write-ahead log: about a third faster, but <strong>a crash of the server empties it,
 *     and every unfinished job with a row of its own is lost</strong>; replicas do not have its rows at all
 * @param historyByDay the history has a partition for each day and state, and pruning drops whole days instead of deleting rows, up to a
 *     day later than the retention
 * @param livePartitions the number of partitions of the live table by a hash of the kind, 2 to 64; 1 for one table
 */
public record Tuning(
        @Nullable Boolean unlogged,
        @Nullable Boolean historyByDay,
        @Nullable Integer livePartitions) {
    /** Changes nothing. */
    public static final Tuning NOTHING = new Tuning(null, null, null);

    /**
     * @throws IllegalArgumentException if the number of partitions is outside its range
     */
    public Tuning {
        if (livePartitions != null && (livePartitions < 1 || livePartitions > 64)) {
            throw new IllegalArgumentException("live partitions " + livePartitions + " is not valid: use 1 to 64");
        }
    }

    /** {@return a copy with {@code unlogged} set} */
    public Tuning unlogged(boolean wanted) {
        return new Tuning(wanted, historyByDay, livePartitions);
    }

    /** {@return a copy with {@code historyByDay} set} */
    public Tuning historyByDay(boolean wanted) {
        return new Tuning(unlogged, wanted, livePartitions);
    }

    /** {@return a copy with {@code livePartitions} set} */
    public Tuning livePartitions(int parts) {
        return new Tuning(unlogged, historyByDay, parts);
    }
}
