package dev.pawl.internal.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.pawl.api.JobState;
import dev.pawl.api.LeaseLostException;
import dev.pawl.api.Outcome;
import java.io.IOException;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** The worker has room for one transaction, so one that is not released would block the next. */
class TransactionsTest extends PartsFixture {
    private final WorkerParts parts = parts();
    private final Transactions transactions = new Transactions(store, new Conflicts(store, new RunLog(store)), 1);

    @Test
    void theWorkAndTheCompletionAreOne() throws Exception {
        HeldJob held = held(parts);
        transactions.run(held, connection -> assertThat(store.row(1).state).isEqualTo(JobState.RUNNING));
        assertThat(store.row(1).state).isEqualTo(JobState.COMPLETED);
        assertThat(held.isCommitted()).isTrue();
    }

    /** The inner transaction would wait for a permit that only the outer one could release. */
    @Test
    void aTransactionWithinTheTransactionIsRefusedAtOnce() throws Exception {
        HeldJob held = held(parts);
        transactions.run(
                held,
                connection -> assertThatThrownBy(() -> transactions.run(held, inner -> {
                            throw new AssertionError("must not begin");
                        }))
                        .isInstanceOf(IllegalStateException.class)
                        .hasMessageContaining("in its transaction already"));
        assertThat(held.isCommitted()).isTrue();
    }

    @Test
    void aLeaseThatIsLostIsNoticedBeforeAnyWork() throws Exception {
        HeldJob held = held(parts);
        store.steal(1);
        assertThatThrownBy(() -> transactions.run(held, connection -> {
                    throw new AssertionError("must not begin");
                }))
                .isInstanceOfSatisfying(LeaseLostException.class, lost -> {
                    assertThat(lost.jobId()).isEqualTo(1);
                    assertThat(lost.leaseToken()).isEqualTo(1);
                });
        assertThat(held.isCommitted()).isFalse();
    }

    /** The database has lost the commit that created the job's row. */
    @Test
    void aJobWithoutARowIsLookedForBeforeItsLeaseCountsAsLost() throws Exception {
        HeldJob held = held(parts);
        store.withoutRows.add(1L);
        transactions.run(held, connection -> {});
        assertThat(store.row(1).state).isEqualTo(JobState.COMPLETED);
    }

    @Test
    void jobsWithoutRowsAreLookedForBeforeTheOthersCommit() throws Exception {
        HeldJob held = held(parts);
        store.withoutRows.add(1L);
        List<HeldJob> committed = new ArrayList<>();
        transactions.runAll(List.of(held), (connection, ours) -> committed.addAll(ours));
        assertThat(committed).containsExactly(held);
        assertThat(store.row(1).state).isEqualTo(JobState.COMPLETED);
    }

    @Test
    void aLeaseThatIsLostDuringTheWorkRollsTheWorkBack() throws Exception {
        HeldJob held = held(parts);
        assertThatThrownBy(() -> transactions.run(held, connection -> store.steal(1)))
                .isInstanceOf(LeaseLostException.class);
        assertThat(held.isCommitted()).isFalse();
    }

    @Test
    void theLeaseDoesNotExpireWhileTheTransactionIsOpenButDoesAfterwards() throws Exception {
        lease = Duration.ZERO;
        HeldJob held = held(parts);
        store.fail("transaction", 1, FakeStore.away());
        assertThatThrownBy(() -> transactions.run(held, connection -> {})).isInstanceOf(SQLException.class);
        assertThat(held.hasExpired(System.nanoTime())).isTrue();
        assertThatThrownBy(() -> transactions.run(held, connection -> {
                    assertThat(held.hasExpired(System.nanoTime())).isFalse();
                    throw new IOException("boom");
                }))
                .isInstanceOf(IOException.class);
        assertThat(held.hasExpired(System.nanoTime())).isTrue();
    }

    /** The handler's work has not begun, so the handler does not see the conflict. */
    @Test
    void aConflictBeforeTheWorkBeginsIsTriedAgain() throws Exception {
        HeldJob held = held(parts);
        AtomicInteger works = new AtomicInteger();
        store.fail("transaction", 3, FakeStore.conflict());
        transactions.run(held, connection -> works.incrementAndGet());
        assertThat(works).hasValue(1);
        assertThat(held.isCommitted()).isTrue();
    }

    @Test
    void exceptionsOfTheWorkArePassedOnUnchanged() throws Exception {
        HeldJob held = held(parts);
        for (Exception thrown :
                new Exception[] {new IOException("a"), new SQLException("b"), new RuntimeException("c")}) {
            assertThatThrownBy(() -> transactions.run(held, connection -> {
                        throw thrown;
                    }))
                    .isSameAs(thrown);
        }
        assertThat(store.row(1).state).isEqualTo(JobState.RUNNING);
    }

    @Test
    void aSecondTransactionIsAMistake() throws Exception {
        HeldJob held = held(parts);
        transactions.run(held, connection -> {});
        assertThatThrownBy(() -> transactions.run(held, connection -> {}))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("job 1 is completed already");
    }

    @Test
    void noMoreTransactionsAreOpenThanAllowed() throws Exception {
        HeldJob one = held(parts);
        HeldJob two = held(parts);
        AtomicInteger open = new AtomicInteger();
        Thread[] second = new Thread[1];
        transactions.run(one, connection -> {
            open.incrementAndGet();
            second[0] = new Thread(() -> {
                try {
                    transactions.run(two, other -> assertThat(open).hasValue(0));
                } catch (Exception e) {
                    throw new AssertionError(e);
                }
            });
            second[0].start();
            awaitWaiting(second[0]);
            open.decrementAndGet();
        });
        second[0].join();
        assertThat(store.count(JobState.COMPLETED)).isEqualTo(2);
    }

    @Test
    void aHandlerInsideMayNotComplete() throws Exception {
        HeldJob held = held(parts);
        Outcome later = Outcome.snoozeFor(Duration.ofSeconds(1));
        assertThat(transactions.around(held, connection -> later)).isSameAs(later);
        assertThat(held.isCommitted()).isFalse();
        assertThat(store.row(1).state).isEqualTo(JobState.RUNNING);
        assertThat(transactions.around(held, connection -> Outcome.completed())).isEqualTo(Outcome.completed());
        assertThat(held.isCommitted()).isTrue();
    }
}
