package dev.pawl.internal.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.pawl.api.Outcome;
import dev.pawl.api.WorkerCommand;
import dev.pawl.internal.Delay;
import dev.pawl.internal.store.Duty;
import dev.pawl.internal.store.NextMoment;
import dev.pawl.internal.store.WorkSource;
import dev.pawl.internal.wake.WakeHub;
import java.sql.Connection;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** When an idle worker is suspended, and what resumes it. */
@Execution(ExecutionMode.CONCURRENT)
class EngineSuspensionTest extends EngineFixture {
    private final Post post = new Post();
    private final AtomicInteger asked = new AtomicInteger();
    private volatile @Nullable Duration until;
    private volatile WorkSource source = WorkSource.JOBS;

    EngineSuspensionTest() {
        lease = SHORT_LEASE;
        wakes = new WakeHub(post);
        maxSuspend = Duration.ofHours(1);
        next = (queues, kinds, keyed, declared) -> {
            asked.incrementAndGet();
            Duration wait = until;
            return wait == null ? NextMoment.Moments.NONE : new NextMoment.Moments(Map.of(source, wait));
        };
    }

    /** Notifications of other processes; the test sets whether they arrive. */
    private static final class Post implements WakeHub.Messenger, WakeHub.Subscription {
        volatile boolean connected = true;
        volatile boolean silent;
        volatile WakeHub.@Nullable Receiver receiver;

        @Override
        public void publish(String queue) {}

        @Override
        public void publishOnCommit(Connection connection, String queue) {}

        @Override
        public WakeHub.Subscription subscribe(WakeHub.Receiver listener) {
            receiver = listener;
            return this;
        }

        @Override
        public boolean isConnected() {
            return connected;
        }

        @Override
        public void suspendChecks(boolean wanted) {
            silent = wanted;
        }

        void lose() {
            connected = false;
            WakeHub.Receiver listener = receiver;
            if (listener != null) {
                listener.lost();
            }
        }

        @Override
        public void close() {}
    }

    private void begin() {
        Engine unused = start(1, (payload, run) -> Outcome.completed());
    }

    private void awaitAsleep() throws InterruptedException {
        await(() -> post.silent);
    }

    @Test
    void aWorkerWithoutNotificationsIsNotSuspendedAndOneThatLosesThemResumes() throws Exception {
        post.connected = false;
        begin();
        int claims = store.calls("claim");
        await(() -> store.calls("claim")
                >= claims + 250); // at least five seconds; a worker with notifications stays awake for three
        assertThat(asked.get()).isZero();
        post.connected = true;
        awaitAsleep();
        int before = store.calls("claim");
        post.lose();
        await(() -> store.calls("claim") >= before + 20);
        assertThat(post.silent).isFalse();
        assertThat(store.calls("suspended")).isOne();
    }

    @Test
    void aWorkerIsSuspendedUntilTheNextWorkUnlessThatIsTooSoon() throws Exception {
        until = Duration.ofMillis(1_500);
        begin();
        await(() -> asked.get() == 2);
        assertThat(store.calls("suspended")).as("that was too soon").isZero();
        until = Duration.ofSeconds(2);
        awaitAsleep();
        await(() -> !post.silent);
        assertThat(store.calls("suspended")).isOne();
    }

    @Test
    void theStoreIsNotQueriedDuringSuspensionAndAllDutiesRunAfterIt() throws Exception {
        begin();
        awaitAsleep();
        int calls = store.calls("abandoned");
        int settings = store.calls("claim");
        int beats = store.calls("heartbeat");
        Delay.quiet(1_500); // no event to wait for
        assertThat(store.calls("abandoned")).isEqualTo(calls);
        assertThat(store.calls("claim")).isEqualTo(settings);
        store.add(1, 20);
        wakes.enqueued(Set.of("default"));
        awaitCompleted(1);
        await(() -> store.calls("heartbeat") > beats && store.calls("abandoned") > calls);
    }

