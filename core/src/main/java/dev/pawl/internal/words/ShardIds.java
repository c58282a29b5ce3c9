package dev.pawl.internal.words;

/**
 * The ids of the jobs of a shard: 2⁴³ consecutive ids, beginning at the number of the shard times 2⁴³. The ids of all shards are less than
 * 2⁵³, so they are exact in JSON, too.
 */
public final class ShardIds {
    /** Maximum number of shards. */
    public static final int SHARDS = 1 << 10;

    private static final int BITS = 43;
    /** The first auto-increment id of shard 0, on MySQL and MariaDB. */
    private static final long FIRST_AUTO_INCREMENT = 1_000_000_000_000L;

    private ShardIds() {}

    /** {@return the number of the shard that has an id} */
    public static long shardOf(long id) {
        return id >> BITS;
    }

    /** {@return the id that precedes the shard's first job id; never 0} */
    public static long before(int shard) {
        return shard == 0 ? 1 : (long) shard << BITS;
    }

    /** {@return the first id that auto-increment columns of a shard generate, on databases where job ids come from another counter} */
    public static long firstAutoIncrementId(long shard) {
        return shard == 0 ? FIRST_AUTO_INCREMENT : (shard << BITS) + (1L << (BITS - 1));
    }
}
