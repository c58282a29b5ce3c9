package dev.pawl.internal.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class StartLogTest extends PartsFixture {
    private static final long WORKER = 7;

    private final WorkerParts parts = parts();
    private final HandlerRate handlerRate = new HandlerRate(1);
    private final StartLog starts =
            new StartLog(store, () -> WORKER, parts.heldJobs, parts.buffer, handlerRate, store.health());

    /** Makes the handler finish this number of jobs within a moment. */
    private void paceOf(int ahead) {
        handlerRate.begun(0, 1);
        handlerRate.ended(0, 1 + ClaimHorizon.MIN_NANOS / ahead);
    }

    private List<HeldJob> ahead(int jobs, int maxAttempts) throws Exception {
        store.add(jobs, maxAttempts);
        List<HeldJob> held = claim(parts, true);
        parts.buffer.add(held);
        return held;
    }

    private List<HeldJob> taken() throws InterruptedException {
        return parts.buffer.take(List.of());
    }

    @Test
    void aStartThatTheClaimHasLoggedIsNotLoggedAgain() throws Exception {
        assertThat(starts.ensureLogged(held(parts, 1))).isTrue();
        assertThat(store.calls("logStarts")).isZero();
    }

    @Test
    void theStartsOfTheNextJobsAreLoggedWithTheFirst() throws Exception {
        paceOf(3);
        List<HeldJob> jobs = ahead(10, 20);
        List<HeldJob> taken = taken();
        assertThat(starts.ensureLogged(taken)).isTrue();
        assertThat(store.startedLeases(WORKER)).isEqualTo("[[1,1,4]]");
        assertThat(jobs.stream().filter(HeldJob::isStartLogged)).containsExactlyElementsOf(jobs.subList(0, 4));
    }

    @Test
    void theNextStartsAreLoggedWhenHalfOfTheLoggedJobsAreTaken() throws Exception {
        paceOf(4);
        ahead(20, 20);
        assertThat(starts.ensureLogged(taken())).isTrue();
        assertThat(store.startedLeases(WORKER)).isEqualTo("[[1,1,5]]");
        assertThat(starts.ensureLogged(taken())).isTrue();
        assertThat(store.calls("logStarts")).isEqualTo(1);
        assertThat(starts.ensureLogged(taken())).isTrue();
        assertThat(store.calls("logStarts")).isEqualTo(2);
        assertThat(store.startedLeases(WORKER)).isEqualTo("[[1,1,7]]");
        assertThat(starts.ensureLogged(taken())).isTrue();
        assertThat(store.calls("logStarts")).isEqualTo(2);
    }

    @Test
    void theStartOfAJobWithOneAttemptIsLoggedAlone() throws Exception {
        paceOf(100);
        ahead(10, 1);
        assertThat(starts.ensureLogged(taken())).isTrue();
        assertThat(store.startedLeases(WORKER)).isEqualTo("[[1,1]]");
    }

    /** A second thread tests it, because a stuck lock would block only other threads. */
    @Test
    void aThreadThatHasWrittenLetsOtherThreadsWrite() throws Exception {
        paceOf(4);
        ahead(20, 20);
        for (int i = 0; i < 3; i++) {
            assertThat(starts.ensureLogged(taken())).isTrue();
        }
        assertThat(store.calls("logStarts"))
                .as("the first, and ahead of the third")
                .isEqualTo(2);
        HeldJob alone = ahead(1, 1).get(0);
        Thread other = new Thread(() -> {
            try {
                boolean unused = starts.ensureLogged(List.of(alone));
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        });
        other.setDaemon(true);
        other.start();
        EngineFixture.await(alone::isStartLogged);
    }

    @Test
    void aLoggedStartWaitsForNothingElse() throws Exception {
        HeldJob held = ahead(1, 1).get(0);
        Thread announcing = Thread.currentThread();
        store.on("logStarts", announcing::interrupt); // the interrupt would end a wait
        assertThat(starts.ensureLogged(List.of(held))).isTrue();
        assertThat(Thread.interrupted()).isTrue();
    }

    /** A dead connection must not cost the jobs their leases. */
    @Test
    void aWriteMayTakeAQuarterOfTheShortestLease() throws Exception {
        paceOf(10);
        lease = Duration.ofSeconds(80);
        ahead(1, 20);
        lease = Duration.ofSeconds(40);
        ahead(1, 20);
        assertThat(starts.ensureLogged(taken())).isTrue();
        assertThat(store.startedLeases(WORKER)).isEqualTo("[[1,1,2]]");
        assertThat(store.startLogTimeout()).isEqualTo(Duration.ofSeconds(10));
    }

    /** Each write of the start log replaces the one before. */
    @Test
    void aStartStaysLoggedUntilTheOutcomeIsRecorded() throws Exception {
        List<HeldJob> jobs = ahead(4, 1);
        for (int i = 0; i < 3; i++) {
            assertThat(starts.ensureLogged(taken())).isTrue();
        }
        assertThat(store.startedLeases(WORKER)).isEqualTo("[[1,1,3]]");
        parts.heldJobs.remove(jobs.get(0)); // recorded
        jobs.get(1).begin(Thread.currentThread(), 0, null);
        parts.heldJobs.drop(jobs.get(1)); // will not be recorded
        assertThat(starts.ensureLogged(taken())).isTrue();
        assertThat(store.startedLeases(WORKER)).isEqualTo("[[1,2,4]]");
    }

    @Test
    void aStartWaitsWhileTheDatabaseIsAway() throws Exception {
        ahead(1, 1);
        store.fail("logStarts", 2, FakeStore.away());
        assertThat(starts.ensureLogged(taken())).isTrue();
        assertThat(store.calls("logStarts")).isEqualTo(3);
    }

    @Test
    void aJobDoesNotStartIfItIsStoppedOrItsLeaseHasExpiredOrTheBufferIsClosed() throws Exception {
        HeldJob stopped = ahead(1, 1).get(0);
        stopped.stop(HeldJob.Stop.LEASE_LOST);
        assertThat(starts.ensureLogged(List.of(stopped))).isFalse();
        lease = Duration.ZERO;
        assertThat(starts.ensureLogged(ahead(1, 1))).isFalse();
        lease = LONG;
        HeldJob late = ahead(1, 1).get(0);
        parts.buffer.close();
        assertThat(starts.ensureLogged(List.of(late))).isFalse();
        assertThat(store.calls("logStarts")).isZero();
    }

    /** The thread's own write failed, and then another thread's write included the job. */
    @Test
    void aStartThatAnotherThreadHasLoggedIsLogged() throws Exception {
        HeldJob held = ahead(1, 1).get(0);
        store.fail("logStarts", FakeStore.away());
        store.on("logStarts", () -> {
            held.startLogged();
            held.stop(HeldJob.Stop.WORKER_STOPS);
        });
        assertThat(starts.ensureLogged(List.of(held))).isTrue();
        assertThat(store.calls("logStarts")).isEqualTo(1);
    }

    @Test
    void aFailedWriteLogsNoStart() throws Exception {
        HeldJob held = ahead(1, 1).get(0);
        store.fail("logStarts", FakeStore.odd());
        store.on("logStarts", parts.buffer::close);
        assertThat(starts.ensureLogged(List.of(held))).isFalse();
        assertThat(held.isStartLogged()).isFalse();
    }

    @Test
    void aStartThatWasGivenUpIsNotInLaterWrites() throws Exception {
        List<HeldJob> jobs = ahead(2, 1);
        store.fail("logStarts", 1, FakeStore.away());
        store.on("logStarts", () -> jobs.get(0).stop(HeldJob.Stop.WORKER_STOPS));
        assertThat(starts.ensureLogged(List.of(jobs.get(0)))).isFalse();
        assertThat(starts.ensureLogged(List.of(jobs.get(1)))).isTrue();
        assertThat(store.startedLeases(WORKER)).isEqualTo("[[1,2]]");
    }
}
