package dev.pawl.conformance.contract;

import static dev.pawl.conformance.contract.Fixture.GREET;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.pawl.JobQueue;
import dev.pawl.Worker;
import dev.pawl.api.Retention;
import dev.pawl.api.Strategy;
import dev.pawl.internal.assembly.Databases;
import dev.pawl.internal.assembly.SqlJobStore;
import dev.pawl.internal.cluster.WorkerRegistry;
import dev.pawl.internal.database.DatabaseProduct;
import dev.pawl.internal.jdbc.Database;
import dev.pawl.internal.store.ClaimStrategy;
import dev.pawl.internal.store.Lease;
import dev.pawl.internal.store.Settlement;
import dev.pawl.internal.store.Verdict;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;

/** Strategies under contention: retries, counters and window sizes. */
@WhiteBox
interface ContentionContract extends Contract {
    /** The update of an optimistic claim. */
    String UPDATE = "^UPDATE.*lease_token = \\?";

    String READ_BACK = "^(?!UPDATE).*leased_by = \\?";

    private static ClaimStrategy over(Fixture fixture, Strategy strategy, TamperedDataSource.Tampering tampering)
            throws SQLException {
        return fixture.storeOver(TamperedDataSource.of(fixture.pool, tampering)).strategy(strategy);
    }

    /** With delete-retry=n, completing is retried n times. */
    @Test
    default void theDeleteIsRetriedAsOftenAsConfigured(Fixture fixture) throws Exception {
        for (boolean mark : new boolean[] {false, true}) {
            for (int retries : new int[] {0, 2, 5}) {
                fixture.enqueue();
                Lease lease = fixture.claimOne().lease();
                AtomicInteger tries = new AtomicInteger();
                AtomicInteger failures = new AtomicInteger(Integer.MAX_VALUE);
                ClaimStrategy strategy = over(fixture, new Strategy.Pessimistic(retries, mark), statement -> {
                    if (statement.equals(TamperedDataSource.COMMIT) && tries.incrementAndGet() <= failures.get()) {
                        throw new SQLException("chosen as the victim of a deadlock", "40001");
                    }
                });
                List<Settlement> completed = List.of(new Settlement(lease, new Verdict.Completed()));
                assertThatThrownBy(() -> strategy.settle(completed)).isInstanceOf(SQLException.class);
                assertThat(tries).as("%d retries, mark %s", retries, mark).hasValue(1 + retries);
                tries.set(0);
                failures.set(retries);
                assertThat(strategy.settle(completed).accepted()).containsExactly(lease);
            }
        }
    }

    /** A claim that was the victim of a deadlock changed nothing. So it is tried again without an idle sleep, eight times in total. */
    @Test
    default void aDeadlockedClaimIsRetriedAtOnceAndCounted(Fixture fixture) throws Exception {
        AtomicInteger tries = new AtomicInteger();
        AtomicInteger failures = new AtomicInteger(3);
        DataSource tampered = TamperedDataSource.of(fixture.pool, statement -> {
            if (statement.equals(TamperedDataSource.COMMIT) && tries.incrementAndGet() <= failures.get()) {
                throw new SQLException("chosen as the victim of a deadlock", "40001");
            }
        });
        DatabaseProduct product = Databases.of(fixture.pool, fixture.prefix);
        Database database = new Database(tampered, product.dialect());
        ClaimStrategy strategy =
                new SqlJobStore(product, database, Retention.DEFAULTS).strategy(new Strategy.Pessimistic(5, false));
        long id = fixture.enqueue();
        assertThat(strategy.claim(fixture.request(1)))
                .singleElement()
                .satisfies(grant -> assertThat(grant.job().id()).isEqualTo(id));
        assertThat(tries).hasValue(4);
        assertThat(database.limited(Fixture.LEASE).contended())
                .as("counted for all users of the pool")
                .isEqualTo(3);
        fixture.enqueue();
        tries.set(0);
        failures.set(Integer.MAX_VALUE);
        assertThatThrownBy(() -> strategy.claim(fixture.request(1))).isInstanceOf(SQLException.class);
        assertThat(tries).hasValue(8);
    }

    /** Another worker takes the first job between the read of the window and the update. */
    @Test
    default void lostClaimsAreCounted(Fixture fixture) throws Exception {
        fixture.queue.enqueueAll(GREET, List.of("stolen", "ours"));
        DataSource tampered = fixture.at(
                UPDATE, TamperedDataSource.once(statement -> fixture.claim(Strategy.ROWS, 1, Fixture.LEASE)));
        try (JobQueue queue =
                        JobQueue.builder(tampered).tablePrefix(fixture.prefix).open();
                Worker worker = Worker.on(queue)
                        .strategy(Strategy.optimistic(10, Strategy.Pick.FIRST))
                        .handle(GREET, (name, run) -> assertThat(name).isEqualTo("ours"))
                        .start()) {
            await().until(() -> worker.stats().completed() == 1);
            assertThat(worker.stats().claimsLost()).isEqualTo(1);
        }
    }

