package dev.pawl.api;

/**
 * Ends a run that waits for a signal or sleeps, see {@link RunSteps}. The job becomes available again later, and its handler is then called
 * from the beginning. Do not catch it. It is an {@link Error}, so {@code catch (Exception …)} does not catch it. If a handler catches it
 * all the same, the rest of the run has no effect on the job.
 */
public final class RunSuspended extends Error {
    private static final long serialVersionUID = 1L;

    /**
     * @param why shown to operators
     */
    public RunSuspended(String why) {
        super(why, null, false, false);
    }
}
