package dev.pawl.internal.engine;

/**
 * A job in a buffer.
 *
 * @param number of its arrival
 */
record Waiting(HeldJob job, long number) {}