    @Test
    void itIsNotSuspendedWhileAHandlerRuns() throws Exception {
        store.add(1, 20);
        Engine engine = start(2, (payload, run) -> block());
        await(() -> begun.size() == 1);
        int claims = store.calls("claim");
        await(() -> store.calls("claim") >= claims + 250);
        assertThat(asked.get()).isZero();
        long ended = System.nanoTime();
        released.countDown();
        awaitAsleep();
        assertThat(System.nanoTime() - ended)
                .as("the time counts from the end of the run")
                .isGreaterThan(IdleSuspend.AWAKE.toNanos());
        assertThat(engine.isAlive()).isTrue();
    }

    /** Another process has left this work, so the worker learns of it only from the database, which it reads before a suspension. */
    @Test
    void dueWorkOfADutyPreventsSuspensionAndIsDone() throws Exception {
        CountedWork counted = new CountedWork();
        source = SOURCE;
        duties = List.of(
                new Duty("do counted work", Duration.ofHours(1), Duty.WhileSuspended.wakesFor(SOURCE), counted));
        until = Duration.ZERO;
        begin();
        await(() -> counted.looks.get() >= 1);
        assertThat(store.calls("suspended")).isZero();
        until = null;
        awaitAsleep();
        int looks = counted.looks.get();
        wakes.changed();
        await(() -> counted.looks.get() > looks);
    }

    private static final WorkSource SOURCE = new WorkSource("SOURCE", WorkSource.By.DUTY);

    private static final class CountedWork implements Duty.Work {
        final AtomicInteger looks = new AtomicInteger();

        @Override
        public void run() {}

        @Override
        public void recheck() {
            looks.incrementAndGet();
        }
    }

    @Test
    void aWorkerNeedsADutyForEachSourceOfWork() {
        next = new NextMoment() {
            @Override
            public Set<WorkSource> sources() {
                return Set.of(WorkSource.JOBS, SOURCE);
            }

            @Override
            public Moments until(
                    Collection<String> queues,
                    Collection<String> kinds,
                    Collection<String> keyed,
                    Collection<String> declared) {
                return Moments.NONE;
            }
        };
        assertThatThrownBy(() -> start(1, (payload, run) -> Outcome.completed()))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("SOURCE")
                .hasMessageNotContaining("JOBS");
    }

    /** Commands may change between two heartbeats: just before the suspension, or during a short time awake. */
    @Test
    void commandsAreReadBeforeSuspension() throws Exception {
        maxConcurrency = 5;
        Engine engine = start(1, (payload, run) -> Outcome.completed());
        store.wanted = 5;
        wakes.changed();
        awaitAsleep();
        assertThat(engine.concurrency()).isEqualTo(5);
        store.command = WorkerCommand.STOP;
        wakes.changed();
        await(() -> !engine.isAlive());
    }

    @Test
    void aQuietWorkerIsNotSuspended() throws Exception {
        store.command = WorkerCommand.QUIET;
        begin();
        // a heartbeat is the last check before a suspension, or the regular duty
        await(() -> store.calls("heartbeat") >= 1);
        int duties = store.calls("abandoned");
        await(() -> store.calls("abandoned") >= duties + 4);
        assertThat(store.calls("suspended")).isZero();
    }

    /** A notification counts even if no thread waits for it, for example during a claim, or because it is not about jobs. */
    @Test
    void notificationsOfAnyKindPreventSuspension() throws Exception {
        begin();
        long told = System.nanoTime();
        await(() -> {
            wakes.changed();
            return System.nanoTime() - told > IdleSuspend.AWAKE.plusSeconds(2).toNanos();
        });
        assertThat(asked).as("it was told all the time").hasValue(0);
        awaitAsleep();
    }

    /** The settings were read a moment earlier, so they do not show the keyed job. */
    @Test
    void keyedJobsAreNoticedBeforeSuspension() throws Exception {
        AtomicReference<Collection<String>> watched = new AtomicReference<>();
        next = (queues, kinds, keyed, declared) -> {
            watched.set(keyed);
            return NextMoment.Moments.NONE;
        };
        begin();
        await(() -> store.calls("settings") >= 1);
        store.keyed = true;
        awaitAsleep();
        assertThat(watched.get()).containsExactly("default");
        assertThat(store.calls("ready")).as("looked through before it slept").isPositive();
    }
}
