package dev.pawl;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A job as it was when it was read: a snapshot, not a live view. All moments are by the database's clock.
 *
 * @param id its id, unique for ever
 * @param kind its kind
 * @param queue its queue
 * @param state where it stands
 * @param priority small first
 * @param attempt how often it was started
 * @param maxAttempts how often it may be started
 * @param createdAt when it was enqueued
 * @param availableAt from when on it may be claimed
 * @param startedAt when the current or last attempt was claimed; null if there was none
 * @param finishedAt when it finished; null while it is live
 * @param leasedBy the worker that runs it or ran it last; null if none did
 * @param leaseExpiresAt when the current lease ends; null unless it is running
 * @param leaseToken grows with every claim; the fencing token of the current or last run
 * @param cancelRequested true if it is running and was asked to stop
 * @param progress 0 to 100 as its handler reported; null if it did not
 * @param uniqueKey its unique key; null if none
 * @param tags its tags
 * @param payload its payload as the codec wrote it
 * @param reason why it was cancelled or discarded; null otherwise
 */
public record Job(
        long id,
        String kind,
        String queue,
        JobState state,
        int priority,
        int attempt,
        int maxAttempts,
        Instant createdAt,
        Instant availableAt,
        @Nullable Instant startedAt,
        @Nullable Instant finishedAt,
        @Nullable Long leasedBy,
        @Nullable Instant leaseExpiresAt,
        long leaseToken,
        boolean cancelRequested,
        @Nullable Integer progress,
        @Nullable String uniqueKey,
        List<String> tags,
        String payload,
        @Nullable String reason) {}
