package dev.pawl;

/**
 * What a job of a {@link Workflow} does when one that it waits for ends otherwise than completed: discarded, cancelled, expired or
 * erased. While that one is tried again, it has not ended.
 */
public enum OnFailure {
    /** It waits on: somebody may retry the other one, and if that completes then, it runs. The default. */
    BLOCK,
    /** It is cancelled, at the latest half a minute later. */
    CANCEL,
    /** It runs all the same. */
    RUN_ANYWAY
}
