package dev.pawl.internal.engine;

/**
 * What is known of a handler that does not end.
 *
 * @param thread it runs on
 * @param number of that thread
 * @param why it was interrupted
 */
record Ignorance(Thread thread, int number, HeldJob.Stop why) {}
