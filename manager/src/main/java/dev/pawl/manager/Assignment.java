package dev.pawl.manager;

import dev.pawl.api.Job;

/**
 * A run of a job to give to a worker.
 *
 * @param job as it was claimed
 * @param options of its kind: longest run, buffer, probe
 */
public record Assignment(Job job, KindOptions options) {}
