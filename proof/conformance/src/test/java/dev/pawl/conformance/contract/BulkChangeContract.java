package dev.pawl.conformance.contract;

import static dev.pawl.conformance.contract.Fixture.GREET;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.pawl.Batch;
import dev.pawl.JobQueue;
import dev.pawl.admin.Admin;
import dev.pawl.admin.CancelResult;
import dev.pawl.admin.ChangeResult;
import dev.pawl.admin.Choice;
import dev.pawl.admin.EditResult;
import dev.pawl.admin.JobChange;
import dev.pawl.admin.JobEdit;
import dev.pawl.admin.JobFilter;
import dev.pawl.api.EnqueueOptions;
import dev.pawl.api.Job;
import dev.pawl.api.JobRequest;
import dev.pawl.api.JobState;
import dev.pawl.codec.EncryptedCodec;
import dev.pawl.codec.JacksonCodec;
import dev.pawl.conformance.RunsOn;
import dev.pawl.conformance.Specified;
import dev.pawl.internal.key.SqlKeys;
import dev.pawl.internal.store.ConcurrencyKeys;
import dev.pawl.internal.store.Grant;
import dev.pawl.internal.store.JobKey;
import dev.pawl.internal.store.LogLine;
import dev.pawl.internal.store.Settlement;
import dev.pawl.internal.store.Verdict;
import dev.pawl.limit.ConcurrencyKey;
import dev.pawl.limit.Limit;
import dev.pawl.servers.Capability;
import dev.pawl.servers.Product;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.Objects;
import java.util.function.LongConsumer;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import javax.crypto.spec.SecretKeySpec;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;

/** One change of all matching jobs. */
@Specified
@WhiteBox
interface BulkChangeContract extends Contract {
    private ChangeResult all(JobFilter which, JobChange change) {
        return fixture().admin.jobs().changeAll(which, change, count -> {});
    }

    private static EnqueueOptions tagged(String tag) {
        return EnqueueOptions.DEFAULTS.tags(tag);
    }

    private void enqueue(int jobs, EnqueueOptions options) {
        fixture()
                .queue
                .enqueueAll(
                        GREET, IntStream.range(0, jobs).mapToObj(i -> "n" + i).toList(), name -> options);
    }

    private List<Job> jobs(JobFilter filter) {
        return fixture().admin.jobs().list(filter.limit(5_000));
    }

    private void finish(int jobs, Verdict verdict) throws SQLException {
        for (Grant one : fixture().claim(jobs)) {
            assertThat(fixture().finish(one.lease(), verdict)).isTrue();
        }
        fixture().sweepMarked();
    }

    @Test
    default void waitingJobsAreCancelledAndRunningOnesAskedToStop() throws Exception {
        enqueue(2, tagged("bad"));
        List<Grant> running = fixture().claim(2);
        assertThat(running).hasSize(2);
        enqueue(1_200, tagged("bad"));
        enqueue(3, tagged("good"));
        enqueue(2, tagged("bad").delay(Duration.ofHours(1)));
        enqueue(1, tagged("bad").uniqueKey("k"));
        List<Long> progress = new ArrayList<>();
        ChangeResult result =
                fixture().admin.jobs().changeAll(JobFilter.ALL.tag("bad"), new JobChange.Cancel(), progress::add);
        assertThat(result).isEqualTo(new ChangeResult(1_205, 0));
        assertThat(progress).isSorted().endsWith(1_205L);
        assertThat(jobs(JobFilter.ALL.state(JobState.CANCELLED))).hasSize(1_203).allSatisfy(job -> {
            assertThat(job.tags()).containsExactly("bad");
            assertThat(job.reason()).isEqualTo("cancelled before it started");
        });
        assertThat(jobs(JobFilter.ALL.state(JobState.RUNNING))).hasSize(2).allMatch(Job::cancelRequested);
        assertThat(jobs(JobFilter.ALL.state(JobState.AVAILABLE))).hasSize(3);
        assertThat(fixture().claim(10)).hasSize(3);
    }

    /** An action that runs between two steps of a change. Each step is followed by the next action. */
    interface Meanwhile {
        void happens() throws Exception;
    }

    private static LongConsumer first(Meanwhile... meanwhile) {
        Iterator<Meanwhile> left = List.of(meanwhile).iterator();
        return changed -> {
            if (left.hasNext()) {
                Meanwhile next = left.next();
                assertThatCode(next::happens).doesNotThrowAnyException();
            }
        };
    }

    private ChangeResult erasing(Meanwhile... meanwhile) {
        return fixture().admin.jobs().changeAll(JobFilter.ALL.tag("private"), new JobChange.Erase(), first(meanwhile));
    }

    @Test
    default void jobsThatFailDuringACancelAreCancelledToo() throws Exception {
        fixture().assumeNoTransactionAroundHandlers();
        enqueue(1, tagged("bad").uniqueKey("other").delay(Duration.ofHours(1)));
        enqueue(1, tagged("bad").uniqueKey("one"));
        Grant running = fixture().claimOne();
        LongConsumer fails =
                first(() -> assertThat(fixture().finish(running.lease(), new Verdict.Retry(Duration.ofHours(1), "no")))
                        .isTrue());
        assertThat(fixture().admin.jobs().changeAll(JobFilter.ALL.tag("bad"), new JobChange.Cancel(), fails))
                .isEqualTo(new ChangeResult(2, 0));
        assertThat(jobs(JobFilter.ALL.state(JobState.CANCELLED))).hasSize(2);
    }

