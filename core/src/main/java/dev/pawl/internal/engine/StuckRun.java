package dev.pawl.internal.engine;

import java.time.Duration;

/**
 * A run whose handler does not end.
 *
 * @param thread of the handler
 * @param number of that thread
 * @param why it was interrupted
 * @param sinceInterrupt how long ago that was
 */
record StuckRun(Thread thread, int number, HeldJob.Stop why, Duration sinceInterrupt) {}
