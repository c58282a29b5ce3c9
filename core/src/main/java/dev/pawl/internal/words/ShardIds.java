package dev.pawl.internal.words;

/**
 * The ids of the jobs of a shard: 2⁴³ in a row, from the number of the shard times 2⁴³ on. An id of any shard is less than 2⁵³, so it is
 * exact in JSON, too.
 */
public final class ShardIds {
    /** How many shards have ids of their own. */
    public static final int SHARDS = 1 << 10;

    private static final int BITS = 43;
    /** On MySQL and MariaDB, the id of the first row of shard 0 that is inserted without one. */
    private static final long BY_HAND = 1_000_000_000_000L;

    private ShardIds() {}

    /** {@return the number of the shard that has an id} */
    public static long shardOf(long id) {
        return id >> BITS;
    }

    /** {@return the id before those that the jobs of a shard get; never 0, which is of no shard} */
    public static long before(int shard) {
        return shard == 0 ? 1 : (long) shard << BITS;
    }

    /** {@return the id from which rows of a shard have theirs that are inserted without one, where that is not the counter of jobs} */
    public static long byHandFrom(long shard) {
        return shard == 0 ? BY_HAND : (shard << BITS) + (1L << (BITS - 1));
    }
}
