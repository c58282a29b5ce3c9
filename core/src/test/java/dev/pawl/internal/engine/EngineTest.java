package dev.pawl.internal.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.api.DatabaseException;
import dev.pawl.api.JobState;
import dev.pawl.api.Outcome;
import dev.pawl.api.Strategy;
import dev.pawl.internal.Delay;
import dev.pawl.internal.store.LogLine;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** The worker over a store in memory that fails and hangs on request: no sequence of faults may lose or repeat jobs. */
@Execution(ExecutionMode.CONCURRENT)
class EngineTest extends EngineFixture {
    @Test
    void jobsAreCompleted() throws Exception {
        store.add(1000, 20);
        Engine engine = start(10, (payload, run) -> Outcome.completed());
        awaitCompleted(1000);
        await(() -> engine.stats().completed() == 1000);
        assertThat(store.calls("logStarts"))
                .as("many starts are announced together")
                .isLessThan(100);
    }

    @Test
    void whatAHandlerDoesAfterItsTransactionIsLoggedWithTheJob() throws Exception {
        shutdownTimeouts = ShutdownTimeouts.USUAL;
        store.add("throws", 20);
        store.add("again", 20);
        store.add("retries", 20);
        Engine engine = start(1, (payload, run) -> {
            run.transaction(connection -> {});
            switch (payload) {
                case "throws" -> throw new IllegalArgumentException("too late");
                case "again" -> run.transaction(connection -> {});
                default -> {
                    return Outcome.retryAfter(Duration.ZERO, "too late");
                }
            }
            return Outcome.completed();
        });
        awaitCompleted(3);
        engine.stop(Duration.ofSeconds(20));
        assertThat(store.logged())
                .hasSize(3)
                .anyMatch(line -> line.contains("failed after its transaction") && line.contains("too late"))
                .anyMatch(line -> line.contains("call run.transaction once"))
                .anyMatch(line -> line.contains("RetryAfter") && line.contains("ignored"));
    }

    @Test
    void aConflictThatTheLibrarysStatementsFindCostsNoAttempt() throws Exception {
        store.add(1, 1);
        store.fail("complete", 3, FakeStore.conflict());
        Engine engine = start(1, (payload, run) -> {
            assertThat(run.attempt()).isOne();
            run.transaction(connection -> {});
            return Outcome.completed();
        });
        awaitCompleted(1);
        assertThat(store.calls("complete")).isEqualTo(4);
        engine.stop(Duration.ofSeconds(20));
        assertThat(engine.stats().discarded()).isZero();
        assertThat(store.logged())
                .as("the first and the second one")
                .hasSize(2)
                .allMatch(line -> line.contains("the attempt is not counted, because of a conflict"));
    }

    @Test
    void aConflictOfAnEnqueueInTheTransactionCostsNoAttempt() throws Exception {
        store.add(1, 1);
        AtomicInteger runs = new AtomicInteger();
        Engine engine = start(1, (payload, run) -> {
            run.transaction(connection -> {
                if (runs.incrementAndGet() == 1) {
                    throw new DatabaseException("cannot enqueue", FakeStore.conflict(), true);
                }
            });
            return Outcome.completed();
        });
        awaitCompleted(1);
        assertThat(engine.stats().discarded()).isZero();
        assertThat(runs).hasValue(2);
    }

    /** The database does not report which rows conflict. They may be the library's, so the first failures are not charged to the job. */
    @Test
    void serializationFailuresInTheHandlersStatementsAreNotChargedUpToALimit() throws Exception {
        store.add(1, 1);
        AtomicInteger runs = new AtomicInteger();
        Engine engine = start(1, (payload, run) -> {
            runs.incrementAndGet();
            run.transaction(connection -> {
                throw FakeStore.conflict();
            });
            return Outcome.completed();
        });
        await(() -> engine.stats().discarded() == 1);
        assertThat(runs).hasValue(Conflicts.FREE + 1);
    }

