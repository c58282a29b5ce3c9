package dev.pawl.admin;

/**
 * The result of {@link JobAdmin#changeAll} and {@link RunAdmin#changeFailures}.
 *
 * @param changed the number of jobs that were changed, or whose cancellation {@code Cancel} has requested
 * @param left the number of matching jobs left unchanged: another transaction has locked or changed them, a live job has their unique key,
 *     or they cannot be deleted yet
 */
public record ChangeResult(long changed, long left) {}
