package dev.pawl.internal.engine;

import dev.pawl.api.Chunk;
import dev.pawl.api.LeaseLostException;
import dev.pawl.api.Outcome;
import dev.pawl.api.RunInterceptor;
import dev.pawl.internal.store.Lease;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * One call of a chunk handler: decodes each payload, nests the interceptors of all runs, and calls the handler innermost. A failure of one
 * job does not affect the others. Confined to one thread.
 */
final class ChunkWork<T> {
    private final ChunkEntry<T> entry;
    private final Transactions transactions;
    private final List<CalledJob<T>> jobs;
    private final List<CalledJob<T>> called = new ArrayList<>();
    private boolean isCalled;
    private @Nullable StackOverflowError tooDeep;

    ChunkWork(ChunkEntry<T> entry, List<CalledJob<T>> jobs, Transactions transactions) {
        this.entry = entry;
        this.jobs = jobs;
        this.transactions = transactions;
    }

    /** Afterwards each job has an outcome or an error. */
    void run() {
        if (entry.interceptors().isEmpty()) {
            for (CalledJob<T> job : jobs) {
                try {
                    read(job);
                } catch (Throwable unreadable) {
                    job.item.fails(unreadable);
                }
            }
            call();
        } else {
            enter(0);
        }
        if (tooDeep != null) {
            entry.tooDeep(jobs.size());
        }
        for (CalledJob<T> job : jobs) {
            if (tooDeep != null && !isCalled) { // replaces the error by a message, now that the stack has room again
                job.item.fails(new IllegalStateException(
                        "the interceptors around " + jobs.size()
                                + " jobs of a chunk, one within the other, do not fit on the"
                                + " stack of a thread: make the chunk smaller, or use fewer interceptors",
                        tooDeep));
            } else if (!job.item.hasOutcome()) {
                job.item.fails(new IllegalStateException("its chunk ended without an outcome for this job"));
            }
        }
    }

    private void read(CalledJob<T> job) {
        if (job.held.mustReacquire()) {
            throw new TooLate(); // a listener or an interceptor took too long
        }
        job.item.payload(entry.decode().apply(job.held.job().payload()));
        called.add(job);
    }

    private void enter(int number) {
        if (number == jobs.size()) {
            call();
            return;
        }
        CalledJob<T> job = jobs.get(number);
        boolean[] reached = {false};
        Handlers.Call innermost = (payload, run) -> {
            read(job);
            reached[0] = true;
            enter(number + 1);
            return job.item.ended();
        };
        try {
            List<RunInterceptor> around = entry.interceptors();
            Outcome outcome =
                    Intercepted.by(around, innermost).handle(job.held.job().payload(), job.run);
            job.item.ends(OutcomePolicy.present(outcome, job.held.job()));
        } catch (StackOverflowError deep) {
            tooDeep = deep;
            job.item.fails(deep);
        } catch (Throwable failed) {
            job.item.fails(failed);
        }
        if (tooDeep == null && !reached[0]) {
            enter(number + 1); // an interceptor skipped the handler for this job; the other jobs go on
        }
    }

    private void call() {
        if (called.isEmpty()) {
            return;
        }
        isCalled = true;
        Throwable error = null;
        try {
            entry.handler().handle(new Active(items(called)));
        } catch (Throwable thrown) { // not even an Error of user code may end this thread
            error = thrown;
        }
        for (CalledJob<T> job : called) {
            if (job.held.isCommitted()) {
                job.item.ends(Outcome.completed());
            } else if (!job.item.hasOutcome()) {
                if (error != null) {
                    job.item.fails(error);
                } else {
                    job.item.ends(Outcome.completed());
                }
            }
        }
    }

    private static <T> List<Chunk.Item<T>> items(List<CalledJob<T>> jobs) {
        return jobs.stream().<Chunk.Item<T>>map(job -> job.item).toList();
    }

    /** Completes the remaining jobs in one transaction. */
    private void inTransaction(List<CalledJob<T>> open, Chunk.TransactionWork<T> work) throws Exception {
        if (open.isEmpty()) {
            throw nothingLeft();
        }
        List<HeldJob> ours = open.stream()
                .map(job -> job.held)
                .filter(held -> held.stopped() != HeldJob.Stop.LEASE_LOST)
                .toList();
        if (ours.isEmpty()) {
            throw leaseLost(open.get(0));
        }
        try {
            transactions.runAll(ours, (connection, locked) -> {
                Set<HeldJob> held = new HashSet<>(locked);
                List<CalledJob<T>> left =
                        open.stream().filter(job -> held.contains(job.held)).toList();
                work.run(connection, items(left));
                left.forEach(job -> job.item.requireNoOutcome());
            });
        } catch (Throwable rolledBack) {
            open.forEach(job -> job.item.rolledBack(rolledBack));
            throw rolledBack;
        }
        for (CalledJob<T> job : open) {
            if (!job.held.isCommitted()) { // nothing was written for it, so it must not be completed
                job.item.fails(leaseLost(job));
            }
        }
    }

    private static LeaseLostException leaseLost(CalledJob<?> job) {
        Lease lost = job.held.lease();
        return new LeaseLostException(lost.jobId(), lost.token());
    }

    /** {@return the exception for a transaction without jobs} */
    static IllegalStateException nothingLeft() {
        return new IllegalStateException(
                "chunk.transaction has no job to complete: each has an outcome already; call it before ends(…) and fails(…)");
    }

    /** The chunk as the handler sees it. */
    private final class Active implements Chunk<T> {
        private final List<Item<T>> items;

        Active(List<Item<T>> items) {
            this.items = items;
        }

        @Override
        public List<Item<T>> items() {
            return items;
        }

        @Override
        public void transaction(TransactionWork<T> work) throws Exception {
            inTransaction(called.stream().filter(job -> !job.item.hasOutcome()).toList(), work);
        }
    }
}
