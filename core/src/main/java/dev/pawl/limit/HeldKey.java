package dev.pawl.limit;

/**
 * A concurrency key whose jobs are paused.
 *
 * @param queue of the jobs
 * @param key of the jobs, see {@link dev.pawl.api.EnqueueOptions#key}
 * @param hold the pause
 */
public record HeldKey(String queue, String key, Hold hold) {}
