package dev.pawl.conformance.contract;

import static dev.pawl.conformance.contract.Fixture.GREET;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.zaxxer.hikari.HikariDataSource;
import dev.pawl.JobQueue;
import dev.pawl.Worker;
import dev.pawl.admin.JobFilter;
import dev.pawl.api.EnqueueOptions;
import dev.pawl.api.EnqueueResult;
import dev.pawl.api.Handlers;
import dev.pawl.api.Job;
import dev.pawl.api.JobRequest;
import dev.pawl.api.JobState;
import dev.pawl.api.Outcome;
import dev.pawl.api.Retention;
import dev.pawl.api.Tick;
import dev.pawl.codec.EncryptedCodec;
import dev.pawl.codec.JacksonCodec;
import dev.pawl.conformance.Specified;
import dev.pawl.internal.assembly.Databases;
import dev.pawl.internal.assembly.SqlJobStore;
import dev.pawl.internal.cluster.WorkerRegistry;
import dev.pawl.internal.database.DatabaseProduct;
import dev.pawl.internal.jdbc.Database;
import dev.pawl.internal.schedule.SqlSchedules;
import dev.pawl.internal.store.Declaration;
import dev.pawl.internal.store.TickSource;
import dev.pawl.internal.store.Verdict;
import dev.pawl.schedule.Missed;
import dev.pawl.schedule.Overlap;
import dev.pawl.schedule.Recurrence;
import dev.pawl.schedule.Schedule;
import dev.pawl.schedule.ScheduleInfo;
import dev.pawl.schedule.ScheduleInfo.Origin;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Recurring jobs. Where the time of a tick matters, the schedule's row is set back, so that no test waits for an hour. */
@Specified
@WhiteBox
interface ScheduleContract extends Contract {
    Recurrence HOURLY = Recurrence.cron("@hourly");

    private SqlSchedules schedules() {
        return new SqlSchedules(fixture().database, fixture().store);
    }

    private static Schedule<String> hourly() {
        return Schedule.of("hourly", GREET, "x", HOURLY);
    }

    /** A schedule that has no ticks of its own between those that a test sets. An hourly schedule could have one. */
    private static Schedule<String> seldom() {
        return Schedule.of("hourly", GREET, "x", Recurrence.cron("0 0 29 2 *"));
    }

    private void add(Schedule<String> schedule) {
        assertThat(fixture().queue.schedules().add(schedule)).isTrue();
    }

    private ScheduleInfo info(String name) {
        return fixture().queue.schedules().find(name).orElseThrow();
    }

    private Instant nextAt(String name) {
        return Objects.requireNonNull(info(name).nextAt(), "it rests");
    }

    /** Sets the row back as if the next tick had been due this long ago. */
    private void setBack(String name, Duration ago) throws SQLException {
        Instant next = info(name).nextAt();
        Instant past = (next == null ? now() : next).minus(ago);
        set(name, past);
    }

    private void set(String name, Instant next) throws SQLException {
        String moment = fixture().database.dialect().moment();
        String sql = fixture()
                .database
                .dialect()
                .sql("UPDATE pawl_schedule SET next_at = " + moment + ", next_check_at = " + moment
                        + ", revision = revision + 1 WHERE name = ?");
        int changed = fixture().database.transaction(connection -> {
            try (PreparedStatement statement = connection.prepareStatement(sql)) {
                fixture().database.dialect().bind(statement, 1, next);
                fixture().database.dialect().bind(statement, 2, next);
                statement.setString(3, name);
                return statement.executeUpdate();
            }
        });
        assertThat(changed).isEqualTo(1);
    }

    private Instant now() throws SQLException {
        return Instant.EPOCH.plus(
                fixture().longOf(fixture().product.clockMicros()), java.time.temporal.ChronoUnit.MICROS);
    }

    private TickSource.Processed processDue() throws SQLException {
        return schedules().processDue(List.of());
    }

    private List<Job> jobs() {
        return fixture().admin.jobs().list(JobFilter.ALL);
    }

    private void finishAll() throws SQLException {
        for (var grant : fixture().claim(10)) {
            assertThat(fixture().finish(grant.lease(), new Verdict.Completed())).isTrue();
        }
        fixture().sweepMarked();
    }

    private List<Tick.Outcome> outcomes(String name) {
        return fixture().queue.schedules().ticks(name, 100).stream()
                .map(Tick::outcome)
                .toList();
    }

