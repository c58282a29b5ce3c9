package dev.pawl;

import dev.pawl.api.EnqueueInterceptor;
import dev.pawl.api.EnqueueOptions;
import dev.pawl.api.EnqueueResult;
import dev.pawl.api.InvalidJobException;
import dev.pawl.api.JobRequest;
import dev.pawl.api.JobType;
import dev.pawl.api.OnDuplicate;
import dev.pawl.api.TypeToken;
import dev.pawl.api.UniqueWhile;
import dev.pawl.internal.QueueRuntime;
import dev.pawl.internal.batch.Callback;
import dev.pawl.internal.enqueue.OwnOptions;
import dev.pawl.internal.jdbc.Failures;
import dev.pawl.internal.jdbc.SqlWork;
import dev.pawl.internal.store.ClaimOffer;
import dev.pawl.internal.store.EnqueuedJob;
import dev.pawl.internal.store.JobStore;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.BinaryOperator;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Checks jobs, writes them and notifies workers: in the caller's transaction, the surrounding one, or a transaction of
 * its own. Thread-safe.
 */
final class JobWriter {
    private static final Logger LOG = LoggerFactory.getLogger("dev.pawl.enqueue");

    private final QueueRuntime runtime;
    private final EnqueueInterceptor interceptor;
    private volatile boolean closed;

    JobWriter(QueueRuntime runtime, EnqueueInterceptor interceptor) {
        this.runtime = runtime;
        this.interceptor = interceptor;
    }

    /** Refuses all further jobs. */
    void close() {
        closed = true;
    }

    /** Encodes and checks a callback now, because it is enqueued later, by another process. */
    <T> JobRequest callback(JobType<T> type, T payload) {
        JobRequest callback = request(type, payload, type.defaults());
        String unused = Callback.write(callback);
        return callback;
    }

    /** See {@link JobQueue#enqueueMerged}. */
    <T> EnqueueResult merged(JobType<T> type, T payload, EnqueueOptions options, BinaryOperator<T> merge) {
        if (options.uniqueKey() == null) {
            throw new InvalidJobException("jobs are merged by their unique key: give options.uniqueKey(…)");
        }
        if (options.isUniqueByPayload()) {
            throw new InvalidJobException("a merge changes the payload, so jobs cannot be merged by it: give"
                    + " options.uniqueKey(…) in place of uniqueByPayload()");
        }
        EnqueueOptions replacing = options.onDuplicate(OnDuplicate.REPLACE); // rejects options that cannot replace
        JobRequest job = request(type, payload, options.onDuplicate(OnDuplicate.KEEP));
        return Failures.wrapped("cannot enqueue a job", () -> {
            Writing<EnqueueResult> work = (connection, joins) -> {
                EnqueueResult first = write(connection, List.of(job), joins).get(0);
                Optional<String> waiting = first instanceof EnqueueResult.Duplicate
                        ? store().waitingPayload(connection, first.jobId())
                        : Optional.empty();
                if (waiting.isEmpty()) {
                    return first;
                }
                T merged = merge.apply(runtime.codec().decode(waiting.get(), type.payloadType()), payload);
                JobRequest both = request(type, merged, replacing);
                if (!Objects.equals(both.options().uniqueKey(), job.options().uniqueKey())) {
                    throw new InvalidJobException("a merge changes the payload, so jobs cannot be merged by it: give"
                            + " options.uniqueKey(…) in place of uniqueByPayload()");
                }
                return store().enqueue(connection, List.of(both)).get(0);
            };
            return inSurroundingOrOwn(queues(List.of(job)), work);
        });
    }

    /** A piece of work that writes jobs. */
    @FunctionalInterface
    interface Writing<T> {
        /**
         * @param joins whether the transaction belongs to the caller
         */
        T run(Connection connection, boolean joins) throws SQLException;
    }

    /** Writes jobs and notifies workers: in the surrounding transaction of this thread, or in one of its own. */
    <T> T inSurroundingOrOwn(Set<String> queues, Writing<T> work) throws SQLException {
        Optional<T> joined = inSurrounding(queues, work);
        return joined.isPresent() ? joined.get() : inOwn(queues, work);
    }

    private <T> Optional<T> inSurrounding(Set<String> queues, Writing<T> work) throws SQLException {
        try (Connection surrounding = runtime.pool().surrounding()) {
            if (surrounding == null) {
                return Optional.empty();
            }
            T result = work.run(surrounding, true);
            runtime.ports().wakes().expected(surrounding, queues);
            queues.forEach(this::wakeAfterCommit);
            return Optional.of(result);
        }
    }

    private <T> T inOwn(Set<String> queues, Writing<T> work) throws SQLException {
        T result = runtime.database().transaction(connection -> work.run(connection, false));
        runtime.ports().wakes().enqueued(queues);
        return result;
    }

    private JobStore store() {
        return runtime.ports().store();
    }

    <T> JobRequest request(JobType<T> type, T payload, EnqueueOptions options) {
        Object nullable = payload; // callers without null checks may pass null
        if (nullable == null && !type.payloadType().equals(TypeToken.of(Void.class))) {
            throw new InvalidJobException("a payload of kind '" + type.kind()
                    + "' is null: its handler would get null, and fail on every attempt; for jobs without a payload use"
                    + " JobType.of(\"" + type.kind() + "\", Void.class)");
        }
        return checked(new JobRequest(type.kind(), runtime.codec().encode(payload, type.payloadType()), options));
    }

