package dev.pawl.internal.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.pawl.api.EnqueueOptions;
import dev.pawl.api.JobRequest;
import dev.pawl.api.Strategy;
import dev.pawl.internal.store.Declaration;
import dev.pawl.internal.wake.WakeHub;
import dev.pawl.schedule.Missed;
import dev.pawl.schedule.Overlap;
import dev.pawl.schedule.Recurrence;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class TimekeeperTest {
    private final FakeStore store = new FakeStore();
    private final WakeHub wakes = new WakeHub(WakeHub.localMessenger());

    private final AtomicLong nanos = new AtomicLong();

    private Timekeeper timekeeper(List<Declaration> declared) {
        return timekeeper(declared, false);
    }

    private Timekeeper timekeeper(List<Declaration> declared, boolean onlyDeclared) {
        return new Timekeeper(
                store,
                new Strategies(
                        store,
                        Strategy.SKIP_LOCKED,
                        false,
                        settings -> {},
                        new ServerClock("test", Duration.ofMinutes(1))),
                new Timekeeper.Declared(declared, onlyDeclared, queue -> true),
                wakes,
                store.health(),
                nanos::get);
    }

    /** Ticks and reconciles every ten seconds. */
    private void goOn(Timekeeper timekeeper, Duration length) throws SQLException {
        for (long left = length.toSeconds(); left > 0; left -= 10) {
            nanos.addAndGet(Duration.ofSeconds(10).toNanos());
            timekeeper.tick();
            timekeeper.reconcile();
        }
    }

    private static Declaration schedule(String name) {
        return new Declaration(
                name,
                new JobRequest("greet", "1", EnqueueOptions.DEFAULTS),
                Recurrence.cron("@hourly"),
                Missed.ONCE,
                Overlap.SKIP,
                null);
    }

    @Test
    void withoutSchedulesOnlyTheSettingsAreRead() throws Exception {
        Timekeeper timekeeper = timekeeper(List.of());
        for (int i = 0; i < 3; i++) {
            timekeeper.tick();
        }
        assertThat(store.calls("settings")).isEqualTo(1);
        assertThat(store.calls("processDue")).isZero();
        assertThat(store.calls("declare")).isZero();
    }

    @Test
    void declaredSchedulesAreWrittenOnce() throws Exception {
        Timekeeper timekeeper = timekeeper(List.of(schedule("a"), schedule("b")));
        timekeeper.tick();
        timekeeper.tick();
        assertThat(store.declared()).containsExactly("a", "b");
        assertThat(store.calls("processDue")).as("one of the others may be due").isEqualTo(1);
    }

    @Test
    void whileAnotherReleaseDeclaresItOtherwiseTheWorkerIsNotSuspended() throws Exception {
        store.overridden = true;
        Timekeeper timekeeper = timekeeper(List.of(schedule("a")));
        timekeeper.tick();
        assertThat(store.calls("reconcile")).isEqualTo(1);
        assertThat(timekeeper.isSettled()).isFalse();
        store.overridden = false;
        assertThat(timekeeper.reconcile()).isFalse();
        assertThat(timekeeper.isSettled()).isTrue();
        assertThat(store.calls("removeUndeclared"))
                .as("no code has asked for that")
                .isZero();
    }

    /** Until the next heartbeats all workers look dead, and a reconciliation would remove their declarations. */
    @Test
    void schedulesOfOtherWorkersStayWhenTheClockWasSetForward() throws Exception {
        Timekeeper timekeeper = timekeeper(List.of(schedule("a")));
        timekeeper.tick();
        int before = store.calls("reconcile");
        store.jump(Duration.ofHours(1));
        assertThat(timekeeper.reconcile()).isFalse();
        assertThat(store.calls("reconcile")).isEqualTo(before);
    }

    /**
     * Regression: a cluster lost its schedules. No worker could write for a minute, so all workers looked dead to the first that could
     * write again.
     */
    @Test
    void afterAnOutageWorkersHaveTimeToSayThatTheyLive() throws Exception {
        Timekeeper timekeeper = timekeeper(List.of(schedule("a")), true);
        goOn(timekeeper, Duration.ofSeconds(50));
        assertThat(store.calls("removeUndeclared")).isZero();
        goOn(timekeeper, Duration.ofSeconds(20));
        assertThat(store.calls("removeUndeclared")).isPositive();

        int before = store.calls("removeUndeclared");
        nanos.addAndGet(Duration.ofMinutes(2).toNanos());
        goOn(timekeeper, Duration.ofSeconds(50));
        assertThat(store.calls("removeUndeclared")).isEqualTo(before);
        assertThat(store.declared())
                .as("another worker may have believed that this one was dead")
                .containsExactly("a", "a");
        goOn(timekeeper, Duration.ofSeconds(20));
        assertThat(store.calls("removeUndeclared")).isGreaterThan(before);
    }

    @Test
    void afterAJumpOfTheClockWorkersHaveTimeToSayThatTheyLive() throws Exception {
        Timekeeper timekeeper = timekeeper(List.of(), true);
        goOn(timekeeper, Duration.ofSeconds(50));
        store.jump(Duration.ofMinutes(10));
        goOn(timekeeper, Duration.ofSeconds(50));
        assertThat(store.calls("removeUndeclared")).isZero();
    }

    @Test
    void aSuspensionDoesNotCountAsAGap() throws Exception {
        Timekeeper timekeeper = timekeeper(List.of(schedule("a")), true);
        goOn(timekeeper, Duration.ofSeconds(50));
        nanos.addAndGet(Duration.ofMinutes(2).toNanos());
        timekeeper.resumed();
        goOn(timekeeper, Duration.ofSeconds(10));
        assertThat(store.calls("removeUndeclared")).isPositive();
        assertThat(store.declared()).containsExactly("a");
    }

    @Test
    void ticksDoNotWaitUntilThousandsAreDeclared() throws Exception {
        List<Declaration> many = new ArrayList<>();
        for (int i = 0; i < 2 * Timekeeper.MAX_DECLARED + 1; i++) {
            many.add(schedule("schedule-" + i));
        }
        Timekeeper timekeeper = timekeeper(many);
        for (int round = 1; round <= 3; round++) {
            assertThat(timekeeper.isSettled()).isFalse();
            timekeeper.tick();
            assertThat(store.declared()).hasSize(Math.min(round * Timekeeper.MAX_DECLARED, many.size()));
            assertThat(store.calls("processDue")).isEqualTo(round);
        }
        assertThat(timekeeper.isSettled()).isTrue();
    }

    /** Code of the application computes the excluded days, and may fail in any way. */
    static List<Throwable> failures() {
        return List.of(
                new SQLException("the database is away"),
                new IllegalStateException("its days are unknown"),
                new StackOverflowError(),
                new NoClassDefFoundError("com/example/Holidays"));
    }

    @ParameterizedTest
    @MethodSource("failures")
    void aScheduleThatCannotBeDeclaredDelaysNoOther(Throwable failure) throws Exception {
        Timekeeper timekeeper = timekeeper(List.of(schedule("a"), schedule("b")));
        store.fail("declare", 1, failure);
        timekeeper.tick();
        assertThat(timekeeper.isSettled()).as("it is told again later").isFalse();
        assertThat(store.declared()).containsExactly("b");
        assertThat(store.calls("processDue")).isEqualTo(1);
        timekeeper.tick();
        assertThat(store.calls("declare")).as("not at once").isEqualTo(2);
    }

    @Test
    void aDueTickIsProcessedAndItsQueueIsWoken() throws Exception {
        List<String> woken = new ArrayList<>();
        wakes.add(new WakeHub.Sleeper() {
            @Override
            public void wake(String queue) {
                woken.add(queue);
            }

            @Override
            public void expect(String queue) {}
        });
        store.tickIn(Duration.ofMillis(-5));
        Timekeeper timekeeper = timekeeper(List.of());
        timekeeper.tick();
        assertThat(store.calls("processDue")).isEqualTo(1);
        assertThat(woken).containsExactly("default");
    }

    @Test
    void aDatabaseThatIsAwayIsNotAskedAgainAtOnce() throws Exception {
        Timekeeper timekeeper = timekeeper(List.of());
        store.fail("settings", 1, new SQLException("away"));
        assertThatThrownBy(timekeeper::tick).hasMessage("away");
        timekeeper.tick();
        assertThat(store.calls("settings")).isEqualTo(1);
    }

    @Test
    void aTickThatIsNotDueCostsNothing() throws Exception {
        store.tickIn(Duration.ofDays(400));
        Timekeeper timekeeper = timekeeper(List.of());
        timekeeper.tick();
        timekeeper.tick();
        assertThat(store.calls("processDue")).isZero();
    }
}
