package dev.pawl.admin;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A stack trace of a run, requested by {@link RunAdmin#requestStackTrace}. Immutable.
 *
 * @param attempt the number of the attempt
 * @param requestedAt when it was requested, by the database's clock
 * @param reportedAt when the worker reported it, by the database's clock; null if it has not yet
 * @param stack the state of the thread and a line for each call, innermost first, with names of classes, methods and
 *     files and with line numbers, but without values; at most 16,384 characters; null if the worker has not reported
 *     yet
 */
public record JobStack(
        int attempt,
        Instant requestedAt,
        @Nullable Instant reportedAt,
        @Nullable String stack) {}
