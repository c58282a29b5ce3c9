package dev.pawl.admin;

/**
 * What {@link JobAdmin#changeAll} has done.
 *
 * @param changed how many jobs were changed, or are asked to stop
 * @param left how many matched and were left as they are: somebody has locked them, or another live job has their unique key
 */
public record ChangeResult(long changed, long left) {}
