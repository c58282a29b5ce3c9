package dev.pawl.limit;

import dev.pawl.api.EnqueueOptions;

/**
 * One concurrency key of a queue. Immutable.
 *
 * @param queue of the jobs
 * @param key of the jobs, see {@link EnqueueOptions#key}
 */
public record ConcurrencyKey(String queue, String key) {
    /**
     * @throws IllegalArgumentException if the queue or the key is not valid
     */
    public ConcurrencyKey {
        EnqueueOptions unused = EnqueueOptions.DEFAULTS.queue(queue).key(key); // the call checks both values
    }

    /** {@return {@code key 'customer-4' of queue mail}} */
    @Override
    public String toString() {
        return "key '" + key + "' of queue " + queue;
    }
}