    @Test
    default void jobsThatEndDuringAnErasureAreErasedToo() throws Exception {
        fixture().assumeNoTransactionAroundHandlers();
        enqueue(1, tagged("bad").uniqueKey("one"));
        Grant running = fixture().claimOne();
        enqueue(1, tagged("bad").uniqueKey("other"));
        LongConsumer ends = first(() -> {
            long begun = fixture().longOf(fixture().product.clockMicros());
            await().until(() -> fixture().longOf(fixture().product.clockMicros()) > begun);
            assertThat(fixture().finish(running.lease(), new Verdict.Completed()))
                    .isTrue();
            fixture().sweepMarked();
        });
        assertThat(fixture().admin.jobs().changeAll(JobFilter.ALL.tag("bad"), new JobChange.Erase(), ends))
                .isEqualTo(new ChangeResult(2, 0));
        assertThat(jobs(JobFilter.ALL)).isEmpty();
    }

    /** The job has moved since its page was read. */
    @Test
    @RunsOn({Product.POSTGRESQL, Product.MARIADB, Product.MYSQL})
    default void jobsThatNoLongerMatchAreSkipped() throws Exception {
        fixture().assumeCan(Capability.ROW_LOCKS);
        long id = fixture().enqueue(tagged("bad").uniqueKey("one"));
        DataSource tampered = fixture()
                .at(
                        "^SELECT id FROM \\w*pawl_job WHERE.* FOR UPDATE",
                        TamperedDataSource.once(sql -> fixture().execute("UPDATE pawl_job SET queue = 'elsewhere'")));
        try (JobQueue queue = JobQueue.builder(tampered)
                .tablePrefix(fixture().prefix)
                .migrate(false)
                .open()) {
            assertThat(queue.admin()
                            .jobs()
                            .changeAll(JobFilter.ALL.queue("default"), new JobChange.Cancel(), count -> {}))
                    .isEqualTo(new ChangeResult(0, 0));
        }
        assertThat(fixture().job(id).state()).isEqualTo(JobState.AVAILABLE);
    }

    @Test
    default void anInterruptEndsItAfterAPage() {
        enqueue(501, tagged("bad").delay(Duration.ofHours(1)));
        ChangeResult result = fixture()
                .admin
                .jobs()
                .changeAll(
                        JobFilter.ALL.tag("bad"),
                        new JobChange.Cancel(),
                        changed -> Thread.currentThread().interrupt());
        assertThat(Thread.interrupted()).isTrue();
        assertThat(result).isEqualTo(new ChangeResult(500, 0));
        assertThat(jobs(JobFilter.ALL.state(JobState.AVAILABLE))).hasSize(1);
    }

    @Test
    default void aRescheduledKeyedJobStaysQueuedBehindItsKey() throws Exception {
        fixture().assumeNoTransactionAroundHandlers();
        SqlKeys keys = new SqlKeys(fixture().database);
        JobKey key = new JobKey("default", "17");
        enqueue(1, EnqueueOptions.DEFAULTS.key("17"));
        assertThat(keys.releaseJobs(List.of(key)).queues()).containsExactly("default");
        assertThat(fixture().claim(10)).hasSize(1);
        long second = fixture().enqueue(EnqueueOptions.DEFAULTS.key("17").delay(Duration.ofHours(1)));
        assertThat(fixture().admin.jobs().edit(second, JobEdit.NOTHING.availableAt(Instant.EPOCH), "ann"))
                .isEqualTo(EditResult.CHANGED);
        assertThat(fixture().claim(10)).as("the first one has not ended").isEmpty();
        assertThat(fixture().job(second).state()).isEqualTo(JobState.BLOCKED);
    }

    /** The right to be forgotten: waiting, delayed, finished and failed jobs, with all rows that belong to them. */
    @Test
    default void everyTraceOfAKeyIsErased() throws Exception {
        fixture().assumeNoTransactionAroundHandlers();
        EnqueueOptions ours = EnqueueOptions.DEFAULTS.key("o'neil \"17\"");
        fixture().queue.limits().set(Limit.keysOf("default").atOnce(10).rate(360_000, Duration.ofHours(1)));
        SqlKeys keys = new SqlKeys(fixture().database);
        JobKey key = new JobKey("default", "o'neil \"17\"");
        fixture().queue.limits().pause(new ConcurrencyKey("default", key.key()), Duration.ofDays(300), "down");
        assertThat(fixture().queue.limits().resume(new ConcurrencyKey("default", key.key())))
                .isTrue();
        enqueue(3, ours);
        enqueue(2, EnqueueOptions.DEFAULTS.key("o'neil \"1"));
        assertThat(keys.releaseJobs(List.of(key)).queues()).containsExactly("default");
        assertThat(keys.starts("default", List.of(new ConcurrencyKeys.KeyRequest(key.key(), 3, 1))))
                .hasSize(1);
        finish(1, new Verdict.Discarded("broken", "boom"));
        finish(1, new Verdict.Completed());
        List<Grant> running = fixture().claim(1);
        assertThat(running).hasSize(1);
        enqueue(2, ours);
        enqueue(1, ours.delay(Duration.ofHours(1)));
        enqueue(2, EnqueueOptions.DEFAULTS);
        JobFilter which = JobFilter.ALL.key("o'neil \"17\"");
        assertThat(jobs(which)).hasSize(6);
        assertThat(fixture()
                        .admin
                        .jobs()
                        .count(which, new JobChange.Erase(), Admin.NO_TIMEOUT)
                        .jobs())
                .isEqualTo(6);
        assertThat(all(which, new JobChange.Erase())).isEqualTo(new ChangeResult(5, 1));
        assertThat(jobs(which)).singleElement().satisfies(job -> {
            assertThat(job.state()).isEqualTo(JobState.RUNNING);
            assertThat(job.cancelRequested()).isTrue();
        });
        fixture()
                .database
                .transaction(connection -> fixture()
                        .execute(
                                connection,
                                "INSERT INTO pawl_job_log (job_id, attempt, logged_at, line) SELECT id, 1, created_at, 'private'"
                                        + " FROM pawl_job WHERE id = "
                                        + running.get(0).job().id()));
        assertThat(fixture().finish(running.get(0).lease(), new Verdict.Cancelled("as asked")))
                .isTrue();
        assertThat(all(which, new JobChange.Erase())).isEqualTo(new ChangeResult(1, 0));
        assertThat(jobs(which)).isEmpty();
        for (String table : List.of("pawl_attempt", "pawl_job_log")) {
            assertThat(fixture().longOf("SELECT COUNT(*) FROM " + table))
                    .as(table)
                    .isZero();
        }
        assertThat(fixture().longOf("SELECT COUNT(*) FROM pawl_keyed")).isEqualTo(2);
        assertThat(fixture().longOf("SELECT COUNT(*) FROM pawl_key"))
                .as("not even its name")
                .isZero();
        assertThat(jobs(JobFilter.ALL)).hasSize(4);
    }

