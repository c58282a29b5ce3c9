package dev.pawl.internal.feature;

import dev.pawl.internal.jdbc.Dialect;

/**
 * The services that the enqueue hook of a feature may use.
 *
 * @param dialect of the database
 * @param rows writes jobs
 * @param begun finds jobs that have begun
 * @param bounds of queues
 */
public record EnqueueContext(Dialect dialect, InsertJobs rows, BegunRows begun, QueueBounds bounds) {}
