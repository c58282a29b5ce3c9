package dev.pawl.internal.quota;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.internal.Delay;
import dev.pawl.internal.rate.Bucket;
import dev.pawl.internal.store.Admission;
import dev.pawl.internal.store.Admission.Limiter;
import dev.pawl.internal.store.Allocation;
import dev.pawl.internal.store.Allocation.Permits;
import dev.pawl.internal.store.Allocation.Starts;
import dev.pawl.internal.store.LimitSource;
import dev.pawl.internal.store.LimitSource.Request;
import dev.pawl.limit.Rate;
import dev.pawl.limit.Subject;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class LocalLimitsTest {
    private static final Subject MAIL = Subject.queue("mail");
    private static final Subject SEND = Subject.kind("send");

    private int handlers = 8;
    private final LocalLimits localLimits =
            new LocalLimits(subject -> handlers, Set.of("mail", "other")::contains, Set.of("send", "greet"));

    private static Allocation places(int share, int fair, int wanted) {
        return new Allocation(true, new Permits(share, fair, wanted), null, Duration.ZERO, false);
    }

    private void allocated(Subject subject, Allocation allocated) {
        boolean unused = localLimits.allocated(subject, allocated, System.nanoTime());
    }

    private Limiter limiter() {
        return Objects.requireNonNull(localLimits.limiter("mail", "send"), "a gate");
    }

    /** Adds a waiting job, which starts if it may. */
    private static boolean enters(Limiter limiter) {
        limiter.enqueue(1, 1);
        boolean entered = limiter.acquire(1) != Limiter.REFUSED;
        if (!entered) {
            limiter.dequeue(1);
        }
        return entered;
    }

    private List<Admission.Part> plan(String... kinds) {
        return localLimits.plan("mail", List.of(kinds), 10, 0).parts();
    }

    private List<LocalLimits.Due> awaitDue() throws InterruptedException {
        localLimits.awaitAnyDue();
        return localLimits.takeDue();
    }

    private Request request() throws InterruptedException {
        return awaitDue().get(0).request();
    }

    @Test
    void withoutLimitsJobsNeedNoPermit() {
        assertThat(localLimits.limited(Set.of())).isFalse();
        assertThat(localLimits.none()).isTrue();
        assertThat(localLimits.limiter("mail", "send")).isNull();
    }

    @Test
    void aWorkerThatIsScaledDownReleasesPermits() throws Exception {
        localLimits.limited(Set.of(MAIL));
        request();
        allocated(MAIL, places(8, 8, 0));
        handlers = 3;
        localLimits.scaled();
        Request request = request();
        assertThat(request.share()).isEqualTo(3);
        allocated(MAIL, places(3, 3, 0));
        Limiter limiter = limiter();
        assertThat(List.of(enters(limiter), enters(limiter), enters(limiter), enters(limiter)))
                .containsExactly(true, true, true, false);
        handlers = 6;
        localLimits.idle();
        localLimits.scaled();
        assertThat(request().share()).isEqualTo(6);
    }

    /** A worker that finds a job for its only permit requests more, even if it wanted no more at that moment. */
    @Test
    void aWorkerThatUsesItsOnlyPermitRequestsMore() throws Exception {
        localLimits.limited(Set.of(SEND));
        localLimits.idle();
        request();
        allocated(SEND, places(1, 1, 0));
        Admission.Part part =
                localLimits.plan("mail", List.of("send"), 1, 0).parts().get(0);
        assertThat(part.limit()).isEqualTo(1);
        localLimits.claimed(part, true);
        assertThat(enters(limiter())).isTrue();
        assertThat(request().share()).isEqualTo(8);
    }

    @Test
    void limitsOfOthersDoNotConcernIt() {
        assertThat(localLimits.limited(Set.of(Subject.queue("far"), Subject.kind("mail"))))
                .isFalse();
        assertThat(localLimits.none()).isTrue();
    }

    @Test
    void nothingStartsBeforeTheFirstAllocation() throws Exception {
        assertThat(localLimits.limited(Set.of(MAIL))).isTrue();
        assertThat(localLimits.limited(Set.of(MAIL))).as("no news").isFalse();
        assertThat(enters(limiter())).isFalse();
        assertThat(plan("send")).isEmpty();
        assertThat(localLimits.plan("mail", List.of("send"), 10, 0).isAll()).isFalse();
        assertThat(request()).isEqualTo(new Request(MAIL, 1, true, 0, 1));
    }

    @Test
    void asManyStartAsThereArePermits() {
        localLimits.limited(Set.of(MAIL));
        allocated(MAIL, places(2, 2, 0));
        Limiter limiter = limiter();
        assertThat(enters(limiter)).isTrue();
        assertThat(limiter.free(1)).isEqualTo(1);
        assertThat(enters(limiter)).isTrue();
        assertThat(enters(limiter)).isFalse();
        assertThat(limiter.release()).isFalse();
        assertThat(enters(limiter)).isTrue();
    }

    /** Otherwise each finished job would wake the fetcher, which is about to claim anyway. */
    @Test
    void theFetcherIsWokenOnceUntilItPlansAgain() {
        localLimits.limited(Set.of(MAIL));
        allocated(MAIL, places(4, 4, 0));
        Limiter limiter = limiter();
        Admission.Part part = plan("send").get(0);
        localLimits.claimed(part, true);
        for (int i = 0; i < 4; i++) {
            assertThat(enters(limiter)).isTrue();
        }
        assertThat(limiter.release()).isTrue();
        assertThat(limiter.release()).isFalse();
        assertThat(plan("send")).hasSize(1);
        assertThat(limiter.release()).isTrue();
    }

    @Test
    void aJobGetsThePermitsOfAllItsLimitsOrNone() {
        localLimits.limited(Set.of(MAIL, SEND));
        allocated(MAIL, places(1, 1, 0));
        allocated(SEND, places(5, 5, 0));
        Limiter both = limiter();
        Limiter sends = Objects.requireNonNull(localLimits.limiter("other", "send"));
        assertThat(enters(both)).isTrue();
        for (int i = 0; i < 3; i++) {
            assertThat(enters(both))
                    .as("the queue is full, and the kind must not be charged")
                    .isFalse();
        }
        for (int i = 0; i < 4; i++) {
            assertThat(enters(sends)).isTrue();
        }
        assertThat(enters(sends)).isFalse();
        assertThat(enters(Objects.requireNonNull(localLimits.limiter("mail", "greet"))))
                .isFalse();
        both.release();
        assertThat(enters(Objects.requireNonNull(localLimits.limiter("mail", "greet"))))
                .isTrue();
    }

    @Test
    void aWorkerThatCouldUseMoreRequestsIt() throws Exception {
        localLimits.limited(Set.of(MAIL));
        allocated(MAIL, places(1, 1, 0));
        List<Admission.Part> parts = plan("send", "greet");
        assertThat(parts).containsExactly(new Admission.Part(List.of("send", "greet"), 1, false, List.of(MAIL)));
        localLimits.claimed(parts.get(0), true);
        assertThat(request()).isEqualTo(new Request(MAIL, 8, true, 0, 1));
        localLimits.claimed(parts.get(0), false);
        assertThat(request()).isEqualTo(new Request(MAIL, 1, false, 0, 1));
    }

    @Test
    void permitsThatOthersWantAreReleasedWhenFree() throws Exception {
        localLimits.limited(Set.of(MAIL));
        allocated(MAIL, places(4, 4, 0));
        Limiter limiter = limiter();
        for (int i = 0; i < 4; i++) {
            assertThat(enters(limiter)).isTrue();
        }
        localLimits.claimed(new Admission.Part(List.of("send"), 4, false, List.of(MAIL)), true);
        Request unused = request();
        allocated(MAIL, places(4, 2, 2));
        limiter.release();
        assertThat(enters(limiter)).as("it has decided to go down to 2").isFalse();
        assertThat(request()).as("but it runs 3").isEqualTo(new Request(MAIL, 3, true, 0, 1));
        allocated(MAIL, places(3, 2, 1));
        limiter.release();
        assertThat(request().share()).isEqualTo(2);
        allocated(MAIL, places(2, 2, 1));
        limiter.release();
        assertThat(enters(limiter)).isTrue();
    }

    @Test
    void unusedPermitsAreReleased() throws Exception {
        localLimits.limited(Set.of(MAIL));
        allocated(MAIL, places(4, 4, 3));
        assertThat(limiter().free(1)).as("it has had no chance to use it").isEqualTo(4);
        Delay.quiet(510); // the time in which the worker could have used it
        allocated(MAIL, places(4, 4, 3));
        assertThat(limiter().free(1)).isEqualTo(1);
        assertThat(request()).isEqualTo(new Request(MAIL, 1, false, 0, 1));
    }

    /** The worker's last claim was not full, but it needs its present permits for the claimed jobs. */
    @Test
    void permitsWithJobsAreKept() throws Exception {
        localLimits.limited(Set.of(MAIL));
        localLimits.idle();
        Request unused = request();
        allocated(MAIL, places(1, 1, 0));
        localLimits.claimed(new Admission.Part(List.of("send"), 9, false, List.of(MAIL)), false);
        Limiter limiter = limiter();
        limiter.enqueue(1, 3);
        assertThat(limiter.acquire(1)).isNotEqualTo(Limiter.REFUSED);
        Delay.quiet(510); // the job runs for longer than unused permits are kept
        allocated(MAIL, places(1, 1, 5));
        limiter.release();
        assertThat(limiter.acquire(1)).as("the second of its three").isNotEqualTo(Limiter.REFUSED);
        assertThat(request().share()).isGreaterThanOrEqualTo(1);
    }

    @Test
    void permitsExpire() {
        localLimits.limited(Set.of(MAIL));
        long longAgo = System.nanoTime() - LimitSource.SHARE.toNanos();
        boolean unused = localLimits.allocated(MAIL, places(2, 2, 0), longAgo);
        assertThat(enters(limiter())).isFalse();
        assertThat(plan("send")).isEmpty();
    }

    @Test
    void startsAreUsedOnceAndInTime() {
        localLimits.limited(Set.of(SEND));
        Duration goodFor = Duration.ofSeconds(20);
        allocated(
                SEND,
                new Allocation(true, null, new Starts(2, goodFor, Duration.ofSeconds(1), 2, 2), Duration.ZERO, false));
        Limiter limiter = limiter();
        assertThat(enters(limiter)).isTrue();
        assertThat(enters(limiter)).isTrue();
        assertThat(enters(limiter)).isFalse();
        limiter.release();
        assertThat(enters(limiter)).as("an end gives no start").isFalse();
        boolean unused = localLimits.allocated(
                SEND,
                new Allocation(true, null, new Starts(2, goodFor, Duration.ZERO, 2, 2), Duration.ZERO, false),
                System.nanoTime() - goodFor.toNanos());
        assertThat(enters(limiter)).as("these came too late").isFalse();
    }

    /** For example, on an overloaded machine, where allocations would expire before their response arrives. */
    @Test
    void answersThatTakeLongerThanTheirStartsAreGoodForSlowJobsDownAndDoNotStopThem() throws Exception {
        long trip = TimeUnit.MILLISECONDS.toNanos(150);
        Rate rate = new Rate(50, Duration.ofSeconds(1));
        Bucket bucket = Bucket.of(0, null);
        localLimits.limited(Set.of(SEND));
        Limiter limiter = limiter();
        limiter.enqueue(1, 3);
        int started = 0;
        for (int answers = 0; answers < 10 && started < 3; answers++) {
            Request request = request();
            long now = TimeUnit.NANOSECONDS.toMicros(System.nanoTime());
            Bucket.Allocated deal = bucket.allocate(rate, now, request.starts(), request.largest(), request.goodFor());
            bucket = deal.after();
            boolean unused = localLimits.allocated(
                    SEND, new Allocation(true, null, deal.starts(), Duration.ZERO, false), System.nanoTime() - trip);
            while (started < 3 && limiter.acquire(1) != Limiter.REFUSED) {
                started++;
            }
        }
        assertThat(started).isEqualTo(3);
    }

    @Test
    void jobsOfLimitedKindsAreClaimedBesideTheOthersFromRows() {
        localLimits.limited(Set.of(SEND));
        allocated(SEND, places(3, 3, 0));
        assertThat(plan("send", "greet"))
                .containsExactly(
                        new Admission.Part(List.of("greet"), 10, false, List.of()),
                        new Admission.Part(List.of("send"), 3, true, List.of(SEND)));
        assertThat(plan("send")).containsExactly(new Admission.Part(List.of("send"), 3, false, List.of(SEND)));
        assertThat(localLimits.plan("mail", List.of("send", "greet"), 3, 0).parts())
                .as("no more than there is room for")
                .containsExactly(new Admission.Part(List.of("send", "greet"), 3, false, List.of(SEND)));
    }

    @Test
    void anOutagePausesJobsAtOnceAndIsReported() throws Exception {
        localLimits.unavailable("send", Duration.ofMinutes(1), "the gateway is down");
        assertThat(localLimits.none()).isFalse();
        assertThat(enters(limiter())).isFalse();
        assertThat(limiter().isExhausted()).isTrue();
        List<LocalLimits.Due> due = awaitDue();
        assertThat(due).hasSize(1);
        assertThat(due.get(0).report()).isEqualTo(new LocalLimits.Report(Duration.ofMinutes(1), "the gateway is down"));
    }

    @Test
    void theFirstSuccessAfterAPauseIsReported() throws Exception {
        localLimits.limited(Set.of(SEND));
        allocated(SEND, new Allocation(true, new Permits(1, 1, 0), null, Duration.ZERO, true));
        assertThat(enters(limiter())).isTrue();
        assertThat(enters(limiter())).as("one at a time").isFalse();
        localLimits.available("mail", "send");
        LocalLimits.Due due = awaitDue().get(0);
        assertThat(due.worksAgain()).isTrue();
        localLimits.notReported(due);
        assertThat(awaitDue().get(0).worksAgain())
                .as("it could not be told, so it is told again")
                .isTrue();
    }

    @Test
    void pendingReportsAndRequestsKeepTheWorkerAwake() throws Exception {
        assertThat(localLimits.isSettledSince(System.nanoTime()))
                .as("there are no limits")
                .isTrue();
        long before = System.nanoTime();
        localLimits.unavailable("send", Duration.ofMinutes(1), "the gateway is down");
        localLimits.awaitAnyDue();
        assertThat(localLimits.isSettledSince(before)).as("not taken yet").isFalse();
        assertThat(localLimits.takeDue()).hasSize(1);
        assertThat(localLimits.isSettledSince(before)).isTrue();
        assertThat(localLimits.isSettledSince(System.nanoTime()))
                .as("not asked since")
                .isFalse();
    }

    @Test
    void aLimitThatIsGoneIsForgotten() {
        localLimits.limited(Set.of(SEND));
        allocated(SEND, places(1, 1, 0));
        Limiter limiter = limiter();
        assertThat(enters(limiter)).isTrue();
        allocated(SEND, Allocation.UNLIMITED);
        assertThat(enters(limiter)).isTrue();
        localLimits.limited(Set.of());
        assertThat(localLimits.none()).isTrue();
        limiter.release();
        limiter.release();
    }

    @Test
    void onceClosedItRequestsNothing() throws Exception {
        localLimits.limited(Set.of(SEND));
        localLimits.close();
        assertThat(awaitDue()).isEmpty();
    }
}
