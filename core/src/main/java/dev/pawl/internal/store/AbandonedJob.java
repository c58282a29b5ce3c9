package dev.pawl.internal.store;

import dev.pawl.api.RetryPolicy;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A running job whose lease has expired.
 *
 * @param lease the expired lease
 * @param expiredAt when it expired
 * @param kind its kind
 * @param retryPolicy the job's own retry policy; null if it has none
 * @param attempt the abandoned attempt
 * @param maxAttempts maximum number of attempts
 * @param leasedBy the worker that held it
 * @param workerName that worker's name; null if its row is gone
 * @param mayHaveBegun false if the job certainly did not reach a handler: it was prefetched, and its worker did not log its start
 */
public record AbandonedJob(
        Lease lease,
        Instant expiredAt,
        String kind,
        @Nullable RetryPolicy retryPolicy,
        int attempt,
        int maxAttempts,
        long leasedBy,
        @Nullable String workerName,
        boolean mayHaveBegun) {}
