package dev.pawl.internal.feature;

/**
 * A table whose rows name jobs. {@link Feature#on} says what happens to the rows in a transition.
 *
 * @param table its name, with the usual prefix
 * @param jobColumn holds the id of the job
 * @param jobs which jobs may have such rows
 * @param orphans what happens to rows whose job was deleted without them
 * @param begun an SQL condition that begins with a column; a row that meets it shows that its waiting job has begun its work; empty if no
 *     row shows that
 */
public record JobLink(String table, String jobColumn, Jobs jobs, OrphanPolicy orphans, String begun) {
    /** Which jobs may have rows in a table. */
    public enum Jobs {
        /** All jobs, including those without rows of their own. */
        ALL,
        /** Only jobs with rows of their own, because a job that needs this feature always gets one. */
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
     * Copies this link for a table in which some rows show that a waiting job has begun its work. Such a job is not replaced.
     *
     * @param condition in SQL, beginning with a column
     * @return the link
     */
    public JobLink begunIf(String condition) {
        return new JobLink(table, jobColumn, jobs, orphans, condition);
    }

    /**
     * A link whose rows belong to something else and only mention a job. The rows contain nothing about the job but its id.
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
