package dev.pawl.limit;

import java.time.Instant;

/**
 * A pause of jobs, by an operator or because of an outage ({@link dev.pawl.api.Outcome.Unavailable}). After the pause, one job at a time is
 * tried across all workers. The pause is deleted when a run ends without reporting the outage again. The pause of a concurrency key is
 * deleted when a job has finished.
 *
 * @param until when the pause ends; by the database's clock
 * @param expired whether the pause had ended when this was read, so that jobs are tried one at a time
 * @param times the number of consecutive outages; 0 if an operator paused the jobs
 * @param reason the reason of the pause
 */
public record Pause(Instant until, boolean expired, int times, String reason) {}
