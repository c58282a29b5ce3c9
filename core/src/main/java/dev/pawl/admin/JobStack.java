package dev.pawl.admin;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * What the thread of a run was doing when somebody asked: {@link JobAdmin#askForStack}. Immutable.
 *
 * @param attempt the run
 * @param askedAt when somebody asked, by the database's clock
 * @param toldAt when its worker answered, by the database's clock; null: not yet
 * @param stack the state of the thread, and a line for each call, the innermost first: names of classes and methods, of files, and
 *     lines, and no values; 16,384 characters at most; null: not yet
 */
public record JobStack(
        int attempt,
        Instant askedAt,
        @Nullable Instant toldAt,
        @Nullable String stack) {}
