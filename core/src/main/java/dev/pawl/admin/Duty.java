package dev.pawl.admin;

/**
 * A duty that this process holds. Immutable.
 *
 * @param name of the duty
 * @param owner this process
 * @param token grows with every owner
 * @param state what was written last; empty if nothing was
 */
public record Duty(String name, String owner, long token, String state) {}
