package dev.pawl.internal.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

class StartMarksTest extends PartsFixture {
    private static final long WORKER = 7;

    private final WorkerParts parts = parts();
    private final Pace pace = new Pace(1);
    private final StartMarks starts =
            new StartMarks(store, () -> WORKER, parts.heldJobs, parts.buffer, pace, store.health());

    /** The handler gets through so many in a moment. */
    private void paceOf(int ahead) {
        pace.begun(0, 1);
        pace.ended(0, 1 + Pace.HORIZON_NANOS / ahead);
    }

    private List<HeldJob> ahead(int jobs, int maxAttempts) throws Exception {
        store.add(jobs, maxAttempts);
        List<HeldJob> held = claim(parts, true);
        parts.buffer.add(held);
        return held;
    }

    private HeldJob taken() throws InterruptedException {
        return Objects.requireNonNull(parts.buffer.take());
    }

    @Test
    void whatTheClaimHasAnnouncedIsNotAnnouncedAgain() throws Exception {
        assertThat(starts.announce(held(parts))).isTrue();
        assertThat(store.calls("announce")).isZero();
    }

    @Test
    void whatWillBeTakenInAMomentIsAnnouncedWithIt() throws Exception {
        paceOf(3);
        List<HeldJob> jobs = ahead(10, 20);
        HeldJob taken = taken();
        assertThat(starts.announce(taken)).isTrue();
        assertThat(store.announced(WORKER)).isEqualTo("1:1-4");
        assertThat(jobs.stream().filter(HeldJob::isAnnounced)).containsExactlyElementsOf(jobs.subList(0, 4));
    }

    @Test
    void theNextAreAnnouncedWhenHalfIsTaken() throws Exception {
        paceOf(4);
        ahead(20, 20);
        assertThat(starts.announce(taken())).isTrue();
        assertThat(store.announced(WORKER)).isEqualTo("1:1-5");
        assertThat(starts.announce(taken())).isTrue();
        assertThat(store.calls("announce")).isEqualTo(1);
        assertThat(starts.announce(taken())).isTrue();
        assertThat(store.calls("announce")).isEqualTo(2);
        assertThat(store.announced(WORKER)).isEqualTo("1:1-7");
        assertThat(starts.announce(taken())).isTrue();
        assertThat(store.calls("announce")).isEqualTo(2);
    }

    @Test
    void aJobWithoutAnotherTryIsAnnouncedAlone() throws Exception {
        paceOf(100);
        ahead(10, 1);
        assertThat(starts.announce(taken())).isTrue();
        assertThat(store.announced(WORKER)).isEqualTo("1:1");
    }

    /** A lock that somebody keeps stops only the others. */
    @Test
    void whoeverHasWrittenLetsOthersWrite() throws Exception {
        paceOf(4);
        ahead(20, 20);
        for (int i = 0; i < 3; i++) {
            assertThat(starts.announce(taken())).isTrue();
        }
        assertThat(store.calls("announce"))
                .as("the first, and ahead of the third")
                .isEqualTo(2);
        HeldJob alone = ahead(1, 1).get(0);
        Thread other = new Thread(() -> {
            try {
                boolean unused = starts.announce(alone);
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        });
        other.setDaemon(true);
        other.start();
        EngineFixture.await(alone::isAnnounced);
    }

    @Test
    void aStartThatIsAnnouncedWaitsForNothingElse() throws Exception {
        HeldJob held = ahead(1, 1).get(0);
        Thread announcing = Thread.currentThread();
        store.on("announce", announcing::interrupt); // a wait would notice
        assertThat(starts.announce(held)).isTrue();
        assertThat(Thread.interrupted()).isTrue();
    }

    /** One dead connection must not cost them their leases. */
    @Test
    void aNoteMayTakeAQuarterOfTheShortestLease() throws Exception {
        paceOf(10);
        lease = Duration.ofSeconds(80);
        ahead(1, 20);
        lease = Duration.ofSeconds(40);
        ahead(1, 20);
        assertThat(starts.announce(taken())).isTrue();
        assertThat(store.announced(WORKER)).isEqualTo("1:1-2");
        assertThat(store.longestAnnouncement()).isEqualTo(Duration.ofSeconds(10));
    }

    /** The note replaces the one before. */
    @Test
    void whatWasAnnouncedStaysOnRecordUntilItIsRecorded() throws Exception {
        List<HeldJob> jobs = ahead(4, 1);
        for (int i = 0; i < 3; i++) {
            assertThat(starts.announce(taken())).isTrue();
        }
        assertThat(store.announced(WORKER)).isEqualTo("1:1-3");
        parts.heldJobs.remove(jobs.get(0)); // recorded
        jobs.get(1).begin(Thread.currentThread(), 0, null);
        parts.heldJobs.letGo(jobs.get(1)); // will not be
        assertThat(starts.announce(taken())).isTrue();
        assertThat(store.announced(WORKER)).isEqualTo("1:2-4");
    }

    @Test
    void aStartWaitsWhileTheDatabaseIsAway() throws Exception {
        ahead(1, 1);
        store.fail("announce", 2, FakeStore.away());
        assertThat(starts.announce(taken())).isTrue();
        assertThat(store.calls("announce")).isEqualTo(3);
    }

    @Test
    void whatIsStoppedOrOverOrClosedDoesNotStart() throws Exception {
        HeldJob stopped = ahead(1, 1).get(0);
        stopped.stop(HeldJob.Stop.LEASE_LOST);
        assertThat(starts.announce(stopped)).isFalse();
        lease = Duration.ZERO;
        assertThat(starts.announce(ahead(1, 1).get(0))).isFalse();
        lease = LONG;
        HeldJob late = ahead(1, 1).get(0);
        parts.buffer.close();
        assertThat(starts.announce(late)).isFalse();
        assertThat(store.calls("announce")).isZero();
    }

    /** Its note failed, and then somebody else's has named it. */
    @Test
    void whatAnotherThreadHasAnnouncedIsAnnounced() throws Exception {
        HeldJob held = ahead(1, 1).get(0);
        store.fail("announce", FakeStore.away());
        store.on("announce", () -> {
            held.announced();
            held.stop(HeldJob.Stop.WORKER_STOPS);
        });
        assertThat(starts.announce(held)).isTrue();
        assertThat(store.calls("announce")).isEqualTo(1);
    }

    @Test
    void aFailedNoteAnnouncesNothing() throws Exception {
        HeldJob held = ahead(1, 1).get(0);
        store.fail("announce", FakeStore.odd());
        store.on("announce", parts.buffer::close);
        assertThat(starts.announce(held)).isFalse();
        assertThat(held.isAnnounced()).isFalse();
    }

    @Test
    void whatIsGivenUpIsNotNamedByLaterNotes() throws Exception {
        List<HeldJob> jobs = ahead(2, 1);
        store.fail("announce", 1, FakeStore.away());
        store.on("announce", () -> jobs.get(0).stop(HeldJob.Stop.WORKER_STOPS));
        assertThat(starts.announce(jobs.get(0))).isFalse();
        assertThat(starts.announce(jobs.get(1))).isTrue();
        assertThat(store.announced(WORKER)).isEqualTo("1:2");
    }
}
