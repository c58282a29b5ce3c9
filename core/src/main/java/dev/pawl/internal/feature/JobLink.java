package dev.pawl.internal.feature;

/**
 * A table whose rows name jobs. What becomes of the rows in a transition is said by {@link Feature#on}.
 *
 * @param table its name, with the usual prefix
 * @param jobColumn holds the id of the job
 * @param jobs which jobs may have such rows
 * @param orphans what becomes of rows whose job was deleted without them
 * @param begun the SQL condition, which begins with a column, of rows that show that a waiting job has begun its work; empty if there are none
 */
public record JobLink(String table, String jobColumn, Jobs jobs, OrphanPolicy orphans, String begun) {
    /** Which jobs may have rows in a table. */
    public enum Jobs {
        /** Those without rows of their own as well. */
        ALL,
        /** Only jobs that are rows: what needs this feature always gets a row. */
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
        return new JobLink(table, "job_id", Jobs.ALL, new OrphanPolicy.Sweep(momentColumn), "");
    }

    /**
     * The same, of which some rows show that a waiting job has begun its work. Such a job is not replaced.
     *
     * @param condition in SQL, beginning with a column
     * @return the link
     */
    public JobLink begunIf(String condition) {
        return new JobLink(table, jobColumn, jobs, orphans, condition);
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
        return new JobLink(table, jobColumn, Jobs.ALL, new OrphanPolicy.Ignore(reason), "");
    }
}
