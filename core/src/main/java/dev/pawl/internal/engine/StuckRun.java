package dev.pawl.internal.engine;

/**
 * A run whose handler does not end.
 *
 * @param thread of the handler
 * @param number of that thread
 * @param why it was interrupted
 */
record StuckRun(Thread thread, int number, HeldJob.Stop why) {}