    /**
     * Intercepts and checks a job. Every job passes through this method once; {@link #commit} and {@link #join} get its
     * result.
     */
    JobRequest checked(JobRequest request) {
        if (closed) {
            throw new IllegalStateException("the queue is closed, so a job of kind '" + request.kind()
                    + "' was not enqueued: close the queue after everything that enqueues, such as workers");
        }
        if (runtime.database().isReadOnly()) {
            throw new IllegalStateException("the queue only reads, so a job of kind '" + request.kind()
                    + "' was not enqueued: enqueue through the queue of the primary");
        }
        JobRequest seen = interceptor.intercept(request);
        seen.options().requireKeyOfUniqueness();
        runtime.payloads().require("kind '" + seen.kind() + "'", seen.payload());
        return PayloadKey.derive(seen, runtime.codec());
    }

    List<EnqueueResult> commit(List<JobRequest> batch) {
        return Failures.wrapped("cannot enqueue " + batch.size() + " job(s)", () -> {
            Writing<List<EnqueueResult>> work = (connection, joins) -> write(connection, batch, joins);
            Set<String> queues = queues(batch);
            Optional<List<EnqueueResult>> joined = inSurrounding(queues, work);
            if (joined.isPresent()) {
                return joined.get();
            }
            return batch.size() == 1 && store().isOneStatement(batch.get(0))
                    ? List.of(inOneStatement(batch.get(0)))
                    : inOwn(queues, work);
        });
    }

    /** Writes a job that needs no transaction; an idle handler of this process may claim it in the same statement. */
    private EnqueueResult inOneStatement(JobRequest job) throws SQLException {
        EnqueuedJob offered = offered(job);
        if (offered != null && !offered.claimed().isEmpty()) {
            runtime.ports().wakes().changed(); // a suspended worker has to know when the lease ends
            return new EnqueueResult.Inserted(offered.id());
        }
        EnqueueResult result = offered != null
                ? new EnqueueResult.Inserted(offered.id())
                : runtime.database()
                        .statement(connection -> write(connection, List.of(job), false))
                        .get(0);
        runtime.ports().wakes().enqueued(queues(List.of(job)));
        return result;
    }

    /** {@return the job, if it was written for an idle handler; else null} */
    private @Nullable EnqueuedJob offered(JobRequest job) throws SQLException {
        if (job.options().maxAttempts() == 1) { // a lost reply would use up the only attempt
            return null;
        }
        ClaimOffer offer = runtime.ports().wakes().offers().offer(job.options().queue(), job.kind());
        if (offer == null) {
            return null;
        }
        EnqueuedJob written = null;
        try {
            written = offer.strategy()
                    .enqueue(job, offer.request(), connection -> store().admit(connection, List.of(job), false));
        } finally {
            if (written == null) {
                offer.take(List.of());
            }
        }
        if (written != null) {
            take(offer, written);
        }
        return written;
    }

    /** Hands the committed job to its handler. An error here does not fail the enqueue: the job runs after its lease has expired. */
    private static void take(ClaimOffer offer, EnqueuedJob written) {
        try {
            offer.take(written.claimed());
        } catch (RuntimeException | Error e) {
            LOG.warn("job {} was enqueued, but cannot be started yet: its lease must end first", written.id(), e);
        }
    }

    private void wakeAfterCommit(String queue) {
        runtime.pool().afterCommit(queue, () -> runtime.ports().wakes().committed(queue));
    }

    List<EnqueueResult> join(Connection connection, List<JobRequest> batch) {
        return Failures.wrapped("cannot enqueue " + batch.size() + " job(s)", () -> {
            if (batch.stream().anyMatch(JobWriter::needsTransaction)) {
                requireTransaction(connection);
            }
            List<EnqueueResult> results = write(connection, batch, true);
            runtime.ports().wakes().expected(connection, queues(batch));
            return results;
        });
    }

    /** Writes jobs and other rows in the surrounding transaction or in one of its own, and notifies workers. */
    <R> R writing(String doing, List<JobRequest> jobs, SqlWork<R> work) {
        return Failures.wrapped(
                doing,
                () -> inSurroundingOrOwn(queues(jobs), (connection, joins) -> {
                    store().admit(connection, jobs, joins);
                    return work.run(connection);
                }));
    }

    /** Writes jobs and other rows in the caller's transaction. */
    <R> R writing(Connection connection, List<JobRequest> jobs, SqlWork<R> work) throws SQLException {
        requireTransaction(connection);
        store().admit(connection, jobs, true);
        R result = work.run(connection);
        runtime.ports().wakes().expected(connection, queues(jobs));
        return result;
    }

    List<EnqueueResult> write(Connection connection, List<JobRequest> batch, boolean joins) throws SQLException {
        store().admit(connection, batch, joins);
        return store().enqueue(connection, batch);
    }

    /** {@return whether the job needs a second row, which must be written together with the row of the job} */
    private static boolean needsTransaction(JobRequest job) {
        EnqueueOptions options = job.options();
        return options.key() != null
                || OwnOptions.batch(options) != 0
                || (options.uniqueKey() != null
                        && (options.uniqueFor() != null || options.uniqueWhile() != UniqueWhile.LIVE));
    }

    /**
     * Refuses autocommit mode, in which each batch would commit on its own, and a failure would leave earlier batches
     * behind.
     */
    static void requireTransaction(Connection connection) {
        if (Failures.wrapped("cannot enqueue", connection::getAutoCommit)) {
            throw new InvalidJobException(
                    "the connection commits every statement on its own (autocommit), so these jobs would"
                            + " not be written all or none: call setAutoCommit(false), and commit() afterwards");
        }
    }

    static Set<String> queues(List<JobRequest> batch) {
        return batch.stream().map(request -> request.options().queue()).collect(Collectors.toSet());
    }
}
