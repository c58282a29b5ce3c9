package dev.pawl.limit;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * How a limit stands.
 *
 * @param limit what was set; all its values are null where jobs are only held back
 * @param shared how much of "at once" workers have at the moment; those that need more get it from those that do not
 * @param workers how many workers have a share or wait for one
 * @param waiting how many of them would use more than they have; of the keys of a queue, how many keys have jobs and wait until
 *     their rate allows the next start
 * @param nextStart when the rate allows the next start, by the database's clock, or that of the first key that waits for it; null
 *     if there is no rate, or it is past
 * @param hold that keeps its jobs back; null if there is none
 */
public record LimitInfo(
        Limit limit,
        int shared,
        int workers,
        int waiting,
        @Nullable Instant nextStart,
        @Nullable Hold hold) {}