    /**
     * This holds however the jobs of the key are selected. A pause in force stays, and the name of its key is kept only until the pause
     * ends.
     */
    @Test
    default void theStartsAndPausesOfAKeyAreErasedToo() throws Exception {
        fixture().assumeNoTransactionAroundHandlers();
        fixture().queue.limits().set(Limit.keysOf("default").atOnce(5).rate(50, Duration.ofHours(1)));
        SqlKeys keys = new SqlKeys(fixture().database);
        List<JobKey> all = Stream.of("opened", "rate", "held")
                .map(key -> new JobKey("default", key))
                .toList();
        for (JobKey key : all) {
            enqueue(2, tagged("ann").key(key.key()));
        }
        enqueue(1, EnqueueOptions.DEFAULTS.key("other"));
        assertThat(keys.releaseJobs(all).queues()).containsExactly("default");
        for (JobKey key : all) {
            assertThat(keys.starts("default", List.of(new ConcurrencyKeys.KeyRequest(key.key(), 2, 1))))
                    .containsKey(key.key());
        }
        finish(3, new Verdict.Completed());
        fixture().queue.limits().pause(new ConcurrencyKey("default", "opened"), Duration.ofDays(300), "down");
        assertThat(fixture().queue.limits().resume(new ConcurrencyKey("default", "opened")))
                .isTrue();
        fixture().queue.limits().pause(new ConcurrencyKey("default", "held"), Duration.ofMinutes(5), "down");
        fixture().queue.limits().pause(new ConcurrencyKey("elsewhere", "rate"), Duration.ofMinutes(5), "down");
        assertThat(fixture().queue.limits().resume(new ConcurrencyKey("elsewhere", "rate")))
                .isTrue();
        fixture().queue.limits().pause(new ConcurrencyKey("default", "other"), Duration.ofMinutes(5), "down");
        assertThat(all(JobFilter.ALL.tag("ann"), new JobChange.Erase())).isEqualTo(new ChangeResult(6, 0));
        assertThat(fixture().count("pawl_key WHERE job_key IN ('opened', 'rate')"))
                .isZero();
        assertThat(fixture()
                        .count("pawl_key WHERE job_key = 'held' AND kept_until = paused_until AND has_in_flight = 0"))
                .isOne();
        assertThat(fixture().count("pawl_key WHERE job_key = 'other'")).isOne();
        assertThat(fixture().queue.limits().resume(new ConcurrencyKey("default", "held")))
                .isTrue();
        assertThat(all(JobFilter.ALL.key("held"), new JobChange.Erase()))
                .as("its jobs have gone before")
                .isEqualTo(new ChangeResult(0, 0));
        assertThat(fixture().count("pawl_key WHERE job_key <> 'other'")).isZero();
    }

    /**
     * A unique key with a duration outlives its job. Under some strategies a completed job is only marked, so it is not in the history yet.
     */
    @Test
    default void noUniqueKeyOfErasedJobsIsLeft() throws Exception {
        fixture().assumeNoTransactionAroundHandlers();
        enqueue(1, tagged("private").uniqueKey("ann@example.org", Duration.ofDays(30)));
        assertThat(fixture().finish(fixture().claimOne().lease(), new Verdict.Completed()))
                .isTrue();
        assertThat(fixture().longOf("SELECT COUNT(*) FROM pawl_unique")).isEqualTo(1);
        assertThat(all(JobFilter.ALL.tag("private"), new JobChange.Erase())).isEqualTo(new ChangeResult(1, 0));
        assertThat(fixture().longOf("SELECT COUNT(*) FROM pawl_unique")).isZero();
        assertThat(jobs(JobFilter.ALL)).isEmpty();
    }

