package dev.pawl.admin;

import java.time.Instant;

/**
 * A run that a manager (a worker that hands off jobs) has assigned to a remote worker.
 *
 * @param attempt the number of the attempt
 * @param assignedAt when, by the database's clock
 * @param worker the remote worker
 */
public record JobAssignment(int attempt, Instant assignedAt, String worker) {}