    @Test
    default void aTickThatIsDueBecomesOneJobAndTheNextFollowsFromIt() throws Exception {
        add(hourly().options(EnqueueOptions.DEFAULTS
                .priority(5)
                .maxAttempts(2)
                .tags("a")
                .header("h", "1")));
        assertThat(processDue().queues()).isEmpty();
        assertThat(processDue().next().orElseThrow()).isBetween(Duration.ZERO, Duration.ofHours(1));
        Instant tick = nextAt("hourly");
        setBack("hourly", Duration.ofHours(1));
        tick = tick.minus(Duration.ofHours(1));
        assertThat(processDue().queues()).containsExactly("default");
        assertThat(processDue().queues()).isEmpty();
        Instant expected = tick;
        assertThat(jobs()).singleElement().satisfies(job -> {
            assertThat(job.kind()).isEqualTo("greet");
            assertThat(job.payload()).isEqualTo("\"x\"");
            assertThat(job.priority()).isEqualTo(5);
            assertThat(job.maxAttempts()).isEqualTo(2);
            assertThat(job.tags()).containsExactly("a");
            assertThat(job.headers())
                    .isEqualTo(Map.of("h", "1", "pawl-schedule", "hourly", "pawl-tick", expected.toString()));
        });
        ScheduleInfo after = info("hourly");
        assertThat(after.lastTick()).isEqualTo(tick);
        assertThat(after.nextAt()).isEqualTo(tick.plus(Duration.ofHours(1)));
        assertThat(after.lastJobId()).isEqualTo(jobs().get(0).id());
        assertThat(fixture().queue.schedules().ticks("hourly", 10))
                .singleElement()
                .satisfies(one -> {
                    assertThat(one.tick()).isEqualTo(expected);
                    assertThat(one.outcome()).isEqualTo(Tick.Outcome.ENQUEUED);
                    assertThat(one.jobId()).isEqualTo(jobs().get(0).id());
                    assertThat(one.checkedAt()).isAfterOrEqualTo(expected);
                });
    }

    @Test
    default void theLatestMissedTickIsMadeUpFor() throws Exception {
        add(hourly());
        Instant next = nextAt("hourly");
        setBack("hourly", Duration.ofHours(50));
        processDue();
        assertThat(jobs()).hasSize(1);
        assertThat(info("hourly").lastTick()).isEqualTo(next.minus(Duration.ofHours(1)));
        assertThat(info("hourly").nextAt()).isEqualTo(next);
    }

    @Test
    default void missedTicksMayBeSkipped() throws Exception {
        add(Schedule.of("rare", GREET, "x", Recurrence.every(Duration.ofDays(2)))
                .missed(Missed.SKIP));
        Instant next = nextAt("rare");
        setBack("rare", Duration.ofDays(3));
        processDue();
        assertThat(jobs()).isEmpty();
        assertThat(outcomes("rare")).containsExactly(Tick.Outcome.MISSED);
        assertThat(info("rare").nextAt()).isEqualTo(next.minus(Duration.ofDays(1)));
    }

    @Test
    default void allMissedTicksMayBeMadeUpFor() throws Exception {
        add(hourly().missed(Missed.all(3)).overlap(Overlap.ALLOW)); // in either order
        Instant next = nextAt("hourly");
        setBack("hourly", Duration.ofHours(50));
        processDue();
        assertThat(jobs())
                .extracting(job -> job.headers().get("pawl-tick"))
                .containsExactly(
                        next.minus(Duration.ofHours(1)).toString(),
                        next.minus(Duration.ofHours(2)).toString(),
                        next.minus(Duration.ofHours(3)).toString());
        assertThat(info("hourly").nextAt()).isEqualTo(next);
        assertThatThrownBy(() -> add(hourly().missed(Missed.all(3))))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("up to 3 missed ticks would overlap");
    }

    @Test
    default void aTickIsLeftOutWhileTheLastJobHasNotEnded() throws Exception {
        add(seldom());
        set("hourly", now().minus(Duration.ofMinutes(3)));
        processDue();
        set("hourly", now().minus(Duration.ofMinutes(2)));
        processDue();
        assertThat(jobs()).hasSize(1);
        assertThat(outcomes("hourly")).containsExactlyInAnyOrder(Tick.Outcome.ENQUEUED, Tick.Outcome.OVERLAPPED);
        finishAll();
        set("hourly", now().minus(Duration.ofMinutes(1)));
        processDue();
        assertThat(jobs()).hasSize(2);
    }

    /** For example, after the database's clock was set back. */
    @Test
    default void aProcessedTickIsSkipped() throws Exception {
        add(seldom());
        Instant past = now().minus(Duration.ofSeconds(5));
        set("hourly", past);
        processDue();
        finishAll();
        set("hourly", past);
        processDue();
        assertThat(jobs()).hasSize(1);
        assertThat(info("hourly").nextAt()).isAfter(now());
    }

    @Test
    default void aTickMayWaitForTheEndOfTheLastJob() throws Exception {
        add(seldom().overlap(Overlap.QUEUE).missed(Missed.SKIP));
        set("hourly", now().minus(Duration.ofSeconds(2)));
        processDue();
        assertThat(jobs()).hasSize(1);
        set("hourly", now().minus(Duration.ofSeconds(1)));
        assertThat(processDue().next().orElseThrow()).as("the next check").isLessThan(Duration.ofSeconds(2));
        assertThat(jobs()).hasSize(1);
        set("hourly", now().minus(Duration.ofMinutes(5))); // however long the job takes, the tick was not missed
        finishAll();
        await().atMost(Fixture.SOON).until(() -> {
            processDue();
            return jobs().size() == 2;
        });
        assertThat(info("hourly").nextAt()).isAfter(now());
    }

