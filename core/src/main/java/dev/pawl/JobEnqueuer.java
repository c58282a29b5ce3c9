package dev.pawl;

import dev.pawl.api.BulkResult;
import dev.pawl.api.EnqueueOptions;
import dev.pawl.api.EnqueueResult;
import dev.pawl.api.Enqueuer;
import dev.pawl.api.JobRequest;
import dev.pawl.api.JobType;
import dev.pawl.internal.jdbc.Failures;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Enqueues in the caller's transaction or, without one, in transactions of the queue. */
final class JobEnqueuer implements Enqueuer {
    private final JobWriter jobs;
    private final @Nullable Connection callers;

    /**
     * @param jobs checks and writes the jobs
     * @param callers in the caller's transaction; null for transactions of the queue
     */
    JobEnqueuer(JobWriter jobs, @Nullable Connection callers) {
        this.jobs = jobs;
        this.callers = callers;
    }

    @Override
    public <T> EnqueueResult enqueue(JobType<T> type, T payload, EnqueueOptions options) {
        return write(List.of(jobs.request(type, payload, options))).get(0);
    }

    @Override
    public EnqueueResult enqueue(JobRequest request) {
        return write(List.of(jobs.checked(request))).get(0);
    }

    @Override
    public <T> BulkResult enqueueAll(
            JobType<T> type, Iterable<? extends T> payloads, Function<? super T, EnqueueOptions> options) {
        requireTransaction();
        return Bulk.write(payloads, payload -> jobs.request(type, payload, options.apply(payload)), this::write);
    }

    @Override
    public BulkResult enqueueAll(Iterable<JobRequest> requests) {
        requireTransaction();
        return Bulk.write(requests, jobs::checked, this::write);
    }

    @Override
    public List<EnqueueResult> enqueueEach(List<JobRequest> requests) {
        requireTransaction();
        List<JobRequest> checked = requests.stream().map(jobs::checked).toList();
        return checked.isEmpty() ? List.of() : write(checked);
    }

    @Override
    public BulkResult enqueueFrom(EnqueueOptions options, String query, Object... values) {
        requireTransaction();
        return Failures.wrapped("cannot enqueue from a query", () -> {
            if (callers != null) {
                return from(callers, options, query, values, this::write);
            }
            Set<String> queues = new HashSet<>();
            return jobs.inSurroundingOrOwn(
                    queues,
                    // Passes true, as for a caller's transaction, because the snapshot may be old after a long query.
                    (connection, joins) -> from(connection, options, query, values, batch -> {
                        queues.addAll(JobWriter.queues(batch));
                        return jobs.write(connection, batch, true);
                    }));
        });
    }

    private <X extends Exception> BulkResult from(
            Connection connection, EnqueueOptions options, String query, Object[] values, Bulk.Write<X> write)
            throws SQLException, X {
        try (PreparedStatement statement = connection.prepareStatement(query)) {
            for (int i = 0; i < values.length; i++) {
                statement.setObject(i + 1, values[i]);
            }
            try (ResultSet rows = statement.executeQuery()) {
                return Bulk.write(new QueryRows(rows, options), jobs::checked, write);
            }
        }
    }

    private List<EnqueueResult> write(List<JobRequest> batch) {
        return callers == null ? jobs.commit(batch) : jobs.join(callers, batch);
    }

    private void requireTransaction() {
        if (callers != null) {
            JobWriter.requireTransaction(callers);
        }
    }
}
