package dev.pawl.internal.schema;

/**
 * Live workers that a migration leaves behind: their programs continue with restrictions, and cannot be started again.
 *
 * @param workers number of live workers
 * @param known the current version of the tables, which is the latest version that these programs may know
 * @param step the first migration that leaves them behind
 * @param needed the minimum version that a program must know, after that migration
 */
public record LeftBehind(int workers, int known, Migration step, int needed) {
    /** {@return a warning for the log and the command line} */
    public String warning() {
        return "version " + step.version() + " of the tables (" + step.name() + ") needs programs that know version "
                + needed
                + ", and " + workers + (workers == 1 ? " live worker knows" : " live workers know") + " version "
                + known
                + " at most. They go on with restrictions and cannot be restarted: replace them soon. See"
                + " docs/guides/upgrade.md";
    }
}