    @Test
    default void ticksMayOverlap() throws Exception {
        add(seldom().overlap(Overlap.ALLOW));
        for (int i = 1; i <= 3; i++) {
            set("hourly", now().minus(Duration.ofMinutes(i)));
            processDue();
        }
        assertThat(jobs()).hasSize(3);
    }

    @Test
    default void aPauseIsCountedFromTheEndOfTheLastRun() throws Exception {
        add(Schedule.of("pause", GREET, "x", Recurrence.after(Duration.ofSeconds(2))));
        processDue();
        assertThat(jobs()).as("the first comes at once").hasSize(1);
        assertThat(info("pause").nextAt()).isNull();
        Instant before = now();
        finishAll();
        Instant ended = now();
        await().atMost(Fixture.SOON).until(() -> {
            processDue();
            return jobs().size() == 2;
        });
        assertThat(info("pause").lastTick())
                .isBetween(
                        before.plusSeconds(2).minusMillis(10),
                        ended.plusSeconds(2).plusMillis(10));
    }

    @Test
    default void someDaysMayBeExcluded() throws Exception {
        LocalDate today = now().atZone(ZoneOffset.UTC).toLocalDate();
        Predicate<LocalDate> holidays = day -> !day.isAfter(today.plusDays(2));
        Schedule<String> schedule = hourly().excluding(holidays);
        assertThatThrownBy(() -> fixture().queue.schedules().add(schedule))
                .hasMessageContaining("needs code of a program");
        Declaration declaration = declaration(schedule.recurrence(), holidays);
        schedules().declare(declaration);
        assertThat(info("hourly").nextAt())
                .isEqualTo(today.plusDays(3).atStartOfDay(ZoneOffset.UTC).toInstant());
        set("hourly", now().minus(Duration.ofMinutes(5)));
        assertThat(schedules().processDue(List.of()).queues())
                .as("a program without its excluded days")
                .isEmpty();
        assertThat(schedules().processDue(List.of(declaration(HOURLY, null))).queues())
                .as("nor a release of before they were excluded")
                .isEmpty();
        assertThat(jobs()).isEmpty();
        schedules().processDue(List.of(declaration));
        assertThat(jobs()).as("not on a holiday").isEmpty();
        assertThat(info("hourly").nextAt())
                .isEqualTo(today.plusDays(3).atStartOfDay(ZoneOffset.UTC).toInstant());
    }

    @Test
    default void aPauseGoesOnWhenTheExcludedDaysAreOver() throws Exception {
        LocalDate today = now().atZone(ZoneOffset.UTC).toLocalDate();
        Declaration weekly = declaration(Recurrence.after(Duration.ofDays(7)), day -> !day.isAfter(today.plusDays(1)));
        schedules().declare(weekly);
        assertThat(nextAt("hourly"))
                .isEqualTo(today.plusDays(2).atStartOfDay(ZoneOffset.UTC).toInstant());
        set("hourly", now().minusSeconds(1));
        schedules().processDue(List.of(weekly));
        assertThat(jobs()).isEmpty();
        assertThat(nextAt("hourly"))
                .isEqualTo(today.plusDays(2).atStartOfDay(ZoneOffset.UTC).toInstant());
    }

