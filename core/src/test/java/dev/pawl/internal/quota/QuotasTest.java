package dev.pawl.internal.quota;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.internal.limit.Bucket;
import dev.pawl.internal.store.LimitSource;
import dev.pawl.internal.store.LimitSource.Ask;
import dev.pawl.internal.store.LimitSource.Dealt;
import dev.pawl.internal.store.LimitSource.Places;
import dev.pawl.internal.store.LimitSource.Starts;
import dev.pawl.limit.Rate;
import dev.pawl.limit.Subject;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class QuotasTest {
    private static final Subject MAIL = Subject.queue("mail");
    private static final Subject SEND = Subject.kind("send");

    private int handlers = 8;
    private final Quotas quotas =
            new Quotas(subject -> handlers, Set.of("mail", "other")::contains, Set.of("send", "greet"));

    private static Dealt places(int share, int fair, int wanted) {
        return new Dealt(true, new Places(share, fair, wanted), null, Duration.ZERO, false);
    }

    private void dealt(Subject subject, Dealt dealt) {
        boolean unused = quotas.dealt(subject, dealt, System.nanoTime());
    }

    private Gate gate() {
        return Objects.requireNonNull(quotas.gate("mail", "send"), "a gate");
    }

    /** Adds one waiting job and starts it if allowed. */
    private static boolean enters(Gate gate) {
        gate.joined(1, 1);
        boolean entered = gate.enter(1) != Gate.REFUSED;
        if (!entered) {
            gate.waitsNoMore(1);
        }
        return entered;
    }

    private List<Quotas.Part> plan(String... kinds) {
        return quotas.plan("mail", List.of(kinds), 10, 0).parts();
    }

    private List<Quotas.Due> awaitDue() throws InterruptedException {
        quotas.awaitAnyDue();
        return quotas.takeDue();
    }

    private Ask ask() throws InterruptedException {
        return awaitDue().get(0).ask();
    }

    @Test
    void withoutLimitsEveryJobMayStart() {
        assertThat(quotas.limited(Set.of())).isFalse();
        assertThat(quotas.none()).isTrue();
        assertThat(quotas.gate("mail", "send")).isNull();
    }

    @Test
    void aWorkerWithLessCapacityReleasesPermits() throws Exception {
        quotas.limited(Set.of(MAIL));
        ask();
        dealt(MAIL, places(8, 8, 0));
        handlers = 3;
        quotas.scaled();
        Ask ask = ask();
        assertThat(ask.share()).isEqualTo(3);
        dealt(MAIL, places(3, 3, 0));
        Gate gate = gate();
        assertThat(List.of(enters(gate), enters(gate), enters(gate), enters(gate)))
                .containsExactly(true, true, true, false);
        handlers = 6;
        quotas.idle();
        quotas.scaled();
        assertThat(ask().share()).isEqualTo(6);
    }

    /** A worker with one permit and a job for it requests more, even if it wanted no more before. */
    @Test
    void anExhaustedShareIsReported() throws Exception {
        quotas.limited(Set.of(SEND));
        quotas.idle();
        ask();
        dealt(SEND, places(1, 1, 0));
        Quotas.Part part = quotas.plan("mail", List.of("send"), 1, 0).parts().get(0);
        assertThat(part.limit()).isEqualTo(1);
        quotas.claimed(part, true);
        assertThat(enters(gate())).isTrue();
        assertThat(ask().share()).isEqualTo(8);
    }

    @Test
    void limitsOfOtherQueuesAndKindsDoNotApply() {
        assertThat(quotas.limited(Set.of(Subject.queue("far"), Subject.kind("mail"))))
                .isFalse();
        assertThat(quotas.none()).isTrue();
    }

    @Test
    void nothingStartsBeforeAnAllocation() throws Exception {
        assertThat(quotas.limited(Set.of(MAIL))).isTrue();
        assertThat(quotas.limited(Set.of(MAIL))).as("no news").isFalse();
        assertThat(enters(gate())).isFalse();
        assertThat(plan("send")).isEmpty();
        assertThat(quotas.plan("mail", List.of("send"), 10, 0).isAll()).isFalse();
        assertThat(ask()).isEqualTo(new Ask(MAIL, 1, true, 0, 1));
    }

    @Test
    void asManyJobsStartAsThereArePermits() {
        quotas.limited(Set.of(MAIL));
        dealt(MAIL, places(2, 2, 0));
        Gate gate = gate();
        assertThat(enters(gate)).isTrue();
        assertThat(gate.free(1)).isEqualTo(1);
        assertThat(enters(gate)).isTrue();
        assertThat(enters(gate)).isFalse();
        assertThat(gate.leave()).isFalse();
        assertThat(enters(gate)).isTrue();
    }

    /** Otherwise each finished job would wake the claiming thread, which is about to check anyway. */
    @Test
    void aShortBufferIsReportedOnceUntilTheNextCheck() {
        quotas.limited(Set.of(MAIL));
        dealt(MAIL, places(4, 4, 0));
        Gate gate = gate();
        Quotas.Part part = plan("send").get(0);
        quotas.claimed(part, true);
        for (int i = 0; i < 4; i++) {
            assertThat(enters(gate)).isTrue();
        }
        assertThat(gate.leave()).isTrue();
        assertThat(gate.leave()).isFalse();
        assertThat(plan("send")).hasSize(1);
        assertThat(gate.leave()).isTrue();
    }

    @Test
    void aJobTakesPermitsOfAllItsLimitsOrNone() {
        quotas.limited(Set.of(MAIL, SEND));
        dealt(MAIL, places(1, 1, 0));
        dealt(SEND, places(5, 5, 0));
        Gate both = gate();
        Gate sends = Objects.requireNonNull(quotas.gate("other", "send"));
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
        assertThat(enters(Objects.requireNonNull(quotas.gate("mail", "greet")))).isFalse();
        both.leave();
        assertThat(enters(Objects.requireNonNull(quotas.gate("mail", "greet")))).isTrue();
    }

    @Test
    void aWorkerThatCouldUseMoreRequestsIt() throws Exception {
        quotas.limited(Set.of(MAIL));
        dealt(MAIL, places(1, 1, 0));
        List<Quotas.Part> parts = plan("send", "greet");
        assertThat(parts).containsExactly(new Quotas.Part(List.of("send", "greet"), 1, false, List.of(MAIL)));
        quotas.claimed(parts.get(0), true);
        assertThat(ask()).isEqualTo(new Ask(MAIL, 8, true, 0, 1));
        quotas.claimed(parts.get(0), false);
        assertThat(ask()).isEqualTo(new Ask(MAIL, 1, false, 0, 1));
    }

    @Test
    void requestedPermitsAreReleasedAsSoonAsTheyAreFree() throws Exception {
        quotas.limited(Set.of(MAIL));
        dealt(MAIL, places(4, 4, 0));
        Gate gate = gate();
        for (int i = 0; i < 4; i++) {
            assertThat(enters(gate)).isTrue();
        }
        quotas.claimed(new Quotas.Part(List.of("send"), 4, false, List.of(MAIL)), true);
        Ask unused = ask();
        dealt(MAIL, places(4, 2, 2));
        gate.leave();
        assertThat(enters(gate)).as("it has decided to go down to 2").isFalse();
        assertThat(ask()).as("but it runs 3").isEqualTo(new Ask(MAIL, 3, true, 0, 1));
        dealt(MAIL, places(3, 2, 1));
        gate.leave();
        assertThat(ask().share()).isEqualTo(2);
        dealt(MAIL, places(2, 2, 1));
        gate.leave();
        assertThat(enters(gate)).isTrue();
    }

    @Test
    void unneededPermitsAreReleased() throws Exception {
        quotas.limited(Set.of(MAIL));
        dealt(MAIL, places(4, 4, 3));
        assertThat(gate().free(1)).as("it has had no chance to use it").isEqualTo(4);
        TimeUnit.MILLISECONDS.sleep(510);
        dealt(MAIL, places(4, 4, 3));
        assertThat(gate().free(1)).isEqualTo(1);
        assertThat(ask()).isEqualTo(new Ask(MAIL, 1, false, 0, 1));
    }

    /** Its last claim found fewer jobs than requested, but it needs its permits for those. */
    @Test
    void neededPermitsAreKept() throws Exception {
        quotas.limited(Set.of(MAIL));
        quotas.idle();
        Ask unused = ask();
        dealt(MAIL, places(1, 1, 0));
        quotas.claimed(new Quotas.Part(List.of("send"), 9, false, List.of(MAIL)), false);
        Gate gate = gate();
        gate.joined(1, 3);
        assertThat(gate.enter(1)).isNotEqualTo(Gate.REFUSED);
        TimeUnit.MILLISECONDS.sleep(510); // the duration of its job
        dealt(MAIL, places(1, 1, 5));
        gate.leave();
        assertThat(gate.enter(1)).as("the second of its three").isNotEqualTo(Gate.REFUSED);
        assertThat(ask().share()).isGreaterThanOrEqualTo(1);
    }

    @Test
    void permitsExpire() {
        quotas.limited(Set.of(MAIL));
        long longAgo = System.nanoTime() - LimitSource.SHARE.toNanos();
        boolean unused = quotas.dealt(MAIL, places(2, 2, 0), longAgo);
        assertThat(enters(gate())).isFalse();
        assertThat(plan("send")).isEmpty();
    }

    @Test
    void startsAreUsedOnceAndBeforeTheyExpire() {
        quotas.limited(Set.of(SEND));
        Duration goodFor = Duration.ofSeconds(20);
        dealt(SEND, new Dealt(true, null, new Starts(2, goodFor, Duration.ofSeconds(1), 2, 2), Duration.ZERO, false));
        Gate gate = gate();
        assertThat(enters(gate)).isTrue();
        assertThat(enters(gate)).isTrue();
        assertThat(enters(gate)).isFalse();
        gate.leave();
        assertThat(enters(gate)).as("an end gives no start").isFalse();
        boolean unused = quotas.dealt(
                SEND,
                new Dealt(true, null, new Starts(2, goodFor, Duration.ZERO, 2, 2), Duration.ZERO, false),
                System.nanoTime() - goodFor.toNanos());
        assertThat(enters(gate)).as("these came too late").isFalse();
    }

    /** As on an overloaded machine: an allocation would have expired each time its answer arrives. */
    @Test
    void slowAllocationsSlowJobsDownWithoutStoppingThem() throws Exception {
        long trip = TimeUnit.MILLISECONDS.toNanos(150);
        Rate rate = new Rate(50, Duration.ofSeconds(1));
        Bucket bucket = Bucket.of(0, null);
        quotas.limited(Set.of(SEND));
        Gate gate = gate();
        gate.joined(1, 3);
        int started = 0;
        for (int answers = 0; answers < 10 && started < 3; answers++) {
            Ask ask = ask();
            long now = TimeUnit.NANOSECONDS.toMicros(System.nanoTime());
            Bucket.Deal deal = bucket.deal(rate, now, ask.starts(), ask.largest(), ask.goodFor());
            bucket = deal.after();
            boolean unused = quotas.dealt(
                    SEND, new Dealt(true, null, deal.starts(), Duration.ZERO, false), System.nanoTime() - trip);
            while (started < 3 && gate.enter(1) != Gate.REFUSED) {
                started++;
            }
        }
        assertThat(started).isEqualTo(3);
    }

    @Test
    void jobsOfLimitedKindsAreClaimedBesideTheOthersFromRows() {
        quotas.limited(Set.of(SEND));
        dealt(SEND, places(3, 3, 0));
        assertThat(plan("send", "greet"))
                .containsExactly(
                        new Quotas.Part(List.of("greet"), 10, false, List.of()),
                        new Quotas.Part(List.of("send"), 3, true, List.of(SEND)));
        assertThat(plan("send")).containsExactly(new Quotas.Part(List.of("send"), 3, false, List.of(SEND)));
        assertThat(quotas.plan("mail", List.of("send", "greet"), 3, 0).parts())
                .as("no more than there is room for")
                .containsExactly(new Quotas.Part(List.of("send", "greet"), 3, false, List.of(SEND)));
    }

    @Test
    void anOutagePausesJobsAtOnceAndIsReported() throws Exception {
        quotas.unavailable("send", Duration.ofMinutes(1), "the gateway is down");
        assertThat(quotas.none()).isFalse();
        assertThat(enters(gate())).isFalse();
        assertThat(gate().isShut()).isTrue();
        List<Quotas.Due> due = awaitDue();
        assertThat(due).hasSize(1);
        assertThat(due.get(0).report()).isEqualTo(new Quotas.Report(Duration.ofMinutes(1), "the gateway is down"));
    }

    @Test
    void afterAPauseTheFirstSuccessIsReported() throws Exception {
        quotas.limited(Set.of(SEND));
        dealt(SEND, new Dealt(true, new Places(1, 1, 0), null, Duration.ZERO, true));
        assertThat(enters(gate())).isTrue();
        assertThat(enters(gate())).as("one at a time").isFalse();
        quotas.available("mail", "send");
        Quotas.Due due = awaitDue().get(0);
        assertThat(due.worksAgain()).isTrue();
        quotas.untold(due);
        assertThat(awaitDue().get(0).worksAgain())
                .as("it could not be told, so it is told again")
                .isTrue();
    }

    @Test
    void pendingReportsAndRequestsKeepTheWorkerAwake() throws Exception {
        assertThat(quotas.isSettledSince(System.nanoTime()))
                .as("there are no limits")
                .isTrue();
        long before = System.nanoTime();
        quotas.unavailable("send", Duration.ofMinutes(1), "the gateway is down");
        quotas.awaitAnyDue();
        assertThat(quotas.isSettledSince(before)).as("not taken yet").isFalse();
        assertThat(quotas.takeDue()).hasSize(1);
        assertThat(quotas.isSettledSince(before)).isTrue();
        assertThat(quotas.isSettledSince(System.nanoTime()))
                .as("not asked since")
                .isFalse();
    }

    @Test
    void removedLimitsAreForgotten() {
        quotas.limited(Set.of(SEND));
        dealt(SEND, places(1, 1, 0));
        Gate gate = gate();
        assertThat(enters(gate)).isTrue();
        dealt(SEND, Dealt.UNLIMITED);
        assertThat(enters(gate)).isTrue();
        quotas.limited(Set.of());
        assertThat(quotas.none()).isTrue();
        gate.leave();
        gate.leave();
    }

    @Test
    void aClosedQuotaRequestsNothing() throws Exception {
        quotas.limited(Set.of(SEND));
        quotas.close();
        assertThat(awaitDue()).isEmpty();
    }
}
