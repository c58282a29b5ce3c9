package dev.pawl.internal.store;

import java.util.Set;

/**
 * What the duties of a worker know about it.
 *
 * @param name of the worker
 * @param queues from which it claims; the set may change
 */
public record WorkerContext(String name, Set<String> queues) {}
