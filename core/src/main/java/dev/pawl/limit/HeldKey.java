package dev.pawl.limit;

/**
 * The jobs of one key of a queue are held back, those of other keys are not.
 *
 * @param queue of the jobs
 * @param key which they have, see {@link dev.pawl.EnqueueOptions#key}
 * @param hold until when, and why
 */
public record HeldKey(String queue, String key, Hold hold) {}
