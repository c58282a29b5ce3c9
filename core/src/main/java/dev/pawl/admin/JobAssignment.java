package dev.pawl.admin;

import java.time.Instant;

/**
 * A manager gave a run of a job to a worker.
 *
 * @param attempt the run
 * @param assignedAt when, by the database's clock
 * @param worker who was to do it
 */
public record JobAssignment(int attempt, Instant assignedAt, String worker) {}
