package dev.pawl.internal.store;

/**
 * The queue and kind of waiting jobs.
 *
 * @param queue its name
 * @param kind its name
 */
public record QueueAndKind(String queue, String kind) {}
