package dev.pawl.conformance.contract;

import static dev.pawl.conformance.contract.Fixture.GREET;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.pawl.Worker;
import dev.pawl.WorkerBuilder;
import dev.pawl.admin.JobFilter;
import dev.pawl.api.EnqueueOptions;
import dev.pawl.api.Handlers;
import dev.pawl.api.Job;
import dev.pawl.api.JobState;
import dev.pawl.api.JobType;
import dev.pawl.api.Outcome;
import dev.pawl.conformance.Specified;
import dev.pawl.internal.cluster.WorkerRegistry;
import dev.pawl.internal.limit.SqlLimits;
import dev.pawl.internal.store.Allocation;
import dev.pawl.internal.store.Allocation.Permits;
import dev.pawl.internal.store.Allocation.Starts;
import dev.pawl.internal.store.LimitSource;
import dev.pawl.internal.store.LimitSource.Request;
import dev.pawl.internal.store.Verdict;
import dev.pawl.limit.Limit;
import dev.pawl.limit.LimitInfo;
import dev.pawl.limit.Pause;
import dev.pawl.limit.Subject;
import dev.pawl.servers.Delay;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Limits on concurrency and rate, and outages of what jobs need. */
@Specified
@WhiteBox
interface LimitContract extends Contract {
    JobType<String> OTHER = JobType.of("other", String.class);
    Subject QUEUE = Subject.queue("default");
    Subject KIND = Subject.kind("greet");

    private SqlLimits limits() {
        return new SqlLimits(fixture().database);
    }

    private long newWorker() throws SQLException {
        return new WorkerRegistry(fixture().database)
                .register("another", List.of("default"), List.of("greet"), 1, 1, Map.of());
    }

    private static Permits places(Allocation allocation) {
        return Objects.requireNonNull(allocation.permits(), "places");
    }

    private Permits ask(Subject subject, long worker, int share, boolean wantsMore) throws SQLException {
        return places(limits().allocate(worker, new Request(subject, share, wantsMore, 0, 1)));
    }

    /**
     * The database's clock was set forward: a share that has expired only by this clock still belongs to its holder, which is about to
     * renew it.
     */
    @Test
    default void aShareIsNotTakenFromAWorkerBecauseTheClockWasSetForward() throws Exception {
        fixture().queue.limits().set(Limit.queue("default").atOnce(5));
        assertThat(ask(QUEUE, fixture().worker, 5, true).share()).isEqualTo(5);
        long before = fixture().longOf(fixture().product.clockMicros());
        fixture()
                .execute("UPDATE pawl_permit SET expires_at = "
                        + fixture().product.earlier("expires_at", 3_600));
        long other = newWorker();
        Request ask = new Request(QUEUE, 5, true, 0, 1);
        assertThat(places(limits().allocate(other, ask, before - 3_600_000_000L))
                        .share())
                .isZero();
        assertThat(places(limits().allocate(other, ask, Long.MAX_VALUE)).share())
                .as("expired by every clock")
                .isEqualTo(5);
    }

    private LimitInfo info(Subject subject) {
        return fixture().queue.limits().list().stream()
                .filter(one -> one.limit().subject().equals(subject))
                .findAny()
                .orElseThrow();
    }

    private void enqueue(int jobs) {
        fixture()
                .queue
                .enqueueAll(
                        GREET,
                        IntStream.range(0, jobs).mapToObj(i -> "job " + i).toList());
    }

    @Test
    default void withoutLimitsThereAreNoRows() throws Exception {
        assertThat(fixture().store.settings().limited()).isEmpty();
        assertThat(limits().allocate(fixture().worker, new Request(QUEUE, 1, true, 1, 1)))
                .isEqualTo(Allocation.UNLIMITED);
        assertThat(fixture().queue.limits().list()).isEmpty();
        assertThat(fixture().queue.limits().remove(QUEUE)).isFalse();
        assertThat(fixture().queue.limits().resume(QUEUE)).isFalse();
        assertThat(fixture().longOf("SELECT COUNT(*) FROM pawl_permit")).isZero();
    }

