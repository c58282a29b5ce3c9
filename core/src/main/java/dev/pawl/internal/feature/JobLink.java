package dev.pawl.internal.feature;

/**
 * A table whose rows name jobs. What becomes of the rows in a transition is said by {@link Feature#on}.
 *
 * @param table its name, with the usual prefix
 * @param jobColumn holds the id of the job
 * @param jobs which jobs may have such rows
 * @param orphans what becomes of rows whose job was deleted without them
 */
public record JobLink(String table, String jobColumn, Jobs jobs, OrphanPolicy orphans) {
    /** Which jobs may have rows in a table. */
    public enum Jobs {
        /** Those of lanes as well. */
        ALL,
        /** Only jobs that are rows: what needs this feature is never stored in a lane. */
        IN_ROWS
    }

    /**
     * A link whose rows are part of their job.
     *
     * @param table its name, with the usual prefix
     * @param momentColumn tells when a row was written
     * @return the link, by the column {@code job_id}
     */
    public static JobLink partOfJob(String table, String momentColumn) {
        return new JobLink(table, "job_id", Jobs.ALL, new OrphanPolicy.Sweep(momentColumn));
    }

    /**
     * A link whose rows belong to something else and only mention a job. They tell nothing about it but its id.
     *
     * @param table its name, with the usual prefix
     * @param jobColumn holds the id of the job
     * @param reason why rows without a job stay, and what deletes them if anything does
     * @return the link
     */
    public static JobLink mentionsJob(String table, String jobColumn, String reason) {
        return new JobLink(table, jobColumn, Jobs.ALL, new OrphanPolicy.Ignore(reason));
    }
}
