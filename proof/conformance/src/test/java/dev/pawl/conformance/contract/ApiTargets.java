package dev.pawl.conformance.contract;

import dev.pawl.Batch;
import dev.pawl.JobQueue;
import dev.pawl.Workflow;
import dev.pawl.api.EnqueueOptions;
import dev.pawl.api.Enqueuer;
import dev.pawl.api.Job;
import dev.pawl.internal.store.Lease;
import dev.pawl.spi.Leader;
import dev.pawl.spi.Leadership;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import javax.sql.DataSource;

/**
 * The queue under test, and new jobs and other objects with which to call it. These objects are created as the owner of the tables, because
 * the caller may lack the rights.
 */
final class ApiTargets {
    static final Duration LATER = Duration.ofHours(1);
    private static final AtomicInteger NAMES = new AtomicInteger();

    final Fixture fixture;
    final DataSource pool;
    final JobQueue queue;

    /**
     * @param fixture of the owner
     * @param pool of the caller
     * @param queue on that pool
     */
    ApiTargets(Fixture fixture, DataSource pool, JobQueue queue) {
        this.fixture = fixture;
        this.pool = pool;
        this.queue = queue;
    }

    static EnqueueOptions later() {
        return EnqueueOptions.DEFAULTS.delay(LATER);
    }

    /** {@return a name that no other call uses, neither alone nor followed by a number} */
    String name() {
        return "name-" + NAMES.incrementAndGet() + "-";
    }

    /** {@return a job that is not due} */
    long waiting() {
        return fixture.enqueue(later());
    }

    /** {@return a job that is blocked by its concurrency key} */
    long keyed() {
        return fixture.enqueue(later().key(name()));
    }

    long cancelled() {
        long id = waiting();
        fixture.admin.jobs().cancel(id);
        return id;
    }

    /** {@return a job whose row says that it runs} */
    Lease running() throws SQLException {
        String queue = name();
        long id = fixture.enqueue(EnqueueOptions.DEFAULTS.queue(queue).uniqueKey(name()));
        return fixture
                .store
                .strategy(dev.pawl.api.Strategy.ROWS)
                .claim(new dev.pawl.internal.store.ClaimRequest(
                        queue, List.of("greet"), 1, fixture.worker, Duration.ofHours(1), false))
                .stream()
                .map(dev.pawl.internal.store.Grant::lease)
                .filter(lease -> lease.jobId() == id)
                .findAny()
                .orElseThrow();
    }

    /** {@return a job that waits for the signal {@code go}} */
    long waitingForSignal() throws SQLException {
        long id = waiting();
        fixture.execute(
                "INSERT INTO pawl_step (job_id, kind, name, place, state, written_at) SELECT id, 1, 'go', 1, 0, created_at"
                        + " FROM pawl_job WHERE id = " + id);
        return id;
    }

    Batch batch() {
        Batch batch = fixture.queue.batch(name()).open();
        for (int i = 0; i < 2; i++) {
            fixture.enqueue(batch.with(later()));
        }
        return batch;
    }

    Workflow workflow() {
        return fixture.queue
                .workflow(name())
                .job("first", Fixture.GREET, "1")
                .then("second", Fixture.GREET, "2")
                .start();
    }

    /** {@return the name of a schedule} */
    String schedule() {
        String name = name();
        boolean unused = fixture.queue
                .schedules()
                .add(
                        name,
                        new dev.pawl.api.JobRequest("greet", "\"x\"", EnqueueOptions.DEFAULTS.queue("ticks")),
                        dev.pawl.schedule.Recurrence.cron("@yearly"),
                        dev.pawl.schedule.Missed.ONCE,
                        dev.pawl.schedule.Overlap.SKIP);
        return name;
    }

    /** {@return a queue with a limit} */
    String limited() {
        String name = name();
        fixture.queue.limits().set(dev.pawl.limit.Limit.queue(name).atOnce(5));
        return name;
    }

    Leader leader() {
        return fixture.queue
                .unwrap(Leadership.class)
                .hold(name(), "owner", LATER)
                .orElseThrow();
    }

    /** {@return a job of a workflow} */
    Job workflowJob() {
        long node = workflow().info().orElseThrow().nodes().get(0).jobs().id();
        return fixture.queue.batch(node).jobs(0, 1).get(0);
    }

    /** {@return a series with one used and one skipped slot} */
    String series() {
        String name = name();
        fixture.queue.slots().series(name).numbers(1, 1).reserve().use();
        var unused = fixture.queue.slots().series(name).numbers(1, 1).reserve();
        return name;
    }

    /** Work in a transaction of the caller. */
    @FunctionalInterface
    interface Work {
        void on(Connection connection) throws Exception;
    }

    void transaction(Work work) throws Exception {
        try (Connection connection = pool.getConnection()) {
            connection.setAutoCommit(false);
            try {
                work.on(connection);
                connection.commit();
            } finally {
                if (!connection.isClosed()) {
                    connection.rollback();
                }
            }
        }
    }

    /** Enqueues in a transaction of the caller. */
    void within(Consumer<Enqueuer> work) throws Exception {
        transaction(connection -> work.accept(queue.within(connection)));
    }
}
