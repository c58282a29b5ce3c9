package dev.pawl;

import dev.pawl.api.BulkResult;
import dev.pawl.api.EnqueueResult;
import dev.pawl.api.JobRequest;
import dev.pawl.internal.enqueue.StatementSize;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/** Writes jobs in batches, so that a stream of them takes constant memory and few round trips. */
final class Bulk {
    private Bulk() {}

    /**
     * Enqueues a batch.
     *
     * @param <X> what it throws
     */
    @FunctionalInterface
    interface Write<X extends Exception> {
        List<EnqueueResult> write(List<JobRequest> batch) throws X;
    }

    /**
     * @param items read once; memory holds at most one batch of them
     * @param request returns the job for an item
     * @param write enqueues a batch
     * @return the sum of the results
     */
    static <T, X extends Exception> BulkResult write(
            Iterable<? extends T> items, Function<? super T, JobRequest> request, Write<X> write) throws X {
        BulkResult total = BulkResult.NONE;
        List<JobRequest> batch = new ArrayList<>();
        StatementSize size = new StatementSize();
        for (T item : items) {
            JobRequest next = request.apply(item);
            if (size.begins(next)) {
                total = written(batch, write, total);
            }
            batch.add(next);
        }
        return written(batch, write, total);
    }

    private static <X extends Exception> BulkResult written(List<JobRequest> batch, Write<X> write, BulkResult before)
            throws X {
        BulkResult total = before;
        if (!batch.isEmpty()) {
            for (EnqueueResult result : write.write(batch)) {
                total = total.plus(result);
            }
            batch.clear();
        }
        return total;
    }
}
