package dev.pawl.internal.words;

/**
 * The ids of the jobs of a shard: 2⁴³ in a row, from the number of the shard times 2⁴³ on. An id of any shard is less than 2⁵³, so it is
 * exact in JSON, too.
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

    /** {@return the first auto-increment id of a shard, where job ids come from another counter} */
    public static long firstAutoIncrementId(long shard) {
        return shard == 0 ? FIRST_AUTO_INCREMENT : (shard << BITS) + (1L << (BITS - 1));
    }
}
