package dev.pawl.internal.schema;

/**
 * Live workers that a step leaves behind: their programs go on, but not with everything, and cannot be started again.
 *
 * @param workers how many are alive on the tables as they are
 * @param known the step up to which the tables are: such programs know no later one
 * @param step the first that leaves them behind
 * @param needed the oldest step that a program must know then
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
