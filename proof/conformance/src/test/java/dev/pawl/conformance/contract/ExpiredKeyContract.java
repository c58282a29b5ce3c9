package dev.pawl.conformance.contract;

import static dev.pawl.conformance.contract.Fixture.GREET;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.pawl.Worker;
import dev.pawl.admin.JobFilter;
import dev.pawl.api.EnqueueOptions;
import dev.pawl.api.EnqueueResult;
import dev.pawl.api.Job;
import dev.pawl.api.JobRequest;
import dev.pawl.api.JobState;
import dev.pawl.api.OnDuplicate;
import dev.pawl.api.UniqueWhile;
import dev.pawl.conformance.RunsOn;
import dev.pawl.conformance.Specified;
import dev.pawl.internal.jdbc.Dialect;
import dev.pawl.internal.jdbc.Sql;
import dev.pawl.internal.store.Grant;
import dev.pawl.internal.store.Verdict;
import dev.pawl.schedule.Recurrence;
import dev.pawl.schedule.Schedule;
import dev.pawl.servers.Capability;
import dev.pawl.servers.Product;
import java.sql.Connection;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A job whose latest start has passed will not run, so it gives up its unique key. */
@Specified
@WhiteBox
interface ExpiredKeyContract extends Contract {
    Instant PAST = Instant.parse("2020-01-01T00:00:00Z");
    EnqueueOptions EXPIRED = EnqueueOptions.DEFAULTS.uniqueKey("k").expiresAt(PAST);
    EnqueueOptions FRESH = EnqueueOptions.DEFAULTS.uniqueKey("k");

    private EnqueueResult put(String text, EnqueueOptions options) {
        return fixture().queue.enqueue(GREET, text, options);
    }

    /** Without {@code KEPT}, because a key with a duration is kept however its job ends. */
    @ParameterizedTest
    @EnumSource(
            value = UniqueWhile.class,
            names = {"WAITING", "LIVE", "LIVE_OR_DISCARDED"})
    default void anExpiredJobDoesNotKeepAnotherFromRunning(UniqueWhile scope) throws Exception {
        long old = put("old", EXPIRED.uniqueWhile(scope)).jobId();
        EnqueueResult next = put("next", FRESH.uniqueWhile(scope));
        assertThat(next).isInstanceOf(EnqueueResult.Inserted.class);
        assertThat(put("more", FRESH.uniqueWhile(scope))).isEqualTo(new EnqueueResult.Duplicate(next.jobId()));
        assertThat(fixture().admin.jobs().list(JobFilter.ALL.uniqueKey("k")))
                .as("both are found by it")
                .extracting(job -> job.id())
                .containsExactly(next.jobId(), old);
        Queue<String> ran = new ConcurrentLinkedQueue<>();
        Worker worker = fixture()
                .newWorker()
                .handle(GREET, (text, run) -> ran.add(text))
                .start();
        try (worker) {
            fixture().awaitState(old, JobState.CANCELLED);
            fixture().awaitState(next.jobId(), JobState.COMPLETED);
        }
        assertThat(ran).containsExactly("next");
        assertThat(fixture().job(old).uniqueKey()).isEqualTo("k");
    }

    @Test
    default void anExpiredJobKeepsAKeyWithADuration() {
        long old = put("old", EXPIRED.uniqueWhile(UniqueWhile.KEPT)).jobId();
        EnqueueOptions kept = FRESH.uniqueWhile(UniqueWhile.KEPT);
        assertThat(put("next", kept)).isEqualTo(new EnqueueResult.Duplicate(old));
        assertThat(put("next", kept.onDuplicate(OnDuplicate.REPLACE))).isEqualTo(new EnqueueResult.Duplicate(old));
    }

    @Test
    default void aTimeHoldsAlsoForAnExpiredJob() {
        EnqueueOptions hour = EnqueueOptions.DEFAULTS.uniqueKey("k", Duration.ofHours(1));
        long old = put("old", hour.expiresAt(PAST)).jobId();
        assertThat(put("next", hour)).isEqualTo(new EnqueueResult.Duplicate(old));
        assertThat(put("next", hour.onDuplicate(OnDuplicate.REPLACE))).isEqualTo(new EnqueueResult.Duplicate(old));
    }

    /** The expired job will not run, so no other request is merged with it. */
    @ParameterizedTest
    @EnumSource(
            value = UniqueWhile.class,
            names = {"WAITING", "LIVE", "LIVE_OR_DISCARDED"})
    default void anExpiredJobIsNeitherReplacedNorMerged(UniqueWhile scope) {
        EnqueueOptions fresh = FRESH.uniqueWhile(scope);
        long first = put("first", EXPIRED.uniqueWhile(scope)).jobId();
        EnqueueResult second = put("second", EXPIRED.uniqueWhile(scope).onDuplicate(OnDuplicate.REPLACE));
        assertThat(second).isInstanceOf(EnqueueResult.Inserted.class);
        EnqueueResult third = fixture().queue.enqueueMerged(GREET, "third", fresh, (one, other) -> one + other);
        assertThat(third).isInstanceOf(EnqueueResult.Inserted.class);
        assertThat(fixture().job(first).payload()).isEqualTo("\"first\"");
        assertThat(fixture().job(third.jobId()).payload()).isEqualTo("\"third\"");
        assertThat(fixture().queue.enqueueMerged(GREET, "!", fresh, (one, other) -> one + other))
                .isEqualTo(new EnqueueResult.Replaced(third.jobId()));
    }

