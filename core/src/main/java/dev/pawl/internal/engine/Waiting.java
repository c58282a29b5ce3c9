package dev.pawl.internal.engine;

/**
 * A buffered job.
 *
 * @param number in the order of arrival
 */
record Waiting(HeldJob job, long number) {}
