package dev.pawl.internal.feature;

/** Where jobs are stored. */
public enum JobPlace {
    /** In the table of live jobs. */
    LIVE("pawl_job"),
    /** In the history of finished jobs. */
    HISTORY("pawl_job_history"),
    /** In lanes. */
    LANES("pawl_lane_job");

    private final String table;

    JobPlace(String table) {
        this.table = table;
    }

    /** {@return the name of the table} */
    public String table() {
        return table;
    }
}
