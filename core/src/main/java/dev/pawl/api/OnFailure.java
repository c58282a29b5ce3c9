package dev.pawl.api;

/**
 * What a job of a {@link dev.pawl.Workflow} does if a job on which it depends fails, that is, is discarded, cancelled, expired or erased. A
 * job that waits for a retry has not failed.
 */
public enum OnFailure {
    /**
     * The dependent job stays pending. If an operator retries the failed job and it completes, the dependent job runs.
     * The default.
     */
    BLOCK,
    /** The dependent job is cancelled within half a minute. */
    CANCEL,
    /** The dependent job runs. */
    RUN_ANYWAY
}
