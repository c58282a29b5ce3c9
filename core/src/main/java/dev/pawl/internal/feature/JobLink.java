package dev.pawl.internal.feature;

import java.util.function.Function;

/**
 * A table whose rows name jobs. The removals are best written as a switch over all of {@link JobRemoval}: one more verb does not compile then
 * until every link has decided.
 *
 * @param table its name, with the usual prefix
 * @param jobColumn holds the id of the job
 * @param jobs which jobs may have such rows
 * @param removals what becomes of the rows when their job is taken away
 * @param orphans what becomes of rows whose job was deleted without them
 * @param changes what becomes of the rows when people change their job
 */
public record JobLink(
        String table,
        String jobColumn,
        Jobs jobs,
        Function<JobRemoval, RowPolicy> removals,
        OrphanPolicy orphans,
        ChangePolicy changes) {
    /** Which jobs may have rows in a table. */
    public enum Jobs {
        /** Those of lanes as well. */
        ALL,
        /** Only jobs that are rows: what needs this feature is never stored in a lane. */
        IN_ROWS
    }

    /**
     * A link whose rows are part of their job: they are deleted with it, and stay when it is cancelled.
     *
     * @param table its name, with the usual prefix
     * @param momentColumn tells when a row was written
     * @return the link, by the column {@code job_id}
     */
    public static JobLink partOfJob(String table, String momentColumn) {
        return new JobLink(
                table,
                "job_id",
                Jobs.ALL,
                removal -> switch (removal) {
                    case PRUNE, DELETE, ERASE -> RowPolicy.delete();
                    case CANCEL -> RowPolicy.keep("a cancelled job may be kept and looked at");
                },
                new OrphanPolicy.Sweep(momentColumn),
                new ChangePolicy.Unaffected("the rows are about runs, and the job keeps its id"));
    }

    /**
     * A link whose rows belong to something else and only mention a job. They tell nothing about it but its id.
     *
     * @param table its name, with the usual prefix
     * @param jobColumn holds the id of the job
     * @param reason why they stay, and what deletes them if anything does
     * @return the link
     */
    public static JobLink mentionsJob(String table, String jobColumn, String reason) {
        return new JobLink(
                table,
                jobColumn,
                Jobs.ALL,
                removal -> switch (removal) {
                    case PRUNE, DELETE, ERASE, CANCEL -> RowPolicy.keep(reason);
                },
                new OrphanPolicy.Ignore(reason),
                new ChangePolicy.Unaffected("the job keeps its id"));
    }
}
