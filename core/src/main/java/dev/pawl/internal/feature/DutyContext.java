package dev.pawl.internal.feature;

import dev.pawl.internal.jdbc.Database;
import dev.pawl.internal.store.WorkerContext;

/**
 * The services that the duties of a feature may use.
 *
 * @param database the pool and the dialect; its statements are limited in time
 * @param notice notifies workers
 * @param worker that runs the duties
 */
public record DutyContext(Database database, Notice notice, WorkerContext worker) {}