    @Test
    default void aDurationCountsFromTheEnqueue() throws Exception {
        long old = put("old", FRESH.expiresIn(Duration.ofHours(1))).jobId();
        assertThat(put("next", FRESH)).isEqualTo(new EnqueueResult.Duplicate(old));
        Job written = fixture().job(old);
        assertThat(written.expiresAt()).hasValue(written.createdAt().plus(Duration.ofHours(1)));
        fixture().execute("UPDATE pawl_job SET expires_at = created_at WHERE id = " + old);
        fixture().letTheClockTick();
        assertThat(put("next", FRESH)).isInstanceOf(EnqueueResult.Inserted.class);
    }

    /**
     * The worker is about to expire the job. If an enqueue were refused as its duplicate now, the caller would rely on a job that never
     * runs.
     */
    @Test
    default void aJobThatWasClaimedTooLateHasNoKeyEither() throws Exception {
        fixture().assumeNoTransactionAroundHandlers();
        long old = put("old", EXPIRED).jobId();
        Grant late = fixture().claimOne();
        EnqueueResult next = put("next", FRESH);
        assertThat(next).isInstanceOf(EnqueueResult.Inserted.class);
        assertThat(fixture().finish(late.lease(), new Verdict.Cancelled("expired")))
                .isTrue();
        assertThat(fixture().job(old).state()).isEqualTo(JobState.CANCELLED);
        assertThat(put("more", FRESH)).isEqualTo(new EnqueueResult.Duplicate(next.jobId()));
    }

    /** A job that started in time goes on, and keeps its key. */
    @Test
    default void aJobThatWasClaimedInTimeHasItsKey() throws Exception {
        fixture().assumeNoTransactionAroundHandlers();
        long old = put("old", FRESH.expiresIn(Duration.ofDays(1))).jobId();
        Grant running = fixture().claimOne();
        Instant begun = Objects.requireNonNull(fixture().job(old).startedAt());
        Dialect dialect = fixture().database.dialect();
        Sql expire = dialect.statement("UPDATE pawl_job SET expires_at = " + dialect.moment() + " WHERE id = ?");
        assertThat(fixture()
                        .database
                        .<Integer>autocommit(connection ->
                                expire.on(connection, begun.plusMillis(1), old).update()))
                .isEqualTo(1);
        fixture().letLeasesExpire(Duration.ofMillis(2));
        assertThat(put("next", FRESH)).isEqualTo(new EnqueueResult.Duplicate(old));
        assertThat(fixture().finish(running.lease(), new Verdict.Completed())).isTrue();
    }

    @Test
    @RunsOn({Product.POSTGRESQL, Product.MARIADB, Product.MYSQL})
    default void anExpiredJobOfALongSnapshotHasNoKeyEither() throws Exception {
        fixture().assumeCan(Capability.ROW_LOCKS);
        try (Connection connection = fixture().pool.getConnection()) {
            connection.setTransactionIsolation(Connection.TRANSACTION_READ_COMMITTED);
            connection.setAutoCommit(false);
            fixture().execute(connection, "SELECT id FROM pawl_job");
            long old = put("old", EXPIRED).jobId();
            EnqueueResult next = fixture().queue.within(connection).enqueue(GREET, "next", FRESH);
            connection.commit();
            connection.setAutoCommit(true);
            assertThat(next).isInstanceOf(EnqueueResult.Inserted.class);
            assertThat(next.jobId()).isNotEqualTo(old);
        }
    }

    @Test
    default void aBatchCountsTheExpiredMemberAndTheNewOne() throws Exception {
        var batch = fixture().queue.batch("b").open();
        long old = fixture().queue.enqueue(GREET, "old", batch.with(EXPIRED)).jobId();
        EnqueueResult next = fixture().queue.enqueue(GREET, "next", batch.with(FRESH));
        assertThat(next).isInstanceOf(EnqueueResult.Inserted.class);
        batch.seal();
        Worker worker = fixture().newWorker().handle(GREET, (text, run) -> {}).start();
        try (worker) {
            fixture().awaitState(old, JobState.CANCELLED);
            fixture().awaitState(next.jobId(), JobState.COMPLETED);
            await().atMost(Fixture.SOON).until(() -> batch.info().orElseThrow().isDone());
        }
        assertThat(batch.info().orElseThrow().completed()).isEqualTo(1);
        assertThat(batch.info().orElseThrow().cancelled()).isEqualTo(1);
    }

    /** If the expired job still counted, it would block all later ticks until a worker expires it. */
    @Test
    default void theJobOfATickThatHasExpiredDoesNotOverlapWithTheNext() throws Exception {
        fixture()
                .queue
                .schedules()
                .add(Schedule.of("nightly", GREET, "x", Recurrence.every(Duration.ofSeconds(1)))
                        .options(EnqueueOptions.DEFAULTS.queue("unserved").expiresIn(Duration.ofMillis(1))));
        Worker keeper = fixture().newWorker().handle(GREET, (text, run) -> {}).start();
        try (keeper) {
            await().atMost(Fixture.SOON)
                    .until(() -> fixture()
                                    .admin
                                    .jobs()
                                    .list(JobFilter.ALL.queue("unserved"))
                                    .size()
                            >= 2);
        }
        assertThat(List.copyOf(fixture().admin.jobs().list(JobFilter.ALL.queue("unserved"))))
                .allMatch(job -> job.state() == JobState.AVAILABLE);
    }

    @Test
    default void anExpiredRequestMayReplaceAWaitingJob() {
        long old = put("old", FRESH).jobId();
        EnqueueResult result =
                fixture().queue.enqueue(new JobRequest("greet", "\"late\"", EXPIRED.onDuplicate(OnDuplicate.REPLACE)));
        assertThat(result).isEqualTo(new EnqueueResult.Replaced(old));
    }
}
