package dev.pawl.conformance.contract;

import static dev.pawl.conformance.contract.Fixture.GREET;
import static dev.pawl.conformance.contract.Fixture.SOON;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.pawl.JobQueue;
import dev.pawl.Worker;
import dev.pawl.api.EnqueueOptions;
import dev.pawl.api.JobRun;
import dev.pawl.api.JobState;
import dev.pawl.api.Retention;
import dev.pawl.api.Strategy;
import dev.pawl.conformance.Specified;
import dev.pawl.servers.Capability;
import dev.pawl.servers.Delay;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Collections;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;

/** Changes while a worker runs: another strategy for its queue, a smaller pool than it needs. */
@Specified
interface ChangeContract extends Contract {
    EnqueueOptions ONCE = EnqueueOptions.DEFAULTS.maxAttempts(1);

    /**
     * The transaction usually is separate, and completes the job at once. Under {@code transactional} it is part of the claim's
     * transaction, so the error rolls it back.
     */
    private static void transactionThenError(JobRun run) throws Exception {
        run.transaction(connection -> {});
        throw new IllegalStateException("after its transaction");
    }

    @Test
    default void aChangeOfStrategyDoesNotAffectRunningJobs(Fixture fixture) throws Exception {
        fixture.admin.queues().setStrategy("default", Strategy.AUTO);
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch go = new CountDownLatch(1);
        long before = fixture.queue.enqueue(GREET, "wait", ONCE).jobId();
        try (Worker worker = Worker.on(fixture.queue)
                .concurrency(2)
                .handle(GREET, (name, run) -> {
                    if (name.equals("wait")) {
                        begun.countDown();
                        go.await();
                    }
                    transactionThenError(run);
                })
                .start()) {
            begun.await();
            fixture.admin.queues().setStrategy("default", Strategy.TRANSACTIONAL);
            await().atMost(SOON).until(() -> {
                long id = fixture.queue.enqueue(GREET, "quick", ONCE).jobId();
                await().atMost(SOON).until(() -> fixture.job(id).state().isFinished());
                return fixture.job(id).state() == JobState.DISCARDED; // the worker knows
            });
            go.countDown();
            fixture.awaitState(before, JobState.COMPLETED);
            assertThat(worker.isAlive()).isTrue();
        } finally {
            fixture.admin.queues().setStrategy("default", Strategy.AUTO);
        }
    }

    /** Other pools report exhaustion without an SQLState, or not even as an SQLException. */
    @Test
    default void anExhaustedPoolLosesNoOutcome(Fixture fixture) throws Exception {
        int jobs = 10;
        AtomicBoolean exhausted = new AtomicBoolean();
        AtomicInteger refused = new AtomicInteger();
        AtomicInteger runs = new AtomicInteger();
        CountDownLatch begun = new CountDownLatch(jobs);
        CountDownLatch go = new CountDownLatch(1);
        DataSource moody = TamperedDataSource.before(fixture.dataSource(), () -> {
            if (exhausted.get()) {
                if (refused.incrementAndGet() % 2 == 0) {
                    throw new IllegalStateException("the pool is exhausted");
                }
                throw new SQLException("cannot get a connection, pool error: timeout waiting for an idle object");
            }
        });
        fixture.queue.enqueueAll(GREET, Collections.nCopies(jobs, "n"));
        try (JobQueue queue =
                        JobQueue.builder(moody).tablePrefix(fixture.prefix).open();
                Worker worker = Worker.on(queue)
                        .concurrency(jobs)
                        .handle(GREET, (name, run) -> {
                            runs.incrementAndGet();
                            begun.countDown();
                            go.await();
                        })
                        .start()) {
            begun.await();
            exhausted.set(true);
            go.countDown();
            await().atMost(SOON).until(() -> refused.get() > 8);
            exhausted.set(false);
            await().atMost(SOON).until(() -> worker.stats().completed() == jobs);
            assertThat(worker.stats().leasesLost()).isZero();
        }
        assertThat(runs).hasValue(jobs);
    }

    /** Transactions occupy all connections for longer than the lease: renewals still get a connection. */
    @Test
    default void handlersThatWaitForAConnectionKeepTheirLeases(Fixture fixture) throws Exception {
        int jobs = 16;
        int side = fixture.product.can(Capability.ROW_LOCKS) ? 3 : 1; // how many transactions run concurrently
        AtomicInteger runs = new AtomicInteger();
        Set<Long> seen = ConcurrentHashMap.newKeySet();
        try (Fixture small = fixture.another(3, Retention.DEFAULTS);
                Worker worker = Worker.on(small.queue)
                        .lease(Fixture.SAFE_LEASE)
                        .concurrency(12)
                        .handle(GREET, (name, run) -> {
                            runs.incrementAndGet();
                            seen.add(run.job().id());
                            run.transaction(connection -> Delay.work(
                                    Fixture.SAFE_LEASE.plusSeconds(1).toMillis() * side / jobs)); // a slow handler
                        })
                        .start()) {
            small.queue.enqueueAll(GREET, Collections.nCopies(jobs, "n"));
            await().atMost(Duration.ofSeconds(60)).until(() -> worker.stats().completed() == jobs);
            assertThat(seen).hasSize(jobs);
            assertThat(runs).hasValue(jobs);
            assertThat(worker.stats().leasesLost()).isZero();
        }
    }
}
