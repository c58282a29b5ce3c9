package dev.pawl.admin;

import org.jspecify.annotations.Nullable;

/**
 * Options of the tables that suit some users and not all; null leaves an option unchanged. PostgreSQL only. Each change locks the table
 * exclusively while it copies the rows, so workers wait until it ends.
 *
 * @param unlogged the live table is not written to the write-ahead log. This is about a third faster, but <strong>a crash of the server
 *     empties the table and loses every unfinished job that is not in a {@linkplain dev.pawl.api.Strategy.Lanes lane}</strong>. Replicas
 *     have no rows of the table
 * @param historyByDay the history has a partition for each day and state. Pruning drops the partitions of a day instead of deleting rows,
 *     so a job may be kept for up to a day longer than its retention
 * @param livePartitions the number of partitions of the live table, 2 to 64, by a hash of the kind; 1 for no partitions
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
