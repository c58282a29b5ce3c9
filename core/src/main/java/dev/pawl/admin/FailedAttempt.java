package dev.pawl.admin;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A failed attempt.
 *
 * @param jobId the job
 * @param attempt its number, from 1
 * @param startedAt when it was claimed; null if unknown
 * @param failedAt when the failure was recorded
 * @param leasedBy the worker that ran it; null if unknown
 * @param error the exception with its stack trace, the reason that the handler gave, or why the job was rescued; at most 16,384 characters
 */
public record FailedAttempt(
        long jobId,
        int attempt,
        @Nullable Instant startedAt,
        Instant failedAt,
        @Nullable Long leasedBy,
        String error) {}
