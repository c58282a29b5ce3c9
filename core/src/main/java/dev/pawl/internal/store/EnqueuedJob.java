package dev.pawl.internal.store;

import java.util.List;

/**
 * A job that has been inserted, possibly claimed.
 *
 * @param id of the job
 * @param claimed the job, if it was claimed; else empty
 */
public record EnqueuedJob(long id, List<Grant> claimed) {}