    /** Log lines are written shortly after their run, when the job of the run may already be deleted, or may be deleted next. */
    @Test
    default void logLinesWrittenAfterTheErasureAreDeleted() throws Exception {
        long kept = fixture().enqueue();
        enqueue(1, tagged("private"));
        long erased = jobs(JobFilter.ALL.tag("private")).get(0).id();
        assertThat(all(JobFilter.ALL.tag("private"), new JobChange.Erase())).isEqualTo(new ChangeResult(1, 0));
        fixture().store.log(List.of(line(erased), line(kept)));
        assertThat(fixture().count("pawl_job_log WHERE job_id = " + erased)).isZero();
        enqueue(1, tagged("private"));
        long later = jobs(JobFilter.ALL.tag("private")).get(0).id();
        fixture().store.log(List.of(line(later)));
        fixture().execute("UPDATE pawl_job_log SET job_id = " + erased + " WHERE job_id = " + later); // not read yet
        assertThat(all(JobFilter.ALL.tag("private"), new JobChange.Erase())).isEqualTo(new ChangeResult(1, 0));
        fixture().execute("UPDATE pawl_job_log SET job_id = " + later + " WHERE job_id = " + erased);
        fixture().runDuties();
        assertThat(fixture().count("pawl_job_log WHERE job_id = " + later)).isZero();
        assertThat(fixture().count("pawl_job_log WHERE job_id = " + kept)).isEqualTo(1);
    }

    /** After a step of the erasure the running job fails, and after the next step it is claimed again. */
    @Test
    default void jobsClaimedAgainDuringAnErasureAreReportedAsLeft() throws Exception {
        fixture().assumeNoTransactionAroundHandlers();
        enqueue(2, tagged("private"));
        List<Grant> running = fixture().claim(2);
        enqueue(1, tagged("private"));
        ChangeResult result = erasing(
                () -> fixture().finish(running.get(0).lease(), new Verdict.Retry(Duration.ZERO, "boom")),
                () -> Objects.requireNonNull(fixture().claim(1)));
        assertThat(jobs(JobFilter.ALL.tag("private")))
                .hasSize((int) result.left())
                .allSatisfy(job -> assertThat(job.cancelRequested()).isTrue());
    }

    @Test
    default void aRunThatEndsDuringTheErasureOfAllIsErased() throws Exception {
        fixture().assumeNoTransactionAroundHandlers();
        enqueue(1, tagged("private"));
        List<Grant> running = fixture().claim(1);
        enqueue(1, tagged("private"));
        ChangeResult result =
                erasing(() -> fixture().finish(running.get(0).lease(), new Verdict.Discarded("no", "boom")));
        assertThat(result).isEqualTo(new ChangeResult(2, 0));
        assertThat(jobs(JobFilter.ALL.tag("private"))).isEmpty();
    }

    private static LogLine line(long job) {
        return new LogLine(job, 1, Duration.ZERO, "private");
    }

