package dev.pawl.internal.store;

/**
 * Where a job waits.
 *
 * @param queue its queue
 * @param kind its kind
 */
public record QueueAndKind(String queue, String kind) {}
