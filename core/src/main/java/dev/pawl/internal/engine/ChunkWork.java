package dev.pawl.internal.engine;

import dev.pawl.api.Chunk;
import dev.pawl.api.Outcome;
import dev.pawl.api.RunInterceptor;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One call of a chunk handler: decodes each payload, nests the interceptors of all runs, and calls the handler innermost. A failure of one
 * job does not affect the others. Confined to one thread.
 */
final class ChunkWork<T> {
    private final ChunkEntry<T> entry;
    private final Transactional<T> transactions;
    private final List<Part<T>> parts;
    private final List<Part<T>> called = new ArrayList<>();
    private boolean isCalled;
    private @Nullable StackOverflowError tooDeep;

    /** Completes the remaining jobs in one transaction. */
    interface Transactional<T> {
        void run(List<Part<T>> parts, Chunk.TransactionWork<T> work) throws Exception;
    }

    /**
     * A job and its view for the handler.
     *
     * @param held the job
     * @param item as the handler sees it
     */
    record Part<T>(HeldJob held, ActiveItem<T> item) {}

    ChunkWork(ChunkEntry<T> entry, List<Part<T>> parts, Transactional<T> transactions) {
        this.entry = entry;
        this.parts = parts;
        this.transactions = transactions;
    }

    /** Afterwards each item has an outcome or an error. */
    void run() {
        if (entry.interceptors().isEmpty()) {
            for (Part<T> part : parts) {
                try {
                    read(part);
                } catch (Throwable unreadable) {
                    part.item.fails(unreadable);
                }
            }
            call();
        } else {
            enter(0);
        }
        if (tooDeep != null) {
            entry.tooDeep(parts.size());
        }
        for (Part<T> part : parts) {
            if (tooDeep != null && !isCalled) { // replaced by a message, now that the stack has room again
                part.item.fails(new IllegalStateException(
                        "the interceptors around " + parts.size()
                                + " jobs of a chunk, one within the other, do not fit on the"
                                + " stack of a thread: make the chunk smaller, or the interceptors",
                        tooDeep));
            } else if (!part.item.hasOutcome()) {
                part.item.fails(new IllegalStateException("its chunk broke off"));
            }
        }
    }

    private void read(Part<T> part) {
        if (part.held.mustReacquire()) {
            throw new TooLate(); // a listener or an interceptor took too long
        }
        part.item.payload(entry.decode().apply(part.held.job().payload()));
        called.add(part);
    }

    private void enter(int number) {
        if (number == parts.size()) {
            call();
            return;
        }
        Part<T> part = parts.get(number);
        boolean[] reached = {false};
        Handlers.Call innermost = (payload, run) -> {
            read(part);
            reached[0] = true;
            enter(number + 1);
            return part.item.ended();
        };
        try {
            List<RunInterceptor> around = entry.interceptors();
            Outcome outcome =
                    Intercepted.by(around, innermost).handle(part.held.job().payload(), part.item.run());
            part.item.ends(OutcomePolicy.present(outcome, part.held.job()));
        } catch (StackOverflowError deep) {
            tooDeep = deep;
            part.item.fails(deep);
        } catch (Throwable failed) {
            part.item.fails(failed);
        }
        if (tooDeep == null && !reached[0]) {
            enter(number + 1); // an interceptor skipped this job's handler, but not the others'
        }
    }

    private void call() {
        if (called.isEmpty()) {
            return;
        }
        isCalled = true;
        Throwable error = null;
        try {
            entry.handler().handle(new Active<>(List.copyOf(called), transactions));
        } catch (Throwable thrown) { // not even an Error of user code may end this thread
            error = thrown;
        }
        for (Part<T> part : called) {
            if (part.held.isCommitted()) {
                part.item.ends(Outcome.completed());
            } else if (!part.item.hasOutcome()) {
                if (error != null) {
                    part.item.fails(error);
                } else {
                    part.item.ends(Outcome.completed());
                }
            }
        }
    }

    /** The chunk as the handler sees it. */
    private static final class Active<T> implements Chunk<T> {
        private final List<Part<T>> parts;
        private final List<Item<T>> items;
        private final Transactional<T> transactions;

        Active(List<Part<T>> parts, Transactional<T> transactions) {
            this.parts = parts;
            this.items = List.copyOf(parts.stream().map(Part::item).toList());
            this.transactions = transactions;
        }

        @Override
        public List<Item<T>> items() {
            return items;
        }

        @Override
        public void transaction(TransactionWork<T> work) throws Exception {
            transactions.run(
                    parts.stream().filter(part -> !part.item.hasOutcome()).toList(), work);
        }
    }

    /** {@return the exception for a transaction without jobs} */
    static IllegalStateException nothingLeft() {
        return new IllegalStateException(
                "chunk.transaction has no job to complete: each has an outcome already; call it before ends(…) and fails(…)");
    }

    /** {@return the items of these jobs} */
    static <T> List<ActiveItem<T>> items(List<Part<T>> parts, List<HeldJob> jobs) {
        Map<HeldJob, ActiveItem<T>> byJob = new HashMap<>();
        parts.forEach(part -> byJob.put(part.held, part.item));
        List<ActiveItem<T>> items = new ArrayList<>(jobs.size());
        for (HeldJob job : jobs) {
            ActiveItem<T> item = byJob.get(job);
            if (item != null) {
                items.add(item);
            }
        }
        return List.copyOf(items);
    }
}
