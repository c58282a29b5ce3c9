package dev.pawl.internal.store;

/**
 * The concurrency key of jobs.
 *
 * @param queue of the jobs: another queue may have the same key for other jobs
 * @param key of these jobs
 */
public record JobKey(String queue, String key) {}
