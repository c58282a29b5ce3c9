package dev.pawl.admin;

/**
 * The result of {@link JobAdmin#changeAll}.
 *
 * @param changed the number of jobs that were changed, or whose cancellation was requested
 * @param left the number of matching jobs left unchanged: another transaction has locked them, or a live job has their
 *     unique key
 */
public record ChangeResult(long changed, long left) {}
