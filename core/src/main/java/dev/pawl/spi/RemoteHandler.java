package dev.pawl.spi;

import dev.pawl.api.JobRun;
import dev.pawl.api.Outcome;
import java.util.Optional;

/** Assigns the jobs of a kind to remote workers. Added by {@link HandlerRegistry#remote}. Must be thread-safe. */
@FunctionalInterface
public interface RemoteHandler {
    /**
     * Offers the job to remote workers. As soon as a worker has accepted it, or may have accepted it,
     * {@link RemoteRuns} controls the run, under the lease of this claim.
     *
     * @param payload the stored payload, not decoded
     * @param run the context of the claim
     * @return empty if a remote worker runs the job or may run it; the outcome if the run has ended, or if no worker
     *     has accepted the job
     * @throws Exception to fail the attempt
     */
    Optional<Outcome> assign(String payload, JobRun run) throws Exception;
}