    /** The worker waits for the next poll, as if the queue were empty, instead of retrying forever. */
    @Test
    default void aClaimThatLosesEveryWindowGivesUp(Fixture fixture) throws Exception {
        fixture.queue.enqueueAll(
                GREET, IntStream.range(0, 25).mapToObj(i -> "n" + i).toList());
        ClaimStrategy beaten = over(
                fixture,
                Strategy.optimistic(1, Strategy.Pick.FIRST),
                fixture.statements.at(UPDATE, statement -> fixture.claim(Strategy.ROWS, 1, Fixture.LEASE)));
        assertThat(beaten.claim(fixture.request(1))).isEmpty();
        assertThat(beaten.lost()).isEqualTo(20);
        assertThat(fixture.claim(Strategy.ROWS, 100, Fixture.LEASE)).hasSize(5);
    }

    /** Some servers report a lost race as an error. */
    @Test
    default void aContendedRowIsSkippedAndTheNextIsClaimed(Fixture fixture) throws Exception {
        fixture.queue.enqueueAll(GREET, List.of("contended", "ours", "more"));
        ClaimStrategy strategy = over(
                fixture,
                Strategy.optimistic(3, Strategy.Pick.FIRST),
                fixture.statements.at(UPDATE, TamperedDataSource.once(statement -> {
                    throw new SQLException("chosen as the victim of a deadlock", "40001");
                })));
        assertThat(strategy.claim(fixture.request(1)))
                .singleElement()
                .satisfies(grant -> assertThat(grant.job().payload()).contains("ours"));
        assertThat(strategy.lost()).isEqualTo(1);
    }

    /**
     * Without the retry, the worker would not know its claimed jobs. If the retries fail, too, the claim fails, because an empty result
     * would mean that the queue is empty.
     */
    @Test
    default void aFailedReadBackIsRetried(Fixture fixture) throws Exception {
        AtomicInteger reads = new AtomicInteger();
        AtomicInteger failures = new AtomicInteger();
        String[] state = {"08006"};
        TamperedDataSource.Tampering cut = fixture.statements.at(READ_BACK, statement -> {
            if (reads.incrementAndGet() <= failures.get()) {
                throw new SQLException("cut", state[0]);
            }
        });
        ClaimStrategy strategy = over(fixture, Strategy.optimistic(1, Strategy.Pick.FIRST), cut);
        fixture.queue.enqueueAll(GREET, List.of("one", "two", "three"));
        failures.set(1);
        assertThat(strategy.claim(fixture.request(1))).hasSize(1);
        assertThat(reads).hasValue(2);
        reads.set(0);
        failures.set(Integer.MAX_VALUE);
        assertThatThrownBy(() -> strategy.claim(fixture.request(1))).hasMessageContaining("cut");
        assertThat(reads).hasValue(5);
        reads.set(0);
        state[0] = "42501";
        assertThatThrownBy(() -> strategy.claim(fixture.request(1))).hasMessageContaining("cut");
        assertThat(reads).hasValue(1);
    }

    /** A worker that is told to stop does not wait; its claimed jobs are rescued when their leases expire. */
    @Test
    default void anInterruptEndsTheWaitForTheReadBack(Fixture fixture) throws Exception {
        AtomicInteger reads = new AtomicInteger();
        TamperedDataSource.Tampering cut = fixture.statements.at(READ_BACK, statement -> {
            reads.incrementAndGet();
            Thread.currentThread().interrupt();
            throw new SQLException("cut", "08006");
        });
        ClaimStrategy strategy = over(fixture, Strategy.optimistic(1, Strategy.Pick.FIRST), cut);
        fixture.enqueue();
        assertThatThrownBy(() -> strategy.claim(fixture.request(1))).hasMessageContaining("cut");
        assertThat(Thread.interrupted()).isTrue();
        assertThat(reads).hasValue(1);
    }

    @Test
    default void aClaimWhoseFirstUpdateFailsIsNoEmptyQueue(Fixture fixture) throws Exception {
        fixture.enqueue();
        TamperedDataSource.Tampering cut = fixture.statements.at(UPDATE, statement -> {
            throw new SQLException("cut", "08006");
        });
        ClaimStrategy strategy = over(fixture, Strategy.optimistic(1, Strategy.Pick.FIRST), cut);
        assertThatThrownBy(() -> strategy.claim(fixture.request(1))).hasMessageContaining("cut");
        assertThat(strategy.lost()).isZero();
        assertThat(fixture.claim(1)).hasSize(1);
    }

    /** A single worker reads only its batch, so it claims in order; many workers read a window with a batch for each worker. */
    @Test
    default void theWindowFollowsTheNumberOfWorkers(Fixture fixture) throws Exception {
        List<Long> jobs = new ArrayList<>();
        for (int i = 0; i < 60; i++) {
            jobs.add(fixture.enqueue());
        }
        Strategy follow = Strategy.optimistic(Strategy.Optimistic.FOLLOW_WORKERS, Strategy.Pick.UNIFORM);
        assertThat(claimedOneByOne(fixture, follow)).isEqualTo(jobs.subList(0, 10));
        for (int i = 0; i < 39; i++) {
            new WorkerRegistry(fixture.database)
                    .register("other " + i, List.of("default"), List.of("k"), 1, 1, Map.of());
        }
        assertThat(claimedOneByOne(fixture, follow))
                .isNotEqualTo(jobs.subList(10, 20))
                .allSatisfy(id -> assertThat(jobs.indexOf(id)).isLessThan(20 + 40));
    }

    private static List<Long> claimedOneByOne(Fixture fixture, Strategy strategy) throws SQLException {
        List<Long> claimed = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            claimed.add(fixture.claimBy(fixture.store.strategy(strategy), 1)
                    .get(0)
                    .job()
                    .id());
        }
        return claimed;
    }
}
