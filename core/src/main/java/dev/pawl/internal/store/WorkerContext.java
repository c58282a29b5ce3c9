package dev.pawl.internal.store;

import java.util.Set;

/**
 * A worker, as its duties know it.
 *
 * @param name of the worker
 * @param queues from which it claims; they may change
 */
public record WorkerContext(String name, Set<String> queues) {}