    /** The row is inserted before the transaction that changes it, and stays empty if the program dies between the two. */
    @Test
    default void anEmptyRowOfALimitIsNotShown() throws Exception {
        fixture().execute("INSERT INTO pawl_limit (subject, name) VALUES ('kind', 'greet')");
        assertThat(fixture().queue.limits().list()).isEmpty();
        limits().unavailable(KIND, Duration.ofMinutes(1), "the gateway is down");
        assertThat(Objects.requireNonNull(info(KIND).pause()).reason()).isEqualTo("the gateway is down");
    }

    @Test
    default void limitsAreSetChangedAndRemoved() throws Exception {
        var api = fixture().queue.limits();
        api.set(Limit.queue("default").atOnce(5));
        api.set(Limit.kind("greet").rate(100, Duration.ofMinutes(1)));
        assertThat(fixture().store.settings().limited()).containsExactlyInAnyOrder(QUEUE, KIND);
        assertThat(api.list())
                .extracting(LimitInfo::limit)
                .containsExactly(
                        Limit.queue("default").atOnce(5), Limit.kind("greet").rate(100, Duration.ofMinutes(1)));
        api.set(Limit.queue("default").atOnce(7).rate(3, Duration.ofSeconds(2)));
        assertThat(info(QUEUE).limit())
                .isEqualTo(Limit.queue("default").atOnce(7).rate(3, Duration.ofSeconds(2)));
        assertThat(api.remove(QUEUE)).isTrue();
        assertThat(api.remove(QUEUE)).isFalse();
        assertThatThrownBy(() -> api.set(Limit.queue("default")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("limits nothing");
        assertThat(api.list()).hasSize(1);
    }

    @Test
    default void permitsAreSharedAmongWorkers() throws Exception {
        fixture().queue.limits().set(Limit.queue("default").atOnce(4));
        long first = fixture().worker;
        long second = newWorker();
        assertThat(ask(QUEUE, first, 10, true)).isEqualTo(new Permits(4, 4, 0));
        assertThat(ask(QUEUE, second, 3, true)).isEqualTo(new Permits(0, 0, 6));
        assertThat(info(QUEUE))
                .extracting(LimitInfo::shared, LimitInfo::workers, LimitInfo::waiting)
                .containsExactly(4, 2, 2);
        assertThat(ask(QUEUE, first, 10, true))
                .as("it keeps them until it gives some back")
                .isEqualTo(new Permits(4, 2, 3));
        assertThat(ask(QUEUE, first, 2, true).share()).isEqualTo(2);
        assertThat(ask(QUEUE, second, 3, true).share()).isEqualTo(2);
        fixture().queue.limits().set(Limit.queue("default").atOnce(3));
        assertThat(ask(QUEUE, first, 10, true)).isEqualTo(new Permits(2, 1, 1));
        fixture().queue.limits().set(Limit.queue("default").atOnce(9));
        assertThat(ask(QUEUE, first, 10, true).share()).isEqualTo(4);
    }

    /**
     * The requests are random, with fixed seeds. In any order of them, the workers together never believe that they hold more permits than
     * there are.
     */
    @Test
    default void workersNeverHoldMorePermitsThanTheLimit() throws Exception {
        int places = 5;
        fixture().queue.limits().set(Limit.kind("greet").atOnce(places));
        ExecutorService threads = Executors.newFixedThreadPool(4);
        Map<Long, Integer> believed = Collections.synchronizedMap(new HashMap<>());
        try {
            List<Future<?>> ends = new ArrayList<>();
            for (int i = 0; i < 4; i++) {
                long worker = newWorker();
                Random random = new Random(i);
                ends.add(threads.submit(() -> {
                    int mine = 0;
                    for (int step = 0; step < 40; step++) {
                        int asked = random.nextInt(8);
                        if (asked < mine) {
                            mine = asked;
                            believed.put(worker, mine); // first the worker runs less, then it reports that
                        }
                        mine = Math.min(
                                asked,
                                ask(KIND, worker, asked, random.nextBoolean()).share());
                        synchronized (believed) {
                            believed.put(worker, mine);
                            assertThat(believed.values().stream()
                                            .mapToInt(Integer::intValue)
                                            .sum())
                                    .isLessThanOrEqualTo(places);
                        }
                    }
                    return null;
                }));
            }
            for (Future<?> end : ends) {
                end.get();
            }
        } finally {
            threads.shutdownNow();
        }
    }

    private void shareIsOver(long worker) throws SQLException {
        fixture().execute("UPDATE pawl_permit SET expires_at = NULL WHERE worker_id = " + worker);
    }

    /** A permit belongs to the lease: it lasts as long as the lease, whether or not its worker is alive. */
    @Test
    default void permitsOfADeadWorkerCountUntilItsLeasesExpire() throws Exception {
        fixture().assumeNoTransactionAroundHandlers();
        for (Subject subject : List.of(QUEUE, KIND)) {
            fixture().queue.limits().set(Limit.of(subject).atOnce(3));
        }
        long second = newWorker();
        enqueue(2);
        for (Subject subject : List.of(QUEUE, KIND)) {
            assertThat(ask(subject, fixture().worker, 3, true).share()).isEqualTo(3);
        }
        var claimed = fixture().claim(2);
        assertThat(claimed).hasSize(2);
        shareIsOver(fixture().worker);
        for (Subject subject : List.of(QUEUE, KIND)) {
            assertThat(ask(subject, second, 9, true).share()).isEqualTo(1);
        }
        assertThat(fixture().finish(claimed.get(0).lease(), new Verdict.Completed()))
                .isTrue();
        for (Subject subject : List.of(QUEUE, KIND)) {
            assertThat(ask(subject, second, 9, true).share()).isEqualTo(2);
        }
        assertThat(ask(QUEUE, fixture().worker, 9, true).share())
                .as("it is back, and has what it holds")
                .isEqualTo(1);
        assertThat(fixture().finish(claimed.get(1).lease(), new Verdict.Retry(Duration.ZERO, "failed")))
                .isTrue();
        shareIsOver(fixture().worker);
        assertThat(ask(QUEUE, second, 9, true).share()).isEqualTo(3);
        assertThat(fixture()
                        .longOf("SELECT COUNT(*) FROM pawl_permit WHERE worker_id = " + fixture().worker
                                + " AND subject = 'queue'"))
                .isZero();
    }

    @Test
    default void expiredLeasesCountUntilTheirJobsAreRescued() throws Exception {
        fixture().assumeNoTransactionAroundHandlers();
        fixture().queue.limits().set(Limit.kind("greet").atOnce(1));
        Duration brief = Duration.ofMillis(400);
        enqueue(1);
        assertThat(ask(KIND, fixture().worker, 1, true).share()).isEqualTo(1);
        assertThat(fixture().claim(1, brief)).hasSize(1);
        limits().release(fixture().worker);
        long second = newWorker();
        assertThat(ask(KIND, second, 1, true).share()).isZero();
        fixture().letLeasesExpire(brief);
        assertThat(ask(KIND, second, 1, true).share())
                .as("it may be in an open transaction")
                .isZero();
        Worker rescuer = fixture().newWorker().handle(OTHER, (text, run) -> {}).start();
        try (rescuer) {
            await().atMost(Fixture.SOON).until(() -> ask(KIND, second, 1, true).share() == 1);
        }
    }

    @Test
    default void aFasterRateCountsAtOnce() throws Exception {
        fixture().queue.limits().set(Limit.kind("greet").rate(1, Duration.ofDays(1)));
        while (starts(5).now() > 0) {
            assertThat(info(KIND).nextStart()).isNotNull();
        }
        fixture().queue.limits().set(Limit.kind("greet").rate(1_000, Duration.ofSeconds(1)));
        await().atMost(Fixture.SOON).until(() -> starts(5).now() > 0);
    }

    private Starts starts(int wanted) throws SQLException {
        return Objects.requireNonNull(
                limits().allocate(fixture().worker, new Request(KIND, 1, false, wanted, 1))
                        .starts(),
                "starts");
    }

    @Test
    default void startsAreSharedFairly() throws Exception {
        Duration per = Duration.ofSeconds(1);
        int most = 20;
        fixture().queue.limits().set(Limit.kind("greet").rate(most, per));
        List<Long> asked = new ArrayList<>();
        List<Long> starts = new ArrayList<>();
        long begun = System.nanoTime();
        while (System.nanoTime() - begun < per.toNanos() * 5 / 2) {
            long sent = System.nanoTime();
            Starts allocation = Objects.requireNonNull(
                    limits().allocate(fixture().worker, new Request(KIND, 1, false, 3, 1))
                            .starts(),
                    "starts");
            long now = System.nanoTime();
            if (now - sent < allocation.goodFor().toNanos()) { // expired starts must not be used
                asked.addAll(Collections.nCopies(allocation.now(), sent));
                starts.addAll(Collections.nCopies(allocation.now(), now));
            }
            Delay.quiet(Math.min(allocation.next().toMillis() + 1, 100));
        }
        assertThat(starts.size()).isBetween(most / 2, 5 * most / 2 + 1);
        for (int i = most;
                i < starts.size();
                i++) { // a start was allocated between its times in the two lists, and the clocks may differ a little
            assertThat(starts.get(i) - asked.get(i - most)).isGreaterThan(per.toNanos() * 95 / 100);
        }
        assertThat(info(KIND).shared())
                .as("nothing is written where nothing is counted")
                .isZero();
    }

    @Test
    default void anUnavailableKindIsPausedAndThenProbed() throws Exception {
        long worker = fixture().worker;
        limits().unavailable(KIND, Duration.ofHours(1), "the gateway is down");
        limits().unavailable(KIND, Duration.ofMinutes(9), "the gateway is down, too");
        Allocation held = limits().allocate(worker, new Request(KIND, 4, true, 0, 1));
        assertThat(places(held).share()).isZero();
        assertThat(held.held()).isBetween(Duration.ofNanos(1), Duration.ofHours(1));
        Pause hold = Objects.requireNonNull(info(KIND).pause());
        assertThat(hold.times()).isEqualTo(1);
        assertThat(hold.expired()).isFalse();
        assertThat(hold.reason()).isEqualTo("the gateway is down");
        limits().available(KIND);
        assertThat(info(KIND).pause()).as("its time is not over").isNotNull();
        fixture()
                .execute("UPDATE pawl_limit SET paused_until = "
                        + fixture().product.moment(1));
        await().atMost(Fixture.SOON)
                .until(() -> limits().allocate(worker, new Request(KIND, 4, true, 0, 1))
                        .held()
                        .isZero());
        Allocation trying = limits().allocate(worker, new Request(KIND, 4, true, 0, 1));
        assertThat(trying.trying()).isTrue();
        assertThat(places(trying).share()).as("one at a time").isEqualTo(1);
        assertThat(Objects.requireNonNull(info(KIND).pause()).expired()).isTrue();
        limits().unavailable(KIND, Duration.ofMillis(1), "still");
        assertThat(Objects.requireNonNull(info(KIND).pause()).times()).isEqualTo(2);
        await().atMost(Fixture.SOON).until(() -> {
            limits().available(KIND);
            return limits().allocate(worker, new Request(KIND, 4, true, 0, 1)).equals(Allocation.UNLIMITED);
        });
        assertThat(fixture().queue.limits().list()).isEmpty();
        assertThat(fixture().longOf("SELECT COUNT(*) FROM pawl_permit")).isZero();
    }

    @Test
    default void heldJobsUseNoStarts() throws Exception {
        var api = fixture().queue.limits();
        api.set(Limit.kind("greet").rate(10, Duration.ofMinutes(1)));
        api.pause(KIND, Duration.ofHours(1), "we move the mail server");
        Request ask = new Request(KIND, 4, true, 5, 1);
        assertThat(Objects.requireNonNull(
                                limits().allocate(fixture().worker, ask).starts())
                        .now())
                .isZero();
        assertThat(api.resume(KIND)).isTrue();
        assertThat(Objects.requireNonNull(
                                limits().allocate(fixture().worker, ask).starts())
                        .now())
                .isPositive();
    }

    @Test
    default void usersStartAndEndPauses() {
        var api = fixture().queue.limits();
        api.set(Limit.kind("greet").atOnce(2));
        api.pause(KIND, Duration.ofHours(1), "we move the mail server");
        assertThat(Objects.requireNonNull(info(KIND).pause()).reason()).isEqualTo("we move the mail server");
        assertThat(fixture().admin.maintenance().diagnose())
                .filteredOn(finding -> finding.topic().equals("kind greet"))
                .singleElement()
                .satisfies(finding -> assertThat(finding.message()).contains("we move the mail server"));
        assertThat(api.remove(KIND)).isTrue();
        assertThat(info(KIND).pause()).as("the hold stays").isNotNull();
        assertThat(api.resume(KIND)).isTrue();
        assertThat(api.list()).isEmpty();
        assertThatThrownBy(() -> api.pause(KIND, Duration.ZERO, "")).isInstanceOf(IllegalArgumentException.class);
    }

    /** Counts concurrent handlers. */
    final class Count {
        final AtomicInteger running = new AtomicInteger();
        final AtomicInteger most = new AtomicInteger();
        final AtomicInteger all = new AtomicInteger();

        /** The work of a job. */
        interface Work {
            void run() throws InterruptedException;
        }

        void run(int millis) throws InterruptedException {
            run(() -> Delay.work(millis));
        }

        void run(Work work) throws InterruptedException {
            most.accumulateAndGet(running.incrementAndGet(), Math::max);
            try {
                work.run();
            } finally {
                running.decrementAndGet();
                all.incrementAndGet();
            }
        }
    }

    private WorkerBuilder handling(Count greets, Count others) {
        return fixture()
                .newWorker()
                .concurrency(8)
                .handle(GREET, (text, run) -> greets.run(3))
                .handle(OTHER, (text, run) -> others.run(3));
    }

    private static Worker[] start(int workers, WorkerBuilder builder) {
        return IntStream.range(0, workers).mapToObj(i -> builder.start()).toArray(Worker[]::new);
    }

    private static void stop(Worker... workers) {
        for (Worker worker : workers) {
            worker.close();
        }
    }

    @Test
    default void noMoreOfAKindRunAtOnceInAllWorkers() throws Exception {
        fixture().queue.limits().set(Limit.kind("greet").atOnce(3));
        enqueue(120);
        fixture()
                .queue
                .enqueueAll(OTHER, IntStream.range(0, 100).mapToObj(i -> "x").toList());
        Count greets = new Count();
        Count others = new Count();
        CountDownLatch four = new CountDownLatch(4);
        Worker[] workers = start(
                2,
                fixture()
                        .newWorker()
                        .concurrency(8)
                        .handle(GREET, (text, run) -> greets.run(3))
                        .handle(
                                OTHER,
                                (text, run) -> others.run(() -> {
                                    four.countDown();
                                    boolean unused = four.await(Fixture.SOON.toSeconds(), TimeUnit.SECONDS);
                                })));
        try {
            await().atMost(Fixture.SOON).until(() -> greets.all.get() == 120 && others.all.get() == 100);
        } finally {
            stop(workers);
        }
        assertThat(greets.most.get()).isBetween(1, 3);
        assertThat(others.most.get()).isGreaterThan(3);
        assertThat(fixture().queue.limits().list().get(0).workers())
                .as("they have signed off")
                .isZero();
    }

    @Test
    default void noMoreOfAQueueRunAtOnceInAllWorkers() throws Exception {
        fixture().queue.limits().set(Limit.queue("default").atOnce(4));
        enqueue(150);
        Count greets = new Count();
        Worker[] workers = start(2, handling(greets, greets));
        try {
            await().atMost(Fixture.SOON).until(() -> greets.all.get() == 150);
        } finally {
            stop(workers);
        }
        assertThat(greets.most.get()).isBetween(1, 4);
    }

    @Test
    default void aLimitIsChangedWhileWorkersRun() throws Exception {
        fixture().queue.limits().set(Limit.queue("default").atOnce(1));
        enqueue(200);
        Count greets = new Count();
        Semaphore mayEnd = new Semaphore(0);
        Worker[] workers = start(
                1, fixture().newWorker().concurrency(8).handle(GREET, (text, run) -> greets.run(mayEnd::acquire)));
        try {
            mayEnd.release(6);
            await().atMost(Fixture.SOON).until(() -> greets.all.get() == 6);
            assertThat(greets.most.get()).isEqualTo(1);
            fixture().queue.limits().set(Limit.queue("default").atOnce(6));
            await().atMost(Fixture.SOON).until(() -> greets.most.get() == 6);
            fixture().queue.limits().remove(QUEUE);
            await().atMost(Fixture.SOON).until(() -> greets.most.get() == 8);
        } finally {
            mayEnd.release(200);
            stop(workers);
        }
    }

    /** Costs that are unknown before the claim, and one that exceeds the whole rate. */
    @Test
    default void costlyJobsTakeAsManyStartsAsTheySay() throws Exception {
        int most = 40;
        Duration per = Duration.ofSeconds(1);
        fixture().queue.limits().set(Limit.kind("greet").rate(most, per));
        List<Integer> costs = new ArrayList<>(Collections.nCopies(12, 1));
        costs.addAll(List.of(5, 100, 12));
        Collections.shuffle(costs, new Random(7));
        for (int cost : costs) {
            long id = fixture().enqueue(EnqueueOptions.DEFAULTS.cost(cost));
            assertThat(fixture().job(id).cost()).isEqualTo(cost);
        }
        ConcurrentLinkedQueue<long[]> started = new ConcurrentLinkedQueue<>();
        Worker[] workers = start(
                2,
                fixture()
                        .newWorker()
                        .concurrency(4)
                        .handle(
                                GREET,
                                (text, run) -> started.add(new long[] {
                                    System.nanoTime(), Math.min(most, run.job().cost())
                                })));
        try {
            await().atMost(Fixture.SOON).until(() -> started.size() == costs.size());
        } finally {
            stop(workers);
        }
        List<long[]> all =
                started.stream().sorted(Comparator.comparingLong(one -> one[0])).toList();
        for (int first = 0; first < all.size(); first++) {
            long sum = 0;
            for (long[] one : all.subList(first, all.size())) {
                if (one[0] - all.get(first)[0]
                        < per.toNanos() * 95 / 100) { // a clock other than the database's may be a little off
                    sum += one[1];
                }
            }
            assertThat(sum).as("starts from the %d. on", first).isLessThanOrEqualTo(most);
        }
        assertThatThrownBy(() -> EnqueueOptions.DEFAULTS.cost(0))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("cost");
        assertThatThrownBy(() -> EnqueueOptions.DEFAULTS.header("pawl-cost", "3"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("reserved");
    }

    /** This holds however many throttled jobs come first in the order of claims. */
    @Test
    default void throttledJobsDelayNoOthers() throws Exception {
        fixture().queue.limits().set(Limit.kind("greet").rate(1, Duration.ofHours(1)));
        enqueue(3_000);
        fixture()
                .queue
                .enqueueAll(OTHER, IntStream.range(0, 50).mapToObj(i -> "x").toList());
        Count greets = new Count();
        Count others = new Count();
        Worker[] workers = start(1, handling(greets, others));
        try {
            await().atMost(Fixture.SOON).until(() -> others.all.get() == 50);
        } finally {
            stop(workers);
        }
        assertThat(greets.all.get()).isLessThanOrEqualTo(1);
        assertThat(fixture()
                        .admin
                        .jobs()
                        .list(JobFilter.ALL
                                .kind("greet")
                                .state(JobState.AVAILABLE)
                                .limit(10_000)))
                .as("none lost an attempt")
                .hasSizeGreaterThanOrEqualTo(2_999)
                .allMatch(job -> job.attempt() == 0);
    }

    @Test
    default void anOutageOfAKindCostsNoAttempts() throws Exception {
        AtomicBoolean down = new AtomicBoolean(true);
        AtomicInteger calls = new AtomicInteger();
        List<Long> ids = new ArrayList<>();
        for (int i = 0; i < 40; i++) {
            ids.add(fixture().enqueue(EnqueueOptions.DEFAULTS.maxAttempts(2)));
        }
        CountDownLatch others = new CountDownLatch(10);
        for (int i = 0; i < 10; i++) {
            var unused = fixture().queue.enqueue(OTHER, "x");
        }
        Worker[] workers = start(
                2,
                fixture()
                        .newWorker()
                        .concurrency(4)
                        .handle(GREET, Handlers.completing((text, run) -> {
                            calls.incrementAndGet();
                            return down.get()
                                    ? Outcome.unavailable(Duration.ofMillis(500), "the gateway is down")
                                    : Outcome.completed();
                        }))
                        .handle(OTHER, (text, run) -> others.countDown()));
        try {
            assertThat(others.await(Fixture.SOON.toSeconds(), TimeUnit.SECONDS)).isTrue();
            await().atMost(Fixture.SOON).until(() -> {
                List<LimitInfo> all = fixture().queue.limits().list();
                Pause hold = all.isEmpty() ? null : all.get(0).pause();
                return hold != null && hold.times() >= 2;
            });
            int before = calls.get();
            down.set(false);
            await().atMost(Fixture.SOON)
                    .until(() -> ids.stream().allMatch(id -> fixture().job(id).state() == JobState.COMPLETED));
            assertThat(before).as("calls while it was down").isLessThan(40);
            await().atMost(Fixture.SOON)
                    .until(() -> fixture().queue.limits().list().isEmpty());
        } finally {
            stop(workers);
        }
        assertThat(fixture().admin.jobs().list(JobFilter.ALL.kind("greet").limit(100)))
                .extracting(Job::attempt)
                .containsOnly(1);
    }

    /** Jobs that reported the outage wait for the end of the pause and no longer, so ending the pause releases them, too. */
    @Test
    default void endingAPauseReleasesTheJobsThatReportedTheOutage() {
        AtomicBoolean down = new AtomicBoolean(true);
        AtomicInteger calls = new AtomicInteger();
        enqueue(12);
        Worker[] workers =
                start(1, fixture().newWorker().concurrency(4).handle(GREET, Handlers.completing((text, run) -> {
                    calls.incrementAndGet();
                    return down.get() ? Outcome.unavailable(Duration.ofHours(6), "it is down") : Outcome.completed();
                })));
        try {
            await().atMost(Fixture.SOON)
                    .until(() -> fixture().queue.limits().list().stream().anyMatch(one -> one.pause() != null));
            await().during(Duration.ofMillis(5_500)).atMost(Fixture.SOON).until(() -> calls.get() <= 4);
            down.set(false);
            assertThat(fixture().queue.limits().resume(KIND)).isTrue();
            await().atMost(Fixture.SOON)
                    .until(() -> fixture()
                                    .admin
                                    .jobs()
                                    .list(JobFilter.ALL.kind("greet").state(JobState.COMPLETED))
                                    .size()
                            == 12);
        } finally {
            stop(workers);
        }
        assertThat(calls.get()).as("no attempts during the pause").isLessThanOrEqualTo(16);
    }

    /** For each call of an allocation, the connection is lost once before this call and once after it. Then the allocation is repeated. */
    @Test
    default void aFailedAllocationExceedsNoLimit() throws Exception {
        fixture().queue.limits().set(Limit.queue("default").atOnce(4).rate(1_000, Duration.ofSeconds(1)));
        long second = newWorker();
        LimitSource other = limits();
        for (FailingCalls.When when : FailingCalls.When.values()) {
            boolean failed = true;
            for (int call = 1; failed; call++) {
                assertThat(call).isLessThan(100);
                FailingCalls calls = new FailingCalls(fixture().pool);
                SqlLimits failing = new SqlLimits(new dev.pawl.internal.jdbc.Database(
                        calls.dataSource(), fixture().database.dialect()));
                ask(QUEUE, fixture().worker, 1, false);
                calls.arm(call, when);
                try {
                    failing.allocate(fixture().worker, new Request(QUEUE, 3, true, 5, 1));
                } catch (SQLException e) {
                    assertThat(fixture().store.isTransient(e)).as("%s", e).isTrue();
                }
                failed = calls.lost() != null;
                calls.disarm();
                int mine = ask(QUEUE, fixture().worker, 3, true).share();
                int others = places(other.allocate(second, new Request(QUEUE, 4, true, 0, 1), Long.MAX_VALUE))
                        .share();
                assertThat(mine + others).as("%s call %d", when, call).isLessThanOrEqualTo(4);
                ask(QUEUE, second, 0, false);
            }
        }
    }
}