    @Test
    default void aLongPayloadIsChangedAndKept() throws Exception {
        long id = fixture().enqueue(EnqueueOptions.DEFAULTS.uniqueKey("long"));
        String payload = '"' + "x".repeat(200_000) + '"';
        assertThat(fixture().admin.jobs().edit(id, JobEdit.NOTHING.payload(payload), "ann"))
                .isEqualTo(EditResult.CHANGED);
        assertThat(fixture().admin.jobs().edit(id, JobEdit.NOTHING.payload("\"y\""), "ann"))
                .isEqualTo(EditResult.CHANGED);
        assertThat(fixture().admin.runs().log(id, Admin.UNLIMITED))
                .anySatisfy(line -> assertThat(line.line()).endsWith(payload));
        assertThatThrownBy(() -> JobEdit.NOTHING.availableAt(Instant.parse("9000-01-01T00:00:00Z")))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    default void waitingJobsGetAnotherPriority() throws Exception {
        enqueue(600, tagged("late"));
        enqueue(1, EnqueueOptions.DEFAULTS);
        assertThat(all(JobFilter.ALL.tag("late"), new JobChange.Prioritize(7))).isEqualTo(new ChangeResult(600, 0));
        assertThat(fixture().claim(1))
                .singleElement()
                .satisfies(one -> assertThat(one.job().tags()).isEmpty());
        assertThat(fixture().claim(1))
                .singleElement()
                .satisfies(one -> assertThat(one.job().priority()).isEqualTo(7));
    }

    @Test
    default void aJobThatWaitsIsChangedAndItsLogSaysWhatItWas() throws Exception {
        Instant later = Instant.parse("2100-01-01T00:00:00Z");
        for (EnqueueOptions options : List.of(EnqueueOptions.DEFAULTS, EnqueueOptions.DEFAULTS.uniqueKey("u"))) {
            long id = fixture().enqueue(options);
            String before = fixture().job(id).payload();
            JobEdit edit = JobEdit.NOTHING.payload("\"Eve\"").priority(5).availableAt(later);
            assertThat(fixture().admin.jobs().edit(id, edit, "ann")).isEqualTo(EditResult.CHANGED);
            Job job = fixture().job(id);
            assertThat(job.payload()).isEqualTo("\"Eve\"");
            assertThat(job.priority()).isEqualTo(5);
            assertThat(job.availableAt()).isEqualTo(later);
            assertThat(fixture().admin.runs().log(id, Admin.UNLIMITED))
                    .singleElement()
                    .satisfies(line -> assertThat(line.line())
                            .startsWith("changed by ann: priority 0 -> 5; available ")
                            .endsWith("; payload, which was: " + before));
        }
    }

    @Test
    default void aBlockedJobKeepsItsTimeWhenItsPriorityChanges() throws Exception {
        EnqueueOptions key = EnqueueOptions.DEFAULTS.key("k");
        long delayed = fixture().enqueue(key.delay(Duration.ofHours(1)));
        long first = fixture().enqueue(key);
        long second = fixture().enqueue(key);
        for (long id : List.of(delayed, second)) {
            assertThat(fixture().admin.jobs().edit(id, JobEdit.NOTHING.priority(-5), "ann"))
                    .isEqualTo(EditResult.CHANGED);
        }
        assertThat(new SqlKeys(fixture().database)
                        .releaseJobs(List.of(new JobKey("default", "k")))
                        .queues())
                .containsExactly("default");
        assertThat(fixture().job(second).state()).isNotEqualTo(JobState.BLOCKED);
        assertThat(fixture().job(first).state()).isEqualTo(JobState.BLOCKED);
        assertThat(fixture().job(delayed).state()).isEqualTo(JobState.BLOCKED);
    }

    @Test
    default void runningAndFinishedJobsAreNotChanged() throws Exception {
        long id = fixture().enqueue();
        JobEdit edit = JobEdit.NOTHING.priority(5);
        Grant grant = fixture().claimOne();
        assertThat(fixture().admin.jobs().edit(id, edit, "ann")).isEqualTo(EditResult.RUNNING);
        assertThat(fixture().finish(grant.lease(), new Verdict.Completed())).isTrue();
        assertThat(fixture().admin.jobs().edit(id, edit, "ann")).isEqualTo(EditResult.ALREADY_FINISHED);
        assertThat(fixture().admin.jobs().edit(id + 1_000_000, edit, "ann")).isEqualTo(EditResult.NOT_FOUND);
        assertThat(fixture().job(id).priority()).isZero();
        assertThatThrownBy(() -> fixture().admin.jobs().edit(id, edit, " "))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> fixture().admin.jobs().edit(id, edit.payload("x".repeat(2_000_000)), "ann"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("the maximum is");
    }

    /**
     * Filters with several values or with exclusions select the same jobs in lanes, rows and history as {@link Choice#fits} does in Java.
     */
    @Test
    default void choicesSelectJobsWhereverTheyAre() throws Exception {
        EnqueueOptions options = EnqueueOptions.DEFAULTS;
        enqueue(2, options);
        finish(2, new Verdict.Completed());
        enqueue(1, options);
        finish(1, new Verdict.Discarded("broken", "boom"));
        enqueue(1, options);
        assertThat(fixture().claim(1)).hasSize(1);
        enqueue(2, options);
        for (String queue : List.of("default", "other")) {
            fixture().queue.enqueue(new JobRequest("two", "1", options.queue(queue)));
            fixture()
                    .queue
                    .enqueue(new JobRequest("three", "1", options.queue(queue).uniqueKey(queue)));
        }
        List<Job> all = jobs(JobFilter.ALL);
        assertThat(all).hasSize(10);
        Choice<String> any = Choice.all();
        Choice<JobState> anyState = Choice.all();
        for (Choice<JobState> states : List.of(
                anyState,
                Choice.of(List.of(JobState.AVAILABLE, JobState.RUNNING)),
                Choice.of(List.of(JobState.RUNNING, JobState.COMPLETED)),
                Choice.of(List.of(JobState.AVAILABLE, JobState.DISCARDED)),
                anyState.without(List.of(JobState.COMPLETED)),
                anyState.without(List.of(JobState.AVAILABLE, JobState.RUNNING)))) {
            for (Choice<String> queues :
                    List.of(any, Choice.of(List.of("other", "default", "none")), any.without(List.of("other")))) {
                for (Choice<String> kinds : List.of(
                        Choice.of(List.of("greet", "two")),
                        any.without(List.of("greet")),
                        any.without(List.of("greet", "two")),
                        Choice.of(List.of("three", "two")).without(List.of("two", "o'neil")))) {
                    JobFilter filter =
                            JobFilter.ALL.states(states).queues(queues).kinds(kinds);
                    List<Job> fitting = all.stream()
                            .filter(job ->
                                    states.fits(job.state()) && queues.fits(job.queue()) && kinds.fits(job.kind()))
                            .toList();
                    List<Long> ids = fitting.stream().map(Job::id).toList();
                    assertThat(jobs(filter))
                            .as("%s", filter)
                            .extracting(Job::id)
                            .isEqualTo(ids);
                    assertThat(fixture().admin.jobs().page(filter).jobs())
                            .as("%s", filter)
                            .extracting(Job::id)
                            .isEqualTo(ids);
                    long live = fitting.stream()
                            .filter(job -> !job.state().isFinished())
                            .count();
                    JobChange cancel = new JobChange.Cancel();
                    assertThat(fixture()
                                    .admin
                                    .jobs()
                                    .count(filter, cancel, Admin.NO_TIMEOUT)
                                    .jobs())
                            .as("%s", filter)
                            .isEqualTo(live);
                    assertThat(fixture()
                                    .admin
                                    .jobs()
                                    .countNewest(filter, cancel, 100)
                                    .jobs())
                            .as("%s", filter)
                            .isEqualTo(live);
                }
            }
        }
        JobFilter otherKinds = JobFilter.ALL.kinds(any.without(List.of("greet", "three")));
        assertThat(all(otherKinds.queues(any.without(List.of("default"))), new JobChange.Cancel()))
                .isEqualTo(new ChangeResult(1, 0));
        assertThat(jobs(JobFilter.ALL.states(Choice.of(List.of(JobState.CANCELLED, JobState.DISCARDED)))))
                .extracting(Job::kind)
                .containsExactly("two", "greet");
        JobChange retry = new JobChange.Retry();
        assertThat(all(JobFilter.ALL.states(anyState.without(List.of(JobState.CANCELLED))), retry))
                .as("excluding other states does not select completed jobs")
                .isEqualTo(new ChangeResult(1, 0));
        assertThat(all(JobFilter.ALL.states(Choice.of(List.of(JobState.COMPLETED, JobState.CANCELLED))), retry))
                .isEqualTo(new ChangeResult(3, 0));
    }

    /**
     * Two users read the same payload and both change it. So the transaction that writes compares the stored payload with the expected one.
     */
    @Test
    default void aPayloadIsReplacedOnlyIfItIsTheExpectedOne() {
        long id = fixture().queue.enqueue(GREET, "Ada").jobId();
        String seen = fixture().job(id).payload();
        JobEdit first = JobEdit.NOTHING.payload("\"Bob\"").payloadWas(seen);
        JobEdit second = JobEdit.NOTHING.payload("\"Eve\"").priority(7).payloadWas(seen);
        assertThat(fixture().admin.jobs().edit(id, first, "ann")).isEqualTo(EditResult.CHANGED);
        assertThat(fixture().admin.jobs().edit(id, second, "eve")).isEqualTo(EditResult.OTHER_PAYLOAD);
        assertThat(fixture().job(id).payload()).isEqualTo("\"Bob\"");
        assertThat(fixture().job(id).priority()).isZero();
        assertThat(fixture().admin.runs().log(id, Admin.UNLIMITED)).hasSize(1);
    }

    /** The payload would be readable, and a program that refuses plain text would fail the job. */
    @Test
    default void anEncryptedPayloadIsNotReplacedByPlainText() {
        EncryptedCodec codec = EncryptedCodec.of(new JacksonCodec(), "k", new SecretKeySpec(new byte[32], "AES"));
        String hidden = codec.encode("Ada", GREET.payloadType());
        long id = fixture()
                .queue
                .enqueue(new JobRequest("greet", hidden, EnqueueOptions.DEFAULTS))
                .jobId();
        JobEdit plain = JobEdit.NOTHING.payload("\"Eve\"").priority(7);
        assertThatThrownBy(() -> fixture().admin.jobs().edit(id, plain, "ann"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("is encrypted")
                .hasMessageContaining("Nothing was changed");
        assertThat(fixture().job(id).payload()).isEqualTo(hidden);
        assertThat(fixture().job(id).priority()).isZero();
        assertThat(fixture().admin.runs().log(id, Admin.UNLIMITED)).isEmpty();
        String other = codec.encode("Eve", GREET.payloadType());
        assertThat(fixture().admin.jobs().edit(id, plain.payload(other), "ann")).isEqualTo(EditResult.CHANGED);
        assertThat(fixture().job(id).payload()).isEqualTo(other);
        assertThat(fixture().admin.jobs().edit(id, JobEdit.NOTHING.priority(3), "ann"))
                .isEqualTo(EditResult.CHANGED);
    }

    @Test
    default void finishedJobsRunAgain() throws Exception {
        enqueue(4, tagged("bad"));
        finish(4, new Verdict.Discarded("broken", "boom"));
        enqueue(3, tagged("bad"));
        finish(3, new Verdict.Completed());
        enqueue(2, tagged("bad").delay(Duration.ofHours(1)));
        assertThat(all(JobFilter.ALL.tag("bad").state(JobState.DISCARDED), new JobChange.Retry()))
                .isEqualTo(new ChangeResult(4, 0));
        assertThat(jobs(JobFilter.ALL.state(JobState.AVAILABLE))).hasSize(6);
        assertThat(all(JobFilter.ALL.state(JobState.COMPLETED), new JobChange.Retry()))
                .isEqualTo(new ChangeResult(3, 0));
        assertThat(all(JobFilter.ALL.state(JobState.AVAILABLE), new JobChange.Retry()))
                .as("those that were delayed")
                .isEqualTo(new ChangeResult(2, 0));
        assertThat(fixture().claim(20)).hasSize(9);
    }

    private List<Instant> moments(JobFilter filter) {
        return jobs(filter).stream()
                .sorted(Comparator.comparing(Job::id))
                .map(job -> Objects.requireNonNull(job.availableAt()))
                .toList();
    }

    /** The jobs are read in two pages, and run again oldest first, regardless of the order in which they are changed. */
    @Test
    default void finishedJobsRunAgainOneAfterTheOther() throws Exception {
        enqueue(600, tagged("bad"));
        finish(600, new Verdict.Discarded("broken", "boom"));
        JobFilter bad = JobFilter.ALL.tag("bad");
        assertThat(all(bad, JobChange.Retry.over(Duration.ofMinutes(10)))).isEqualTo(new ChangeResult(600, 0));
        List<Instant> moments = moments(bad.state(JobState.AVAILABLE));
        assertThat(moments).hasSize(600).isSorted();
        for (int i = 1; i < moments.size(); i++) {
            assertThat(Duration.between(moments.get(i - 1), moments.get(i))).isEqualTo(Duration.ofSeconds(1));
        }
        assertThat(Duration.between(moments.get(0), moments.get(599))).isEqualTo(Duration.ofSeconds(599));
        assertThat(fixture().claim(600)).as("the first ones").isNotEmpty().hasSizeLessThan(600);
    }

    @Test
    default void finishedJobsRunAgainAtAnIntervalAndWaitingOnesNoLaterThanTheyWould() throws Exception {
        enqueue(3, tagged("bad"));
        finish(3, new Verdict.Discarded("broken", "boom"));
        enqueue(1, tagged("soon").delay(Duration.ofMinutes(1)));
        enqueue(1, tagged("late").delay(Duration.ofDays(3)));
        Instant soon = moments(JobFilter.ALL.tag("soon")).get(0);
        JobFilter named = JobFilter.ALL.states(Choice.of(List.of(JobState.AVAILABLE, JobState.DISCARDED)));
        assertThat(all(named, JobChange.Retry.every(Duration.ofHours(1)))).isEqualTo(new ChangeResult(5, 0));
        List<Instant> bad = moments(JobFilter.ALL.tag("bad"));
        assertThat(Duration.between(bad.get(0), bad.get(2))).isEqualTo(Duration.ofHours(2));
        assertThat(moments(JobFilter.ALL.tag("soon"))).containsExactly(soon);
        assertThat(Duration.between(
                        bad.get(0), moments(JobFilter.ALL.tag("late")).get(0)))
                .as("the last of five")
                .isEqualTo(Duration.ofHours(4));
        assertThat(fixture().claim(10)).hasSize(1);
    }

    @Test
    default void jobsWithKeysAndOfBatchesRunAgainOneAfterTheOther() throws Exception {
        Batch batch = fixture().queue.batch("b").open();
        batch.enqueueAll(GREET, List.of("one", "two"));
        batch.seal();
        for (Grant one : fixture().claim(2)) {
            assertThat(fixture()
                            .finish(List.of(new Settlement(
                                    one.lease(),
                                    new Verdict.Discarded("broken", "boom"),
                                    one.job().batch().orElse(0)))))
                    .hasSize(1);
        }
        enqueue(1, EnqueueOptions.DEFAULTS.key("k"));
        assertThat(new SqlKeys(fixture().database)
                        .releaseJobs(List.of(new JobKey("default", "k")))
                        .queues())
                .isNotEmpty();
        finish(1, new Verdict.Discarded("broken", "boom"));
        assertThat(all(JobFilter.ALL.state(JobState.DISCARDED), JobChange.Retry.every(Duration.ofHours(1))))
                .isEqualTo(new ChangeResult(3, 0));
        assertThat(fixture().queue.batches(Long.MAX_VALUE, 1).get(0).failed()).isZero();
        assertThat(fixture().claim(10)).hasSize(1);
        Job keyed = jobs(JobFilter.ALL.key("k")).get(0);
        assertThat(fixture().admin.jobs().dueAt(keyed.id()).orElseThrow())
                .isAfter(moments(JobFilter.ALL).get(0).plus(Duration.ofMinutes(90)));
        assertThatThrownBy(() -> JobChange.Retry.over(Duration.ofDays(400)))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    default void jobsThatHaveNotFailedAreRetriedOnlyOnRequest() throws Exception {
        enqueue(2, tagged("bad"));
        finish(1, new Verdict.Discarded("broken", "boom"));
        finish(1, new Verdict.Retry(Duration.ofHours(1), "boom"));
        enqueue(3, tagged("bad"));
        finish(3, new Verdict.Completed());
        List<Long> completed = jobs(JobFilter.ALL.state(JobState.COMPLETED)).stream()
                .map(Job::id)
                .toList();
        assertThat(completed).hasSize(3);
        enqueue(4, tagged("bad").delay(Duration.ofHours(1)));
        enqueue(5, tagged("bad").queue("away").delay(Duration.ofHours(1)));
        assertThat(all(JobFilter.ALL.queue("away"), new JobChange.Cancel())).isEqualTo(new ChangeResult(5, 0));
        JobFilter bad = JobFilter.ALL.tag("bad");
        JobChange retry = new JobChange.Retry();
        assertThat(fixture().admin.jobs().count(bad, retry, Admin.NO_TIMEOUT).jobs())
                .as("discarded, and waiting for a retry")
                .isEqualTo(2);
        assertThat(fixture().admin.jobs().countNewest(bad, retry, 100).jobs()).isEqualTo(2);
        assertThat(fixture().admin.jobs().countNewest(JobFilter.ALL, retry, 100).jobs())
                .isEqualTo(2);
        assertThat(fixture()
                        .admin
                        .jobs()
                        .count(bad.state(JobState.COMPLETED), retry, Admin.NO_TIMEOUT)
                        .jobs())
                .isEqualTo(3);
        assertThat(all(bad, retry)).isEqualTo(new ChangeResult(2, 0));
        assertThat(all(JobFilter.ALL, retry)).isEqualTo(new ChangeResult(0, 0));
        assertThat(all(bad.state(JobState.CANCELLED), retry)).isEqualTo(new ChangeResult(5, 0));
        assertThat(all(bad.state(JobState.AVAILABLE), retry))
                .as("scheduled for later")
                .isEqualTo(new ChangeResult(4, 0));
        assertThat(jobs(JobFilter.ALL.state(JobState.COMPLETED)))
                .extracting(Job::id)
                .containsExactlyInAnyOrderElementsOf(completed);
        assertThat(all(JobFilter.ALL.id(completed.get(0)), retry))
                .as("the one that is named")
                .isEqualTo(new ChangeResult(1, 0));
        assertThat(all(bad.state(JobState.COMPLETED), retry)).isEqualTo(new ChangeResult(2, 0));
    }

    @Test
    default void aStartedJobIsNotReportedAsCancelledBeforeItsStart() throws Exception {
        enqueue(2, tagged("bad"));
        finish(2, new Verdict.Retry(Duration.ofHours(1), "boom"));
        List<Long> ids = jobs(JobFilter.ALL).stream().map(Job::id).toList();
        assertThat(fixture().admin.jobs().cancel(ids.get(0))).isEqualTo(CancelResult.CANCELLED);
        assertThat(all(JobFilter.ALL, new JobChange.Cancel())).isEqualTo(new ChangeResult(1, 0));
        assertThat(jobs(JobFilter.ALL))
                .extracting(Job::reason)
                .containsOnly("cancelled while it waited for a retry")
                .hasSize(2);
    }

    @Test
    default void oneOfSeveralJobsWithAKeyIsRetried() throws Exception {
        for (int i = 0; i < 3; i++) {
            enqueue(1, EnqueueOptions.DEFAULTS.uniqueKey("k"));
            finish(1, new Verdict.Discarded("broken", "boom"));
        }
        assertThat(all(JobFilter.ALL.state(JobState.DISCARDED), new JobChange.Retry()))
                .isEqualTo(new ChangeResult(1, 2));
        assertThat(fixture().claim(5)).hasSize(1);
    }

    @Test
    default void finishedJobsAreDeletedWithAllTheirRows() throws Exception {
        fixture().assumeOneServer("jobs behind a gap of ids may be committed late, so their ranges stay for a while");
        enqueue(3, tagged("old"));
        finish(3, new Verdict.Retry(Duration.ZERO, "boom"));
        finish(3, new Verdict.Completed());
        enqueue(2, tagged("old"));
        finish(2, new Verdict.Completed());
        enqueue(2, tagged("old"));
        assertThat(all(JobFilter.ALL.tag("new"), new JobChange.Delete())).isEqualTo(new ChangeResult(0, 0));
        assertThat(all(JobFilter.ALL.tag("old"), new JobChange.Delete())).isEqualTo(new ChangeResult(5, 0));
        assertThat(jobs(JobFilter.ALL)).hasSize(2).allMatch(job -> job.state() == JobState.AVAILABLE);
        assertThat(fixture().count("pawl_attempt")).isZero();
        assertThat(fixture().claim(5)).hasSize(2);
    }

    @Test
    default void waitingJobsMoveToAnotherQueueOrTime() throws Exception {
        enqueue(3, tagged("a"));
        enqueue(2, tagged("b"));
        assertThat(all(JobFilter.ALL.tag("a"), new JobChange.Move("mail"))).isEqualTo(new ChangeResult(3, 0));
        assertThat(jobs(JobFilter.ALL.queue("mail"))).hasSize(3);
        Instant later = Instant.parse("2031-02-03T04:05:06.789Z");
        assertThat(all(JobFilter.ALL.queue("mail"), new JobChange.Reschedule(later)))
                .isEqualTo(new ChangeResult(3, 0));
        assertThat(jobs(JobFilter.ALL.queue("mail")))
                .extracting(Job::availableAt)
                .containsOnly(later);
        assertThat(fixture().claim(5)).hasSize(2);
        assertThatThrownBy(() -> new JobChange.Move("two words")).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    @RunsOn({Product.POSTGRESQL, Product.MARIADB, Product.MYSQL})
    default void lockedJobsAreSkipped() throws Exception {
        assumeSkips();
        long locked = fixture().enqueueRow();
        fixture().enqueueRow();
        try (Connection connection = fixture().dataSource().getConnection()) {
            connection.setAutoCommit(false);
            fixture().execute(connection, "UPDATE pawl_job SET priority = 1 WHERE id = " + locked);
            assertThat(all(JobFilter.ALL, new JobChange.Cancel())).isEqualTo(new ChangeResult(1, 1));
            connection.rollback();
        }
        assertThat(fixture().job(locked).state()).isEqualTo(JobState.AVAILABLE);
    }

    private void assumeSkips() {
        org.junit.jupiter.api.Assumptions.assumeTrue(
                fixture().database.dialect().mayCommitLate(), "one writer at a time");
    }

    /** A job that has moved to a row is deleted from its lane only with its range, which may be days later. */
    @Test
    default void noPayloadOfErasedJobsIsLeftInALane() throws Exception {
        enqueue(5, tagged("private"));
        enqueue(1, EnqueueOptions.DEFAULTS);
        List<Grant> claimed = fixture().claim(4);
        assertThat(claimed).hasSize(4);
        fixture().finish(claimed.get(0).lease(), new Verdict.Discarded("no", "boom"));
        fixture().finish(claimed.get(1).lease(), new Verdict.Cancelled("as asked"));
        fixture().finish(claimed.get(2).lease(), new Verdict.Retry(Duration.ofHours(1), "boom"));
        assertThat(fixture().finish(claimed.get(3).lease(), new Verdict.Discarded("no", "boom")))
                .isTrue();
        fixture().sweepMarked();
        assertThat(all(JobFilter.ALL.tag("private"), new JobChange.Erase())).isEqualTo(new ChangeResult(5, 0));
        for (String table : List.of("pawl_job", "pawl_job_history", "pawl_lane_job")) {
            assertThat(fixture().count(table + " WHERE tags LIKE '%private%'"))
                    .as(table)
                    .isZero();
        }
        assertThat(jobs(JobFilter.ALL)).hasSize(1);
        assertThat(fixture().claim(5)).hasSize(1);
    }
}
