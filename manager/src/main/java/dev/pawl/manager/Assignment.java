package dev.pawl.manager;

import dev.pawl.Job;
import java.time.Duration;

/**
 * A run of a job that is given to a worker.
 *
 * @param job as it was claimed
 * @param maxRunTime when it must have ended, from now
 * @param heartbeat how often the worker is to say that it lives, while it runs the job
 */
public record Assignment(Job job, Duration maxRunTime, Duration heartbeat) {}
