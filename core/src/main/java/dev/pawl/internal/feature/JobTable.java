package dev.pawl.internal.feature;

/** A table with rows of jobs. */
public enum JobTable {
    /** Waiting and running jobs. */
    LIVE("pawl_job"),
    /** Finished jobs. */
    HISTORY("pawl_job_history");

    private final String usual;

    JobTable(String usual) {
        this.usual = usual;
    }

    /** {@return its name, with the usual prefix} */
    public String usual() {
        return usual;
    }
}