    @Test
    void aJobThatAlwaysConflictsIsCharged() throws Exception {
        store.add(1, 1);
        store.fail("complete", 10 * Conflicts.MAX_FREE, FakeStore.conflict());
        Engine engine = start(1, (payload, run) -> {
            run.transaction(connection -> {});
            return Outcome.completed();
        });
        await(() -> engine.stats().discarded() == 1);
        assertThat(store.calls("complete")).isEqualTo(Conflicts.MAX_FREE + 1);
        assertThat(store.errors()).singleElement().asString().contains("could not serialize access");
    }

    /** The conflict did not occur in a transaction of the run. */
    @Test
    void aConflictOnAnotherDatabaseIsAnErrorAsAnyOther() throws Exception {
        store.add(1, 1);
        AtomicInteger runs = new AtomicInteger();
        Engine engine = start(1, (payload, run) -> {
            runs.incrementAndGet();
            throw FakeStore.conflict();
        });
        await(() -> engine.stats().discarded() == 1);
        assertThat(runs).hasValue(1);
    }

    @Test
    void aHandlerSeesThatItsWorkerIsStopping() throws Exception {
        shutdownTimeouts = ShutdownTimeouts.USUAL;
        store.add(1, 1);
        CountDownLatch looked = new CountDownLatch(1);
        Engine engine = start(1, (payload, run) -> {
            assertThat(run.isStopping()).isFalse();
            looked.countDown();
            await(run::isStopping);
            assertThat(run.isCancelled()).isFalse();
            return Outcome.snoozeFor(Duration.ZERO);
        });
        looked.await();
        engine.stop(Duration.ofMinutes(10));
        assertThat(engine.stats().snoozed()).isOne();
        assertThat(store.row(1).attempt).isZero();
    }

    @Test
    void aRunThatTheWorkerInterruptsAsItStopsIsNotedWithItsJob() throws Exception {
        shutdownTimeouts = ShutdownTimeouts.USUAL;
        store.add(2, 1);
        Engine engine = start(1, (payload, run) -> block());
        await(() -> engine.stats().running() == 1);
        engine.stop(Duration.ZERO);
        assertThat(store.row(1).attempt).isZero();
        assertThat(store.logged())
                .as("not the one that only waited")
                .singleElement()
                .asString()
                .startsWith(LogLine.INTERRUPTED);
    }

