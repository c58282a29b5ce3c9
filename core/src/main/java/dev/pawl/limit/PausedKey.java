package dev.pawl.limit;

/**
 * A concurrency key whose jobs are paused.
 *
 * @param queue of the jobs
 * @param key of the jobs, see {@link dev.pawl.api.EnqueueOptions#key}
 * @param pause the pause
 */
public record PausedKey(String queue, String key, Pause pause) {}
