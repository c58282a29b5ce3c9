package dev.pawl.limit;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A limit and its current use.
 *
 * @param limit the limit; all its values are null if the jobs are only paused
 * @param shared how much of {@code atOnce} is allocated to workers now; the allocation follows their demand
 * @param workers the number of workers that have an allocation or wait for one
 * @param waiting the number of workers that could use more than their allocation; for keys, the number of keys with
 *     jobs that wait for their rate
 * @param nextStart when the rate allows the next start, by the database's clock; for keys, the next start of the first
 *     waiting key. Null if there is no rate, or the time is past
 * @param pause the pause of the jobs; null if there is none
 */
public record LimitInfo(
        Limit limit,
        int shared,
        int workers,
        int waiting,
        @Nullable Instant nextStart,
        @Nullable Pause pause) {}
