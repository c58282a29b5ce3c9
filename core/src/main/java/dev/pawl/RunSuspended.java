package dev.pawl;

/**
 * Ends a run that waits for a signal or sleeps, see {@link RunSteps}: the job is available again later, without a lease and without a
 * thread, and its handler will then be called from the beginning. Let it pass. It is an {@link Error} so that
 * {@code catch (Exception …)} lets it pass; whatever a handler does after it has caught it has no effect on the job.
 */
public final class RunSuspended extends Error {
    private static final long serialVersionUID = 1L;

    /**
     * @param why for people
     */
    public RunSuspended(String why) {
        super(why, null, false, false);
    }
}
