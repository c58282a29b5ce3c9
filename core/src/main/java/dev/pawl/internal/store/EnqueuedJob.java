package dev.pawl.internal.store;

import java.util.List;

/**
 * A job that a claim strategy has written.
 *
 * @param id of the job
 * @param claimed the job, if it was claimed as well; else empty
 */
public record NewClaim(long id, List<Grant> claimed) {}
