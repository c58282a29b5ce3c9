package dev.pawl.spi;

/**
 * The leadership of a task, held by this process. Immutable.
 *
 * @param name of the task
 * @param owner this process
 * @param token grows with every change of the owner
 * @param state the state that was saved last; empty if there is none
 */
public record Leader(String name, String owner, long token, String state) {}
