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
    /** Maximum validity of the permits of features, counted from their request. */
    Duration LONGEST_PERMIT = Duration.ofSeconds(10);

    /**
     * {@return the lock of the worker's waiting jobs, which its {@link Admission} also uses} Workers that share
     * capacity have the same lock.
     */
    Mutex lock();

    /** {@return the id of the worker's row} Registers the worker on the first call. */
    long workerId();

    /** {@return the kinds that the worker handles} */
    Set<String> kinds();

    /** {@return whether the worker may claim from a queue, even if it does not know the queue yet} */
    boolean claimsFrom(String queue);

    /** {@return how many jobs of a queue or kind the worker can run at once now} */
    int atOnce(Subject subject);

    /**
     * {@return how many jobs with concurrency keys the worker holds beyond the number that can run at once} They were claimed because they
     * will finish soon.
     */
    int finishingSoon();

    /** Waits for the end of a suspension of the worker, then runs statements. Prevents a new suspension while they run. */
    void whileAwake(Duty.Work work) throws SQLException;

    /**
     * Reports a failure.
     *
     * @param doing what failed, in a form that follows "cannot"
     * @param error that may have come from the database
     * @return whether it is an outage; if not, the caller logs the failure
     */
    boolean isOutage(String doing, Throwable error);

    /** Waits before a retry, but no longer than until the database is back. */
    void await(long nanos) throws InterruptedException;

    /** {@return an upper bound of the database's time, in microseconds since 1970; it does not jump if the clock is set forward} */
    long latestMicros();

    /** Called when waiting jobs may be able to start, or may have other limiters. */
    void admissionChanged();

    /** Called when more jobs may be claimed than before. */
    void mayClaimMore();

    /**
     * Releases waiting jobs whose limiter is exhausted, because another worker may be allowed to run them.
     *
     * @param delay returns how long no worker may start a job, or zero if another worker may start it now. The job is delayed by this time
     */
    void releaseExhausted(Function<Job, Duration> delay);

    /**
     * Reserves room for jobs that a release may claim in its own transaction.
     *
     * @param queues of the jobs
     * @param together how many releases run in parallel
     * @return what the release may claim; {@link ReleaseClaim#take} must be called afterwards
     */
    ReleaseClaim claimOfRelease(Set<String> queues, int together);

    /** Called when jobs of these queues have become available. */
    void released(Set<String> queues);

    /** The claims that a release may make. */
    interface ReleaseClaim {
        /** No claims. */
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