    @Test
    void joinWaitsUntilTheWorkerHasStoppedAndNothingRunsThen() throws Exception {
        store.add(1, 20);
        Engine engine = start(2, (payload, run) -> block());
        await(() -> engine.stats().running() == 1);
        CountDownLatch joined = new CountDownLatch(1);
        Thread waiter = new Thread(() -> {
            try {
                engine.join();
                joined.countDown();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
        waiter.start();
        await(() -> waiter.getState() == Thread.State.WAITING);
        assertThat(joined.getCount()).isOne();
        released.countDown();
        engine.stop(Duration.ofSeconds(20));
        assertThat(joined.await(30, TimeUnit.SECONDS)).isTrue();
        assertThat(engine.stats().running()).isZero();
    }

    /**
     * Starts a worker with quick jobs, so that it claims many at once, and then adds slow jobs. Ten slow jobs have started on return, and
     * others wait behind them. The number of waiting jobs depends on the load of the machine.
     */
    private Engine startWithSlowJobsInTheBuffer(int slow, int maxAttempts) throws InterruptedException {
        Engine engine = startWithQuickJobs();
        store.add(slow, "slow", maxAttempts);
        awaitSlowJobsInTheBuffer(engine);
        return engine;
    }

    private Engine startWithQuickJobs() throws InterruptedException {
        store.add(2000, 20);
        Engine engine = start(10, (payload, run) -> payload.equals("slow") ? block() : Outcome.completed());
        awaitCompleted(2000);
        return engine;
    }

    private void awaitSlowJobsInTheBuffer(Engine engine) throws InterruptedException {
        // Jobs that have waited for a second are released.
        await(() -> begun.size() == 2010
                && store.count(JobState.RUNNING) + engine.stats().released() > 10 + 20);
    }

    /** Rescues all jobs that the worker holds, as if it had died; the worker is not notified. */
    private void rescueAsIfTheWorkerHadDied() throws Exception {
        for (String verb : List.of("claim", "renew", "settle", "logStarts")) {
            store.fail(verb, FakeStore.away());
        }
        long begunByThen = begun.size();
        store.expireAll();
        store.fail("abandoned", null);
        Rescuer rescuer = new Rescuer(store, new OutcomePolicy(policy), new Counters());
        await(() -> {
            try {
                rescuer.rescue(); // the worker's own duty may interfere
            } catch (SQLException e) {
                throw new AssertionError(e);
            }
            return store.count(JobState.RUNNING) == 0;
        });
        assertThat(begun).hasSize((int) begunByThen);
    }

    /** Jobs that the worker holds stay held until the test rescues them. */
    private void nobodyGivesBackOrRescues() {
        lease = Duration.ofHours(1);
        store.fail("release", FakeStore.away());
        store.fail("give back", new SQLException("not now"));
        store.fail("abandoned", FakeStore.away());
    }

    @Test
    void aDeadWorkersJobsThatHadNotBegunLoseNoAttempt() throws Exception {
        nobodyGivesBackOrRescues();
        Engine unused = startWithSlowJobsInTheBuffer(700, 1);
        rescueAsIfTheWorkerHadDied();
        assertThat(store.count(JobState.DISCARDED)).isEqualTo(10);
        for (long id = 2001; id <= 2700; id++) {
            FakeStore.Row row = store.row(id);
            assertThat(row.state).isEqualTo(begun.contains(id) ? JobState.DISCARDED : JobState.AVAILABLE);
            assertThat(row.attempt).isEqualTo(begun.contains(id) ? 1 : 0);
        }
    }

    /** The starts of jobs that were tried before are logged one by one, so a poison job uses up no attempts of others. */
    @Test
    void aJobThatWasTriedBeforeLosesNoAttemptBeforeItsStart() throws Exception {
        nobodyGivesBackOrRescues();
        Engine engine = startWithQuickJobs();
        List<Long> retried = store.addTried(300, "slow", 5);
        awaitSlowJobsInTheBuffer(engine);
        rescueAsIfTheWorkerHadDied();
        assertThat(retried).allSatisfy(id -> assertThat(store.row(id).attempt).isEqualTo(begun.contains(id) ? 6 : 5));
    }

    @Test
    void noHandlerStartsBeforeItsStartIsOnRecord() throws Exception {
        store.add(2000, 20);
        start(10, (payload, run) -> Outcome.completed());
        awaitCompleted(2000);
        store.fail("logStarts", FakeStore.away());
        int before = begun.size();
        for (int i = 0; i < 500; i++) {
            store.add("{}", 1);
        }
        await(() -> store.calls("logStarts") > 0 && store.count(JobState.RUNNING) > 10);
        int tries = store.calls("logStarts");
        await(() -> store.calls("logStarts") > tries + 5);
        int claimedForIdleHandlers = begun.size() - before;
        assertThat(claimedForIdleHandlers).isLessThanOrEqualTo(20);
        store.fail("logStarts", null);
        awaitCompleted(2500);
    }

    @Test
    void errorsOfListenersAndPoliciesEndNoThread() throws Exception {
        listeners.add(event -> {
            throw new StackOverflowError();
        });
        policy = attempt -> {
            throw new LinkageError();
        };
        store.add(200, 2);
        Engine engine = start(4, (payload, run) -> {
            if (run.attempt() == 1 && run.job().id() % 2 == 0) {
                throw FakeStore.<RuntimeException>sneaky(new Throwable("neither an Exception nor an Error"));
            }
            return Outcome.completed();
        });
        awaitCompleted(200);
        assertThat(store.errors()).hasSize(100);
        assertThat(engine.isAlive()).isTrue();
    }

    @Test
    void anExceptionThatThrowsWhenItIsAskedForItsMessageIsAFailedAttempt() throws Exception {
        store.add("{}", 1);
        store.add("{}", 1);
        start(1, (payload, run) -> {
            if (run.job().id() == 1) {
                throw new IllegalStateException() {
                    private static final long serialVersionUID = 1L;

                    @Override
                    public String getMessage() {
                        throw new StackOverflowError();
                    }
                };
            }
            return Outcome.completed();
        });
        await(() -> store.count(JobState.DISCARDED) == 1 && store.count(JobState.COMPLETED) == 1);
    }

    @Test
    @SuppressWarnings("NullAway") // on purpose
    void aNullOutcomeIsAFailedAttemptAndRollsBack() throws Exception {
        for (Strategy each : List.of(Strategy.AUTO, Strategy.TRANSACTIONAL)) {
            strategy = each;
            long id = store.add("{}", 1);
            Engine engine = start(1, (payload, run) -> null);
            await(() -> store.row(id).state == JobState.DISCARDED);
            assertThat(store.errors()).last().asString().contains("returned null");
            engine.stop(Duration.ZERO);
        }
    }

    @Test
    void renewalsGoOnAfterAnError() throws Exception {
        lease = FIRM_LEASE;
        store.add("{}", 20);
        store.fail("renew", new StackOverflowError());
        start(1, (payload, run) -> block());
        await(() -> store.calls("renew") >= 2);
        store.fail("renew", null);
        store.hang("abandoned", released);
        int calls = store.calls("renew");
        await(() -> store.calls("renew") > calls + 5);
        assertThat(store.row(1).token).isEqualTo(1);
    }

    /** This process's own clock bounds the lease, even while a renewal is blocked. */
    @Test
    void aHandlerIsInterruptedWhenItsLeaseIsOverThoughTheDatabaseHangs() throws Exception {
        lease = SHORT_LEASE;
        store.add("{}", 20);
        CountDownLatch interrupted = new CountDownLatch(1);
        store.hang("renew", released);
        long started = System.nanoTime();
        start(1, (payload, run) -> {
            try {
                return block();
            } catch (InterruptedException e) {
                interrupted.countDown();
                throw e;
            }
        });
        assertThat(interrupted.await(30, TimeUnit.SECONDS)).isTrue();
        assertThat(System.nanoTime() - started).isGreaterThanOrEqualTo(SHORT_LEASE.toNanos());
    }

    @Test
    void stoppingDoesNotWaitForADatabaseThatHangs() throws Exception {
        store.add(5, 20);
        Engine engine = start(5, (payload, run) -> block());
        await(() -> begun.size() == 5);
        for (String verb : List.of("claim", "settle", "renew", "release", "log", "stopped", "abandoned")) {
            store.hang(verb, released);
        }
        Thread stopping = new Thread(() -> engine.stop(Duration.ZERO));
        stopping.start();
        stopping.join(15_000);
        assertThat(stopping.isAlive()).isFalse();
    }

    @Test
    void closingRecordsOutcomesForAsLongAsItsGraceAllows() throws Exception {
        store.add(5, 20);
        CountDownLatch slow = new CountDownLatch(1);
        store.hang("settle", slow);
        Engine engine = start(5, (payload, run) -> Outcome.completed());
        await(() -> begun.size() == 5 && store.calls("settle") == 1);
        Thread stopping = new Thread(() -> engine.stop(Duration.ofSeconds(30)));
        stopping.start();
        stopping.join(SHORT.database().toMillis() * 3);
        assertThat(stopping.isAlive()).isTrue();
        slow.countDown();
        stopping.join();
        assertThat(store.count(JobState.COMPLETED)).isEqualTo(5);
    }

    @Test
    void aWorkerWhoseClaimsFailWithErrorsStopsAndSaysSo() throws Exception {
        store.fail("claim", new OutOfMemoryError("Java heap space"));
        Engine engine = start(1, (payload, run) -> Outcome.completed());
        await(() -> !engine.isAlive());
        assertThat(engine.failure()).containsInstanceOf(OutOfMemoryError.class);
        await(() -> store.calls("stopped") == 1);
        assertThat(engine.awaitIdle(Duration.ofSeconds(30)))
                .as("it cannot know")
                .isFalse();
    }

    @Test
    void aWorkerThatIsShortOfMemoryForAMomentGoesOn() throws Exception {
        store.add(10, 20);
        store.fail("claim", new OutOfMemoryError("Java heap space"));
        Engine engine = start(1, (payload, run) -> Outcome.completed());
        await(() -> store.calls("claim") >= 2);
        store.fail("claim", null);
        awaitCompleted(10);
        assertThat(engine.isAlive()).isTrue();
    }

    /** PostgreSQL's driver reports a lack of memory like this. */
    @Test
    void claimsAreSmallerAfterADriverRanOutOfMemory() throws Exception {
        store.add(5000, 20);
        store.fail("claim more than 100", new SQLException("retrieving results", "08001", new OutOfMemoryError()));
        start(10, (payload, run) -> Outcome.completed());
        awaitCompleted(5000);
        assertThat(store.calls("claim more than 100")).isPositive();
    }

    @Test
    void aWorkerThatCannotRecordBecauseOfErrorsStopsSoThatItsLeasesLapse() throws Exception {
        lease = SHORT_LEASE;
        store.add(3, 20);
        store.fail("settle", new LinkageError());
        Engine engine = start(3, (payload, run) -> Outcome.completed());
        await(() -> !engine.isAlive());
        await(() -> store.calls("stopped") == 1);
        int renewals = store.calls("renew");
        assertThat(rescueWhenOver(3)).isEqualTo(3);
        assertThat(store.calls("renew")).isEqualTo(renewals);
    }

    private int rescueWhenOver(int jobs) throws Exception {
        Rescuer rescuer = new Rescuer(store, new OutcomePolicy(policy), new Counters());
        int rescued = 0;
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(10);
        while (rescued < jobs && System.nanoTime() - deadline < 0) {
            rescued += rescuer.rescue();
        }
        return rescued;
    }

    @Test
    void anOutcomeWhoseRowIsLockedHoldsUpNoOther() throws Exception {
        store.add(500, 20);
        store.lockRow(7, true);
        start(4, (payload, run) -> Outcome.completed());
        awaitCompleted(499);
        store.lockRow(7, false);
        awaitCompleted(500);
        assertThat(store.row(7).attempt).isEqualTo(1);
    }

    @Test
    void anOutcomeThatTheDatabaseCannotTakeNowIsNotThrownAway() throws Exception {
        store.add(50, 20);
        store.fail("settle 7", FakeStore.odd());
        Engine engine = start(4, (payload, run) -> Outcome.completed());
        awaitCompleted(49);
        store.fail("settle 7", null);
        awaitCompleted(50);
        assertThat(engine.stats().leasesLost()).isZero();
        assertThat(store.row(7).attempt).isEqualTo(1);
    }

    @Test
    void onlyTheOutcomeThatTheDatabaseRefusesIsGivenUp() throws Exception {
        lease = FIRM_LEASE;
        store.add(50, 20);
        store.fail("settle 7", FakeStore.refused());
        Engine engine = start(4, (payload, run) -> Outcome.completed());
        awaitCompleted(49);
        await(() -> engine.stats().leasesLost() == 1);
        store.fail("settle 7", null);
        awaitCompleted(50);
        assertThat(store.row(7).attempt).isEqualTo(2);
    }

    @Test
    void aJobThatCannotBeRescuedHoldsBackNoOther() throws Exception {
        store.add(20, 20);
        store.steal(3);
        for (long id = 1; id <= 20; id++) {
            store.steal(id);
            store.row(id).expiresNanos = System.nanoTime() - 1;
            store.row(id).attempt = 1;
        }
        store.fail("rescue 3", FakeStore.odd());
        assertThat(new Rescuer(store, new OutcomePolicy(policy), new Counters()).rescue())
                .isEqualTo(19);
    }

    @Test
    void aHandlerInItsTransactionIsInterruptedWhenAnotherHasClaimedItsJob() throws Exception {
        store.add("{}", 20);
        CountDownLatch interrupted = new CountDownLatch(1);
        start(1, (payload, run) -> {
            run.transaction(connection -> {
                store.steal(1);
                try {
                    released.await();
                } catch (InterruptedException e) {
                    interrupted.countDown();
                    throw e;
                }
            });
            return Outcome.completed();
        });
        assertThat(interrupted.await(30, TimeUnit.SECONDS)).isTrue();
    }

    /** Another transaction has locked the row: the job can neither be renewed nor rescued. */
    @Test
    void aJobWhoseRowIsLockedForLongerThanItsLeaseGoesOn() throws Exception {
        lease = FIRM_LEASE;
        store.fail("abandoned", FakeStore.away()); // on a busy machine the lease may expire before the row is locked
        store.add("{}", 20);
        Engine engine = start(1, (payload, run) -> block());
        await(() -> begun.size() == 1);
        store.lockRow(1, true);
        store.fail("abandoned", null);
        int calls = store.calls("renew");
        await(() -> System.nanoTime() - store.row(1).expiresNanos > FIRM_LEASE.toNanos());
        await(() -> store.calls("renew") > calls + 5);
        store.fail("abandoned", FakeStore.away()); // otherwise the rescue may come before the renewal
        int looks = store.calls("abandoned");
        await(() -> store.calls("abandoned") > looks); // a rescue that had already read the jobs is finished
        store.lockRow(1, false);
        await(() -> System.nanoTime() - store.row(1).expiresNanos < 0);
        released.countDown();
        awaitCompleted(1);
        assertThat(store.row(1).attempt).isEqualTo(1);
        assertThat(engine.stats().leasesLost()).isZero();
    }

    @Test
    void jobsThatWaitBehindSlowJobsAreReleased() throws Exception {
        Engine engine = startWithSlowJobsInTheBuffer(500, 20);
        await(() -> engine.stats().buffered() == 0 && engine.stats().released() > 20);
        await(() -> store.count(JobState.RUNNING) == 10);
        assertThat(store.count(JobState.AVAILABLE)).isEqualTo(490);
    }

    @Test
    void slowJobsAreClaimedOnlyForFreeHandlers() throws Exception {
        store.add(100, 20);
        AtomicInteger most = new AtomicInteger();
        Engine engine = start(5, (payload, run) -> {
            most.accumulateAndGet((int) store.count(JobState.RUNNING), Math::max);
            Delay.work(150); // a slow handler is the point
            return Outcome.completed();
        });
        await(() -> engine.stats().completed() >= 20);
        // Jobs that have ended count as running until they are recorded, and the next jobs may be claimed before that.
        assertThat(most.get()).isLessThanOrEqualTo(10);
    }

    @Test
    void largePayloadsAreHeldInSmallNumbers() throws Exception {
        bufferBytes = 100_000;
        String large = "x".repeat(10_000);
        for (int i = 0; i < 400; i++) {
            store.add(large, 20);
        }
        long most = 0;
        Engine engine = start(4, (payload, run) -> Outcome.completed());
        while (store.count(JobState.COMPLETED) < 400) {
            most = Math.max(most, store.count(JobState.RUNNING));
        }
        await(() -> engine.stats().completed() == 400);
        assertThat(most).as("4 running, 10 waiting, 10 ended").isLessThanOrEqualTo(4 + 10 + 10 + 4);
    }

    @Test
    void logLinesAreKeptWhenTheyCannotBeWritten() throws Exception {
        store.fail("log", FakeStore.away());
        store.add("{}", 20);
        start(1, (payload, run) -> {
            run.log("one");
            return Outcome.completed();
        });
        awaitCompleted(1);
        await(() -> store.calls("log") >= 1);
        store.fail("log", null);
        await(() -> store.logged().equals(List.of("one")));
    }

    @Test
    void theHeldJobsOfAStoppedWorkerAreGivenBackWithoutCharge() throws Exception {
        shutdownTimeouts = ShutdownTimeouts.USUAL;
        Engine engine = startWithSlowJobsInTheBuffer(300, 1);
        engine.stop(Duration.ZERO);
        assertThat(store.count(JobState.DISCARDED)).isZero();
        for (long id = 2001; id <= 2300; id++) {
            assertThat(store.row(id).state).isEqualTo(JobState.AVAILABLE);
            assertThat(store.row(id).attempt).isZero();
        }
    }
}
