package dev.pawl.internal.lane;

/**
 * A queue's jobs of one priority.
 *
 * @param id as the tables have it
 * @param queue whose jobs
 * @param priority of all of them
 * @param isOpen whether new jobs may be written to it; a closed one is still drained
 */
public record Lane(int id, String queue, int priority, boolean isOpen) {}
