package dev.pawl.specification.concurrent;

import dev.pawl.Batch;
import dev.pawl.DatabaseException;
import dev.pawl.EnqueueOptions;
import dev.pawl.EnqueueResult;
import dev.pawl.JobQueue;
import dev.pawl.JobType;
import dev.pawl.UniqueWhile;
import dev.pawl.admin.CancelResult;
import dev.pawl.admin.RetryResult;
import dev.pawl.specification.concurrent.History.Changed;
import dev.pawl.specification.concurrent.History.Enqueued;
import dev.pawl.specification.concurrent.History.Verb;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;

/** Enqueues and changes jobs as it has drawn. */
final class Client implements Runnable {
    private final JobQueue queue;
    private final DataSource pool;
    private final History history;
    private final Random drawn;
    private final int steps;
    private final Shared shared;

    /** What clients know of each other. */
    static final class Shared {
        final AtomicInteger markers = new AtomicInteger();
        /** Jobs that people may touch, and whether they may have them run again. */
        final Map<Long, Boolean> touchable = new ConcurrentHashMap<>();

        final Map<Long, Span> sealed = new ConcurrentHashMap<>();
    }

    Client(JobQueue queue, DataSource pool, History history, Random drawn, int steps, Shared shared) {
        this.queue = queue;
        this.pool = pool;
        this.history = history;
        this.drawn = drawn;
        this.steps = steps;
        this.shared = shared;
    }

    @Override
    public void run() {
        for (int i = 0; i < steps; i++) {
            try {
                step(drawn.nextInt(100));
            } catch (DatabaseException | SQLException contention) {
                boolean isExpected =
                        contention instanceof SQLException || ((DatabaseException) contention).isTransient();
                if (!isExpected) {
                    throw new IllegalStateException(contention);
                }
            }
        }
    }

    private void step(int choice) throws SQLException {
        if (choice < 50) {
            enqueue();
        } else if (choice < 68) {
            transaction();
        } else if (choice < 76) {
            batch();
        } else if (choice < 88) {
            cancel();
        } else {
            retry();
        }
    }

    private void enqueue() {
        JobType<Integer> type = Kinds.DRAWN.get(drawn.nextInt(Kinds.DRAWN.size()));
        EnqueueOptions options = options();
        int marker = shared.markers.incrementAndGet();
        long from = System.nanoTime();
        EnqueueResult result = queue.enqueue(type, marker, options);
        add(new Enqueued(Span.since(from), marker, type.kind(), options, result));
    }

    private void add(Enqueued enqueued) {
        history.enqueued.add(enqueued);
        if (enqueued.isInserted()
                && enqueued.options().key() == null
                && !enqueued.kind().equals("slot")) {
            shared.touchable.put(enqueued.result().jobId(), enqueued.options().uniqueKey() == null);
        }
    }

    private EnqueueOptions options() {
        EnqueueOptions options = EnqueueOptions.DEFAULTS;
        int where = drawn.nextInt(10);
        if (where < 2) {
            options = options.queue(Rules.LIMITED);
        } else if (where < 4) {
            options = options.queue(Rules.TWOS);
        }
        if (drawn.nextInt(10) < 3) {
            options = options.key(drawn.nextBoolean() ? "x" : "y");
        }
        if (drawn.nextInt(10) < 4) {
            UniqueWhile[] scopes = UniqueWhile.values();
            UniqueWhile scope = scopes[drawn.nextInt(scopes.length)];
            options = options.uniqueKey(scope + "-" + drawn.nextInt(2)).uniqueWhile(scope);
        }
        if (drawn.nextInt(10) == 0) {
            options = options.delay(Duration.ofMillis(20));
        }
        if (drawn.nextInt(10) == 0) {
            options = options.priority(drawn.nextBoolean() ? -1 : 2);
        }
        return drawn.nextInt(4) == 0 ? options.maxAttempts(1 + drawn.nextInt(3)) : options;
    }

    private void transaction() throws SQLException {
        List<Enqueued> written = new ArrayList<>();
        boolean commits = drawn.nextInt(10) < 7;
        try (Connection connection = pool.getConnection()) {
            connection.setAutoCommit(false);
            try {
                int jobs = 1 + drawn.nextInt(3);
                for (int i = 0; i < jobs; i++) {
                    JobType<Integer> type = Kinds.DRAWN.get(drawn.nextInt(Kinds.DRAWN.size()));
                    EnqueueOptions options = options();
                    int marker = shared.markers.incrementAndGet();
                    long from = System.nanoTime();
                    EnqueueResult result = queue.enqueue(connection, type, marker, options);
                    written.add(new Enqueued(Span.since(from), marker, type.kind(), options, result));
                }
                if (commits) {
                    connection.commit();
                }
            } finally {
                connection.rollback();
                connection.setAutoCommit(true);
            }
        }
        if (commits) {
            long to = System.nanoTime();
            written.forEach(each -> add(new Enqueued(
                    each.isInserted() ? new Span(each.span().from(), to) : each.span(),
                    each.marker(),
                    each.kind(),
                    each.options(),
                    each.result())));
        }
    }

    private void batch() {
        Batch batch = queue.batch("batch")
                .onDone(Kinds.CALLBACK, "done")
                .onFailed(Kinds.CALLBACK, "failed")
                .onSuccess(Kinds.CALLBACK, "success")
                .open();
        int jobs = drawn.nextInt(5);
        for (int i = 0; i < jobs; i++) {
            JobType<Integer> type = Kinds.DRAWN.get(drawn.nextInt(Kinds.DRAWN.size()));
            EnqueueOptions options = batch.with(options());
            int marker = shared.markers.incrementAndGet();
            long from = System.nanoTime();
            EnqueueResult result = queue.enqueue(type, marker, options);
            add(new Enqueued(Span.since(from), marker, type.kind(), options, result));
        }
        long from = System.nanoTime();
        boolean unused = batch.seal();
        shared.sealed.put(batch.id(), Span.since(from));
    }

    private void cancel() {
        List<Long> jobs = List.copyOf(shared.touchable.keySet());
        if (!jobs.isEmpty()) {
            long job = jobs.get(drawn.nextInt(jobs.size()));
            long from = System.nanoTime();
            CancelResult result = queue.admin().cancel(job);
            if (result == CancelResult.CANCELLED || result == CancelResult.REQUESTED) {
                history.changed.add(new Changed(Span.since(from), job, Verb.CANCEL, result == CancelResult.CANCELLED));
            }
        }
    }

    private void retry() {
        List<Long> jobs = shared.touchable.entrySet().stream()
                .filter(Map.Entry::getValue)
                .map(Map.Entry::getKey)
                .toList();
        if (!jobs.isEmpty()) {
            long job = jobs.get(drawn.nextInt(jobs.size()));
            long from = System.nanoTime();
            if (queue.admin().retry(job) == RetryResult.AVAILABLE_NOW) {
                history.changed.add(new Changed(Span.since(from), job, Verb.RETRY, true));
            }
        }
    }
}
