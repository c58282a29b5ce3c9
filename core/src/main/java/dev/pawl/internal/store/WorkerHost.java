package dev.pawl.internal.store;

import dev.pawl.api.Job;
import dev.pawl.limit.Subject;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;

/** What a worker offers to the parts that features add to it. Thread-safe. */
public interface WorkerHost {
    /** What a worker may do by a permit of a feature lasts no longer, from its request. */
    Duration LONGEST_PERMIT = Duration.ofSeconds(10);

    /** {@return the lock of its waiting jobs, which its {@link Admission} uses, too} Workers that share capacity have the same one. */
    Mutex lock();

    /** {@return the id of the worker's row; registers the worker on the first call} */
    long workerId();

    /** {@return the kinds that it handles} */
    Set<String> kinds();

    /** {@return whether it may claim from a queue, which may be unknown yet} */
    boolean claimsFrom(String queue);

    /** {@return how many jobs of a queue or kind it can run at once now} */
    int atOnce(Subject subject);

    /** {@return how many jobs with concurrency keys, beyond those that can run at once, will finish within a moment} */
    int finishingSoon();

    /** Runs statements while the worker is not suspended: waits for the end of a suspension, and lets none begin. */
    void whileAwake(Duty.Work work) throws SQLException;

    /**
     * Reports a failure.
     *
     * @param doing as in "cannot …"
     * @param error that may have come from the database
     * @return whether it is an outage; if not, the caller logs the failure
     */
    boolean isOutage(String doing, Throwable error);

    /** Waits before a retry, but no longer than until the database is back. */
    void await(long nanos) throws InterruptedException;

    /** {@return an upper bound of the database's clock, in microseconds since 1970, as if it had not been set forward} */
    long latestMicros();

    /** Waiting jobs may be able to start, or have other limiters. */
    void admissionChanged();

    /** More jobs may be claimed than before. */
    void mayClaimMore();

    /**
     * Releases waiting jobs whose limiter is exhausted, because another worker may be allowed to run them.
     *
     * @param delay how long no worker may run a job: it is delayed; zero to release it
     */
    void releaseExhausted(Function<Job, Duration> delay);

    /**
     * Reserves room for jobs that a release may claim in its own transaction.
     *
     * @param queues of the jobs
     * @param together how many releases run in parallel
     * @return what it may claim; its {@link ReleaseClaim#take} must follow
     */
    ReleaseClaim claimOfRelease(Set<String> queues, int together);

    /** Jobs of these queues have become available. */
    void released(Set<String> queues);

    /** What a release may claim. */
    interface ReleaseClaim {
        /** Nothing. */
        ReleaseClaim NOTHING = new ReleaseClaim() {
            @Override
            public Map<String, ClaimRequest> requests() {
                return Map.of();
            }

            @Override
            public void take(List<Grant> claimed) {}
        };

        /** {@return the claims by queue} */
        Map<String, ClaimRequest> requests();

        /** Takes the claimed jobs, and ends the reservation. */
        void take(List<Grant> claimed);
    }
}
