package dev.pawl.shard;

import dev.pawl.limit.Limit;
import dev.pawl.limit.Rate;
import dev.pawl.limit.Subject;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Divides a limit among shards, so that the parts add up to the limit. */
final class ShardLimits {
    private ShardLimits() {}

    /**
     * @param limit for all shards together
     * @param shards number of shards
     * @return the limit of each shard; limits for each key are not divided, because a key is on one shard
     * @throws IllegalArgumentException if a part would be less than one
     */
    static List<Limit> of(Limit limit, int shards) {
        boolean ofEachKey = limit.subject().of() == Subject.Of.KEYS;
        List<Limit> parts = new ArrayList<>();
        for (int shard = 0; shard < shards; shard++) {
            Rate rate = limit.rate();
            Limit part = Limit.of(limit.subject())
                    .atOnce(ofEachKey ? limit.atOnce() : part("atOnce", limit, limit.atOnce(), shards, shard))
                    .rate(
                            ofEachKey || rate == null
                                    ? rate
                                    : new Rate(required("rate", limit, rate.starts(), shards, shard), rate.per()))
                    .maxWaiting(part("maxWaiting", limit, limit.maxWaiting(), shards, shard));
            parts.add(ofEachKey ? part.together(part("together", limit, limit.together(), shards, shard)) : part);
        }
        return parts;
    }

    private static @Nullable Integer part(String what, Limit limit, @Nullable Integer all, int shards, int shard) {
        return all == null ? null : Integer.valueOf(required(what, limit, all, shards, shard));
    }

    private static int required(String what, Limit limit, int all, int shards, int shard) {
        if (all < shards) {
            throw new IllegalArgumentException(what + " " + all + " of " + limit.subject() + " cannot be divided among "
                    + shards + " shards, because each needs at least one: raise it, or enqueue these jobs on one"
                    + " shard, by a concurrency key that they share, and set the limit there");
        }
        return all / shards + (shard < all % shards ? 1 : 0);
    }
}
