package dev.pawl.admin;

import dev.pawl.InvalidJobException;
import org.jspecify.annotations.Nullable;

/**
 * Changes to the tables that suit some users and not all; null leaves a setting as it is. PostgreSQL only. Each change
 * locks the table exclusively while it copies the rows, so workers wait meanwhile.
 *
 * @param unlogged the live table writes no log: about a third faster, but <strong>a crash of the server empties it, and
 *     every job that had not finished is lost</strong>; replicas do not have the table's rows at all
 * @param historyByDay the history is kept in a partition for each day and state, and pruning drops whole days instead
 *     of deleting rows; up to a day longer than the retention
 * @param livePartitions into how many parts the live table is split by a hash of the kind, 2 to 64; 1 for one table
 */
public record Tuning(
        @Nullable Boolean unlogged,
        @Nullable Boolean historyByDay,
        @Nullable Integer livePartitions) {
    /** Leaves everything as it is. */
    public static final Tuning NOTHING = new Tuning(null, null, null);

    /**
     * @throws InvalidJobException if the number of parts is outside its range
     */
    public Tuning {
        if (livePartitions != null && (livePartitions < 1 || livePartitions > 64)) {
            throw new InvalidJobException("live partitions " + livePartitions + " is not valid: use 1 to 64");
        }
    }

    /** {@return a copy that sets it} */
    public Tuning unlogged(boolean wanted) {
        return new Tuning(wanted, historyByDay, livePartitions);
    }

    /** {@return a copy that sets it} */
    public Tuning historyByDay(boolean wanted) {
        return new Tuning(unlogged, wanted, livePartitions);
    }

    /** {@return a copy that sets it} */
    public Tuning livePartitions(int parts) {
        return new Tuning(unlogged, historyByDay, parts);
    }
}
