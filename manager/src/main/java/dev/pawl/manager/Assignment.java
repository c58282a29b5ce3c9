package dev.pawl.manager;

import dev.pawl.Job;

/**
 * A run of a job that is to be given to a worker.
 *
 * @param job as it was claimed
 * @param options of its kind: longest run, buffer, probe
 */
public record Assignment(Job job, KindOptions options) {}
