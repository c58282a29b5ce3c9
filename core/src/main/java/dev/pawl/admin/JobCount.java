package dev.pawl.admin;

/**
 * How many jobs match, as far as they were counted.
 *
 * @param jobs how many were found
 * @param isAtLeast whether there may be more, because counting stopped, or older jobs were not looked at
 */
public record JobCount(long jobs, boolean isAtLeast) {}
