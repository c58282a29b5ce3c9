package dev.pawl.specification.concurrent;

import dev.pawl.Batch;
import dev.pawl.JobQueue;
import dev.pawl.api.DatabaseException;
import dev.pawl.api.EnqueueOptions;
import dev.pawl.api.EnqueueResult;
import dev.pawl.api.JobType;
import dev.pawl.api.UniqueWhile;
import dev.pawl.specification.concurrent.History.Confided;
import dev.pawl.specification.concurrent.History.Enqueued;
import dev.pawl.specification.concurrent.History.Verb;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import javax.sql.DataSource;

/** Enqueues and changes jobs at random. */
final class Client implements Runnable {
    private static final int STEPS_OF_A_PAUSE = 5;

    private final JobQueue queue;
    private final DataSource pool;
    private final History history;
    private final Random drawn;
    private final int steps;
    private final Shared shared;

    private final People people;
    private final Flows flows;
    /** Only one client pauses: resuming ends the pauses of all. */
    private final boolean mayPause;

    Client(JobQueue queue, DataSource pool, History history, Random drawn, int steps, Shared shared, boolean mayPause) {
        this.queue = queue;
        this.pool = pool;
        this.history = history;
        this.drawn = drawn;
        this.steps = steps;
        this.shared = shared;
        this.mayPause = mayPause;
        this.people = new People(queue, history, drawn, shared);
        this.flows = new Flows(queue, history, drawn, shared);
    }

    @Override
    public void run() {
        for (int i = 0; i < steps; i++) {
            step(drawn.nextInt(mayPause ? 100 : 96));
        }
    }

    private void step(int choice) {
        try {
            if (choice < 38) {
                enqueue();
            } else if (choice < 52) {
                transaction();
            } else if (choice < 58) {
                batch();
            } else if (choice < 63) {
                flows.start();
            } else if (choice < 69) {
                confide();
            } else if (choice < 76) {
                people.cancel();
            } else if (choice < 82) {
                people.retry();
            } else if (choice < 88) {
                people.edit();
            } else if (choice < 93) {
                people.move();
            } else if (choice < 96) {
                people.erase();
            } else {
                people.pause(() -> drawn.ints(STEPS_OF_A_PAUSE, 0, 96).forEach(this::step));
            }
        } catch (DatabaseException | SQLException contention) {
            boolean isExpected = contention instanceof SQLException || ((DatabaseException) contention).isTransient();
            if (!isExpected) {
                throw new IllegalStateException(contention);
            }
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
        if (enqueued.isInserted()) {
            Set<Verb> how = EnumSet.of(Verb.EDIT, Verb.MOVE);
            if (enqueued.options().key() == null && !enqueued.kind().equals("slot")) {
                how.add(Verb.CANCEL);
                if (enqueued.options().uniqueKey() == null) {
                    how.add(Verb.RETRY);
                }
            }
            shared.mayTouch(enqueued.result().jobId(), how);
        }
    }

    private EnqueueOptions options() {
        EnqueueOptions options = EnqueueOptions.DEFAULTS;
        int where = drawn.nextInt(10);
        if (where < 2) {
            options = options.queue(Rules.LIMITED);
        } else if (where < 4) {
            options = options.queue(Rules.TWOS);
        } else if (where == 4) {
            options = options.queue(Rules.SLOW);
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
        if (drawn.nextInt(8) == 0) {
            options = options.cost(2 + drawn.nextInt(3));
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
                    EnqueueResult result = queue.within(connection).enqueue(type, marker, options);
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

    /** Enqueues a job about a person. */
    private void confide() {
        String name = "person-" + shared.markers.incrementAndGet() + "-";
        EnqueueOptions options =
                EnqueueOptions.DEFAULTS.tags(name).header("about", name).maxAttempts(1 + drawn.nextInt(2));
        if (drawn.nextBoolean()) {
            options = options.key(name);
        }
        if (drawn.nextBoolean()) {
            options = options.uniqueKey(name).uniqueWhile(UniqueWhile.KEPT);
        }
        history.confided.add(
                new Confided(name, queue.enqueue(Kinds.PRIVATE, name, options).jobId()));
    }
}
