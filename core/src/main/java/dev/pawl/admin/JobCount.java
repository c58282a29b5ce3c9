package dev.pawl.admin;

/**
 * The number of matching jobs, possibly a lower bound.
 *
 * @param jobs the number of jobs found
 * @param isAtLeast whether there may be more, because counting stopped or older jobs were not read
 */
public record JobCount(long jobs, boolean isAtLeast) {}
