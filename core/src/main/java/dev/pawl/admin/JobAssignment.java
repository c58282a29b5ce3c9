package dev.pawl.admin;

import java.time.Instant;

/**
 * A run that a manager has handed off to a remote worker.
 *
 * @param attempt the number of the attempt
 * @param assignedAt when, by the database's clock
 * @param worker the remote worker
 */
public record JobAssignment(int attempt, Instant assignedAt, String worker) {}