    @Test
    default void theLastTickBeforeAllDaysAreExcludedGetsItsJob() throws Exception {
        Instant tick = now().minusSeconds(5);
        LocalDate last = tick.atZone(ZoneOffset.UTC).toLocalDate();
        schedules().declare(declaration(Recurrence.every(Duration.ofDays(1)), null));
        Declaration ended = declaration(Recurrence.every(Duration.ofDays(1)), day -> day.isAfter(last));
        schedules().declare(ended);
        set("hourly", tick);
        schedules().processDue(List.of(ended));
        assertThat(jobs()).hasSize(1);
        assertThat(info("hourly").nextAt()).isNull();
        assertThat(schedules().processDue(List.of(ended)).next()).isEmpty();
        assertThatThrownBy(() -> schedules()
                        .declare(new Declaration("never", ended.job(), HOURLY, Missed.ONCE, Overlap.SKIP, day -> true)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("'never' is never due");
    }

    @Test
    default void aPauseThatIsChangedIsCountedFromTheEndOfTheLastRun() throws Exception {
        add(Schedule.of("pause", GREET, "x", Recurrence.after(Duration.ofSeconds(30))));
        processDue();
        finishAll();
        assertThat(fixture().queue.schedules().change("pause", Recurrence.after(Duration.ofHours(1))))
                .isTrue();
        processDue();
        assertThat(jobs()).hasSize(1);
        assertThat(nextAt("pause"))
                .isBetween(
                        now().plus(Duration.ofMinutes(59)),
                        now().plus(Duration.ofHours(1)).plusMillis(10));
        fixture().queue.schedules().pause("pause");
        fixture().queue.schedules().resume("pause");
        processDue();
        assertThat(jobs()).hasSize(1);
    }

    @Test
    default void schedulesThatOnlyOthersCanProcessDelayNoOthers() throws Exception {
        manyArePast(day -> day.getDayOfYear() == 400);
        add(hourly());
        set("hourly", now().minusSeconds(1));
        assertThat(processDue().queues()).containsExactly("default");
        assertThat(jobs()).hasSize(1);
    }

    @Test
    default void schedulesThatFailHereDelayNoOthers() throws Exception {
        manyArePast(null);
        fixture().execute("UPDATE pawl_schedule SET recurrence = '0 3 * * * in Europe/Atlantis'");
        add(hourly());
        set("hourly", now().minusSeconds(1));
        assertThat(processDue().queues()).containsExactly("default");
        assertThat(jobs()).hasSize(1);
    }

    @Test
    default void aFailedScheduleIsLeftToOthersForAWhile() throws Exception {
        add(hourly());
        set("hourly", now().minusSeconds(1));
        AtomicInteger tries = new AtomicInteger();
        SqlSchedules failing = new SqlSchedules(fixture().database, fixture().store, job -> {
            throw new IllegalStateException("try " + tries.incrementAndGet());
        });
        assertThat(failing.processDue(List.of()).next())
                .hasValueSatisfying(next -> assertThat(next).isPositive());
        failing.processDue(List.of());
        assertThat(tries).hasValue(1);
        assertThat(processDue().queues()).containsExactly("default");
    }

    /** The schedules processed last are late because there are many, not because no worker was running. */
    @Test
    default void noTickOfManyDueSchedulesIsMissed() throws Exception {
        manyArePast(null, Missed.SKIP);
        Instant tick = now().minusSeconds(58);
        assertThat(update("pawl_schedule SET next_at = %s", tick)).isEqualTo(201);
        SqlSchedules schedules = schedules();
        assertThat(schedules.processDue(List.of()).next()).contains(Duration.ZERO);
        await().until(() -> tick.plusSeconds(60).isBefore(now()));
        schedules.processDue(List.of());
        Set<Tick.Outcome> all = new HashSet<>();
        for (int i = 0; i < 201; i++) {
            all.addAll(outcomes("tenant-" + i));
        }
        assertThat(all).as("all of them, or none where the machine stood still").hasSize(1);
    }

    private void manyArePast(@Nullable Predicate<LocalDate> excluded) throws SQLException {
        manyArePast(excluded, Missed.ONCE);
    }

    /** Makes more schedules due than one batch processes. */
    private void manyArePast(@Nullable Predicate<LocalDate> excluded, Missed missed) throws SQLException {
        for (int i = 0; i < 201; i++) {
            schedules()
                    .declare(new Declaration(
                            "tenant-" + i, declaration(HOURLY, null).job(), HOURLY, missed, Overlap.SKIP, excluded));
        }
        assertThat(update("pawl_schedule SET next_check_at = %s", now().minus(Duration.ofHours(2))))
                .isEqualTo(201);
    }

    private int update(String what, Instant moment) throws SQLException {
        String sql = fixture()
                .database
                .dialect()
                .sql("UPDATE " + what.formatted(fixture().database.dialect().moment()));
        return fixture().database.transaction(connection -> {
            try (PreparedStatement statement = connection.prepareStatement(sql)) {
                fixture().database.dialect().bind(statement, 1, moment);
                return statement.executeUpdate();
            }
        });
    }

    @Test
    default void unreadableSchedulesAreShownAndLeftToOthers() throws Exception {
        add(hourly());
        set("hourly", now().minusSeconds(1));
        fixture().execute("UPDATE pawl_schedule SET recurrence = '0 3 * * * in Europe/Atlantis'");
        assertThat(processDue().queues()).isEmpty();
        assertThat(info("hourly").recurrence()).isNull();
        assertThat(info("hourly").text()).isEqualTo("0 3 * * * in Europe/Atlantis");
        assertThat(fixture().queue.schedules().pause("hourly")).isTrue();
        assertThat(fixture().queue.schedules().change("hourly", HOURLY)).isTrue();
        assertThat(fixture().queue.schedules().resume("hourly")).isTrue();
        assertThat(info("hourly").recurrence()).isEqualTo(HOURLY);
    }

    @Test
    default void jobsDoNotOverlapThoughTheirKindIsRenamed() throws Exception {
        schedules().declare(declaration(HOURLY, null));
        set("hourly", now().minusSeconds(2));
        processDue();
        schedules()
                .declare(new Declaration(
                        "hourly",
                        new JobRequest("greet.v2", "\"x\"", EnqueueOptions.DEFAULTS),
                        HOURLY,
                        Missed.ONCE,
                        Overlap.SKIP,
                        null));
        set("hourly", now().minusSeconds(1));
        processDue();
        assertThat(jobs()).hasSize(1);
        assertThat(outcomes("hourly")).containsExactly(Tick.Outcome.OVERLAPPED, Tick.Outcome.ENQUEUED);
    }

    private static Declaration declaration(Recurrence recurrence, @Nullable Predicate<LocalDate> excluded) {
        return new Declaration(
                "hourly",
                new JobRequest("greet", "\"x\"", EnqueueOptions.DEFAULTS),
                recurrence,
                Missed.ONCE,
                Overlap.SKIP,
                excluded);
    }

    /** {@return the hourly schedule as a release declares it, with its own payload and time} */
    private static Declaration release(String payload, String cron) {
        JobRequest job = new JobRequest("greet", "\"" + payload + "\"", EnqueueOptions.DEFAULTS);
        return new Declaration("hourly", job, Recurrence.cron(cron), Missed.ONCE, Overlap.SKIP, null);
    }

    Declaration V1 = release("v1", "0 1 * * *");
    Declaration V2 = release("v2", "0 2 * * *");

    /**
     * {@return the id of a live worker of a release} The worker exists only in the tables. Its start is later than that of each worker
     * before it.
     */
    private long started(Declaration... declared) throws SQLException {
        fixture().letTheClockTick();
        return new WorkerRegistry(fixture().database)
                .register(
                        "w",
                        List.of("default"),
                        List.of("greet"),
                        1,
                        1,
                        schedules().forms(List.of(declared)));
    }

    private void ended(long worker) throws SQLException {
        new WorkerRegistry(fixture().database).stopped(worker, null);
    }

    private void assertInForce(String release, int hour, Origin origin) {
        ScheduleInfo info = info("hourly");
        assertThat(info.payload()).isEqualTo("\"" + release + "\"");
        assertThat(nextAt("hourly").atZone(ZoneOffset.UTC).getHour()).isEqualTo(hour);
        assertThat(info.origin()).isEqualTo(origin);
    }

    /** An instance of the old release restarts, perhaps on another machine, and finally stops. */
    @Test
    default void theDeclarationOfTheLastLiveReleaseIsInForce() throws Exception {
        long old = started(V1);
        assertThat(schedules().declare(V1)).isTrue();
        long newer = started(V2);
        assertThat(schedules().declare(V2)).isTrue();
        ended(old);
        long again = started(V1);
        assertThat(schedules().declare(V1)).as("it started last").isTrue();
        assertInForce("v1", 1, Origin.DECLARED);
        TickSource.Reconciled waits = schedules().reconcile(List.of(V2), "");
        assertThat(waits.changed()).isFalse();
        assertThat(waits.isSettled()).as("so its worker is not suspended").isFalse();
        ended(again);
        assertInForce("v1", 1, Origin.DECLARED_OTHERWISE);
        assertThat(fixture().admin.maintenance().diagnose())
                .anyMatch(finding -> finding.toString().contains("in the form that is in force"));
        TickSource.Reconciled mended = schedules().reconcile(List.of(V2), "");
        assertThat(mended.changed()).isTrue();
        assertThat(mended.isSettled()).isTrue();
        assertInForce("v2", 2, Origin.DECLARED);
        assertThat(schedules().reconcile(List.of(V2), mended.seen()).changed()).isFalse();
        ended(newer);
        assertInForce("v2", 2, Origin.LEFT_BEHIND);
    }

    @Test
    default void anInstanceOfTheOldReleaseThatStartsAgainChangesNothing() throws Exception {
        long old = started(V1);
        long restarted = started(V1);
        assertThat(schedules().declare(V1)).isTrue();
        long newer = started(V2);
        assertThat(schedules().declare(V2)).isTrue();
        ended(restarted);
        started(V1);
        assertThat(schedules().declare(V1))
                .as("its release has been there all along")
                .isFalse();
        for (int i = 0; i < 3; i++) { // regardless of which worker reads it first
            assertThat(schedules().reconcile(List.of(V1), "").changed()).isFalse();
            assertThat(schedules().reconcile(List.of(V2), "").changed()).isFalse();
            assertInForce("v2", 2, Origin.DECLARED);
        }
        ended(newer);
        assertThat(schedules().reconcile(List.of(V1), "").changed())
                .as("a canary that was rolled back")
                .isTrue();
        assertInForce("v1", 1, Origin.DECLARED);
        ended(old);
    }

    @Test
    default void changedOrRemovedSchedulesAreNotReconciled() throws Exception {
        started(V1);
        assertThat(schedules().declare(V1)).isTrue();
        assertThat(fixture().queue.schedules().change("hourly", Recurrence.cron("0 3 * * *")))
                .isTrue();
        assertThat(schedules().reconcile(List.of(V1), "").changed()).isFalse();
        assertInForce("v1", 3, Origin.DECLARED);
        assertThat(fixture().queue.schedules().remove("hourly")).isTrue();
        assertThat(schedules().reconcile(List.of(V1), "").changed()).isFalse();
        assertThat(fixture().queue.schedules().list()).isEmpty();
    }

    /** The ciphertext differs each time that the payload is encrypted. */
    @Test
    default void anEncryptedPayloadIsTheSameForm() throws Exception {
        EncryptedCodec codec = EncryptedCodec.of(new JacksonCodec(), "k", new SecretKeySpec(new byte[32], "AES"));
        SqlSchedules known = new SqlSchedules(fixture().database, fixture().store, job -> job, codec::identity);
        List<Declaration> twice = new ArrayList<>();
        for (int i = 0; i < 2; i++) {
            JobRequest job = new JobRequest("greet", codec.encode("x", GREET.payloadType()), EnqueueOptions.DEFAULTS);
            twice.add(new Declaration("hourly", job, HOURLY, Missed.ONCE, Overlap.SKIP, null));
        }
        assertThat(twice.get(0).job().payload()).isNotEqualTo(twice.get(1).job().payload());
        for (Declaration each : twice) {
            new WorkerRegistry(fixture().database)
                    .register("w", List.of("default"), List.of("greet"), 1, 1, known.forms(List.of(each)));
            boolean unused = known.declare(each);
        }
        for (Declaration each : twice) {
            assertThat(known.reconcile(List.of(each), "").isSettled()).isTrue();
        }
        assertThat(info("hourly").origin())
                .as("also for a program without the key")
                .isEqualTo(Origin.DECLARED);
    }

    @Test
    default void declaredSchedulesOfNoLiveProgramAreRemoved() throws Exception {
        long live = started(V1);
        assertThat(schedules().declare(V1)).isTrue();
        Declaration other = new Declaration("other", V1.job(), HOURLY, Missed.ONCE, Overlap.SKIP, null);
        long before = started(other);
        assertThat(schedules().declare(other)).isTrue();
        add(Schedule.of("by-hand", GREET, "x", HOURLY));
        assertThat(schedules().removeUndeclared(queue -> true)).isEmpty();
        ended(before);
        assertThat(schedules().removeUndeclared(queue -> queue.equals("another")))
                .isEmpty();
        assertThat(schedules().removeUndeclared(queue -> true)).containsExactly("other");
        assertThat(fixture().queue.schedules().list())
                .extracting(ScheduleInfo::name)
                .containsExactlyInAnyOrder("hourly", "by-hand");
        ended(live);
    }

    /** A worker restores its form of a schedule within half a minute, and without a restart. */
    @Test
    default void aLiveWorkerBringsItsFormBack() throws Exception {
        Worker worker = fixture()
                .newWorker()
                .onlyDeclaredSchedules()
                .handle(GREET, (text, run) -> {})
                .schedule(Schedule.of("hourly", GREET, "v2", V2.recurrence()))
                .start();
        try (worker) {
            await().atMost(Fixture.SOON)
                    .until(() -> fixture().queue.schedules().find("hourly").isPresent());
            long old = started(V1);
            assertThat(schedules().declare(V1)).isTrue();
            ended(old);
            // This may take longer: a stall of the machine looks like a clock that was set forward, so the worker
            // measures the clock again.
            await().atMost(Duration.ofMinutes(2))
                    .until(() -> info("hourly").payload().equals("\"v2\""));
            assertInForce("v2", 2, Origin.DECLARED);
        }
    }

    @Test
    default void aUsersChangeStaysUntilTheDeclarationChanges() throws Exception {
        Declaration first = declaration(HOURLY, null);
        schedules().declare(first);
        Recurrence daily = Recurrence.cron("0 3 * * *");
        assertThat(fixture().queue.schedules().change("hourly", daily)).isTrue();
        assertThat(info("hourly").isChanged()).isTrue();
        schedules().declare(first);
        assertThat(info("hourly").recurrence()).isEqualTo(daily);
        assertThat(nextAt("hourly").atZone(ZoneOffset.UTC).getHour()).isEqualTo(3);
        JobRequest changed = new JobRequest("greet", "\"y\"", EnqueueOptions.DEFAULTS);
        schedules().declare(new Declaration("hourly", changed, HOURLY, Missed.ONCE, Overlap.SKIP, null));
        assertThat(info("hourly").payload()).isEqualTo("\"y\"");
        assertThat(info("hourly").recurrence())
                .as("its declared recurrence has not changed")
                .isEqualTo(daily);
        Recurrence other = Recurrence.every(Duration.ofMinutes(7));
        schedules().declare(declaration(other, null));
        assertThat(info("hourly").recurrence()).isEqualTo(other);
        assertThat(info("hourly").isChanged()).isFalse();
        assertThat(info("hourly").nextAt()).isBetween(now(), now().plus(Duration.ofMinutes(8)));
        assertThat(fixture().queue.schedules().change("no such", daily)).isFalse();
    }

    @Test
    default void peopleRunPauseResumeAndRemove() throws Exception {
        var schedules = fixture().queue.schedules();
        add(hourly());
        assertThat(schedules.add(hourly())).isFalse();
        Instant next = nextAt("hourly");
        EnqueueResult first = schedules.runNow("hourly").orElseThrow();
        assertThat(first).isInstanceOf(EnqueueResult.Inserted.class);
        assertThat(schedules.runNow("hourly").orElseThrow()).isEqualTo(new EnqueueResult.Duplicate(first.jobId()));
        assertThat(info("hourly").nextAt()).isEqualTo(next);
        assertThat(outcomes("hourly")).containsExactly(Tick.Outcome.BY_HAND);
        finishAll();

        assertThat(schedules.pause("hourly")).isTrue();
        assertThat(schedules.pause("hourly")).isFalse();
        assertThat(info("hourly").pausedAt()).isNotNull();
        assertThat(info("hourly").nextAt()).isNull();
        assertThat(processDue().next()).isEmpty();
        assertThat(schedules.change("hourly", Recurrence.every(Duration.ofHours(3))))
                .isTrue();
        assertThat(info("hourly").nextAt()).as("still paused").isNull();
        assertThat(schedules.resume("hourly")).isTrue();
        assertThat(schedules.resume("hourly")).isFalse();
        assertThat(info("hourly").nextAt()).isAfter(now());
        assertThat(jobs()).hasSize(1);

        assertThat(schedules.remove("hourly")).isTrue();
        assertThat(schedules.remove("hourly")).isFalse();
        assertThat(schedules.list()).isEmpty();
        assertThat(schedules.runNow("hourly")).isEmpty();
        assertThat(schedules.ticks("hourly", 10)).isEmpty();
    }

    @Test
    default void aTickIsProcessedByOneOfManyWorkers() throws Exception {
        add(seldom());
        ExecutorService threads = Executors.newFixedThreadPool(4);
        Instant start = now().minusSeconds(5);
        try {
            for (int round = 0; round < 5; round++) {
                set("hourly", start.plusMillis(round)); // no two ticks are the same
                List<Future<TickSource.Processed>> looks = new ArrayList<>();
                for (int i = 0; i < 4; i++) {
                    looks.add(threads.submit(() -> schedules().processDue(List.of())));
                }
                int fired = 0;
                for (Future<TickSource.Processed> one : looks) {
                    fired += one.get().queues().size();
                }
                assertThat(fired).isEqualTo(1);
                assertThat(jobs()).hasSize(round + 1);
                finishAll();
            }
        } finally {
            threads.shutdownNow();
        }
    }

    /** For each call of a check, the connection is lost once before this call and once after it. Then the check is repeated. */
    @Test
    default void aTickBecomesOneJobDespiteFailures() throws Exception {
        add(seldom().overlap(Overlap.ALLOW));
        DatabaseProduct product = Databases.of(fixture().pool, fixture().prefix);
        try (HikariDataSource pool = fixture().testDatabase.newDataSource(3)) {
            FailingCalls calls = new FailingCalls(pool);
            Database database = new Database(calls.dataSource(), product.dialect());
            SqlSchedules failing = new SqlSchedules(database, new SqlJobStore(product, database, Retention.DEFAULTS));
            int ticks = 0;
            Instant start = now().minusSeconds(5);
            for (FailingCalls.When when : FailingCalls.When.values()) {
                boolean failed = true;
                for (int call = 1; failed; call++) {
                    assertThat(call).isLessThan(100);
                    set("hourly", start.plusMillis(ticks)); // no two ticks are the same
                    calls.arm(call, when);
                    try {
                        failing.processDue(List.of());
                    } catch (SQLException e) {
                        assertThat(fixture().store.isTransient(e)).as("%s", e).isTrue();
                    }
                    failed = calls.lost() != null;
                    calls.disarm();
                    processDue();
                    ticks++;
                    assertThat(jobs())
                            .as("%s call %d, %s", when, call, calls.lost())
                            .hasSize(ticks);
                    assertThat(info("hourly").nextAt()).isAfter(now());
                }
            }
            assertThat(ticks).isGreaterThan(8);
        }
    }

    /** Two programs, each with its own queue and workers. */
    @Test
    default void workersProcessTheirSchedulesAndHandlersGetTheirTicks() throws Exception {
        Schedule<String> schedule = Schedule.of("often", GREET, "x", Recurrence.every(Duration.ofSeconds(1)));
        Queue<Instant> ticks = new ConcurrentLinkedQueue<>();
        Set<Instant> twice = ConcurrentHashMap.newKeySet();
        List<Worker> workers = new ArrayList<>();
        try (JobQueue other = JobQueue.builder(fixture().dataSource())
                .tablePrefix(fixture().prefix)
                .migrate(false)
                .open()) {
            for (JobQueue queue : List.of(fixture().queue, other, other)) {
                workers.add(Worker.on(queue)
                        .strategy(fixture().strategy)
                        .pollInterval(Duration.ofMillis(100))
                        .concurrency(2)
                        .schedule(schedule)
                        .retryPolicy(attempt -> Duration.ZERO)
                        .handle(GREET, Handlers.completing((name, run) -> {
                            Instant tick = run.tick().orElseThrow();
                            if (run.attempt() == 1) {
                                if (ticks.contains(tick)) {
                                    twice.add(tick);
                                }
                                ticks.add(tick);
                                return Outcome.retryAfter(Duration.ZERO, "once");
                            }
                            return Outcome.completed();
                        }))
                        .start());
            }
            await().atMost(Fixture.SOON).until(() -> ticks.size() >= 4);
            assertThat(info("often").origin()).isEqualTo(ScheduleInfo.Origin.DECLARED);
        } finally {
            workers.forEach(Worker::close);
        }
        assertThat(twice).isEmpty();
        List<Instant> seen = ticks.stream().sorted().toList();
        for (int i = 1; i < seen.size(); i++) {
            assertThat(Duration.between(seen.get(i - 1), seen.get(i)).toMillis() % 1000)
                    .isZero();
        }
        assertThat(info("often").origin()).isEqualTo(ScheduleInfo.Origin.LEFT_BEHIND);
        assertThat(jobs()).allSatisfy(job -> assertThat(job.state()).isIn(JobState.COMPLETED, JobState.AVAILABLE));
    }

    @Test
    default void theDoctorNamesSchedulesWithoutAWorker() throws Exception {
        add(hourly());
        schedules()
                .declare(new Declaration(
                        "left", declaration(HOURLY, null).job(), HOURLY, Missed.ONCE, Overlap.SKIP, null));
        set("hourly", now().minusSeconds(90));
        assertThat(fixture().admin.maintenance().diagnose())
                .filteredOn(finding -> finding.topic().startsWith("schedule "))
                .extracting(finding -> finding.level() + " " + finding.topic())
                .containsExactlyInAnyOrder("WARNING schedule hourly", "ADVICE schedule left");
    }

    @Test
    default void aFailedDeclarationIsReportedAndRepeated() throws Exception {
        AtomicBoolean fails = new AtomicBoolean(true);
        Schedule<String> schedule = hourly().excluding(day -> {
            if (fails.get()) {
                throw new NoClassDefFoundError("com/example/Holidays");
            }
            return false;
        });
        Worker worker = fixture()
                .newWorker()
                .schedule(schedule)
                .handle(GREET, (name, run) -> {})
                .start();
        try (worker) {
            await().atMost(Fixture.SOON)
                    .until(() -> !fixture().admin.workers().list().isEmpty());
            assertThat(fixture().queue.schedules().undeclared())
                    .as("it may be about to")
                    .isEmpty();
            String longAgo = fixture()
                    .database
                    .dialect()
                    .nowPlusMicros()
                    .replace("?", "-" + Duration.ofMinutes(2).toNanos() / 1000);
            await().atMost(Fixture.SOON)
                    .untilAsserted(
                            () -> { // a worker reports its schedules after its registration
                                fixture().execute("UPDATE pawl_worker SET started_at = " + longAgo);
                                assertThat(fixture().queue.schedules().undeclared())
                                        .containsExactly("hourly");
                            });
            assertThat(fixture().admin.maintenance().diagnose())
                    .filteredOn(finding -> finding.topic().startsWith("schedule "))
                    .extracting(finding -> finding.level() + " " + finding.topic())
                    .containsExactly("WARNING schedule hourly");
            fails.set(false);
            await().atMost(Fixture.SOON)
                    .until(() -> fixture().queue.schedules().find("hourly").isPresent());
            assertThat(fixture().queue.schedules().undeclared()).isEmpty();
        }
    }

    @Test
    default void invalidSchedulesAreRefused() {
        assertThatThrownBy(() -> Recurrence.cron("0 25 * * *"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("use 0 to 23");
        assertThatThrownBy(() -> Recurrence.every(Duration.ofMillis(999)))
                .hasMessageContaining("a second to ten years");
        assertThatThrownBy(() -> Recurrence.parse("now and then")).hasMessageContaining("is not a recurrence: write");
        assertThatThrownBy(() -> Recurrence.parse("0 3 * * * in Europe/Atlantis"))
                .hasMessageContaining("no time zone");
        assertThatThrownBy(() -> hourly().options(EnqueueOptions.DEFAULTS.uniqueKey("k")))
                .hasMessageContaining("a unique key, because");
        assertThatThrownBy(() -> Worker.on(fixture().queue).schedule(hourly()).schedule(hourly()))
                .hasMessageContaining("is declared twice");
        for (String text :
                List.of("0 3 * * * in Europe/Rome", "every PT5M", "PT10S after its end", "@daily in Z, none in gaps")) {
            assertThat(Recurrence.parse(text)).hasToString(text);
        }
    }
}
