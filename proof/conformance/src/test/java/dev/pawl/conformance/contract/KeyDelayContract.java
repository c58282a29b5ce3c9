package dev.pawl.conformance.contract;

import static dev.pawl.conformance.contract.Fixture.GREET;
import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.admin.Admin;
import dev.pawl.admin.CancelResult;
import dev.pawl.admin.EditResult;
import dev.pawl.admin.JobEdit;
import dev.pawl.api.EnqueueOptions;
import dev.pawl.api.Job;
import dev.pawl.api.JobState;
import dev.pawl.conformance.RunsOn;
import dev.pawl.conformance.Specified;
import dev.pawl.internal.assembly.Databases;
import dev.pawl.internal.jdbc.Database;
import dev.pawl.internal.jdbc.RowStates;
import dev.pawl.internal.key.SqlKeys;
import dev.pawl.internal.store.ConcurrencyKeys;
import dev.pawl.internal.store.JobKey;
import dev.pawl.internal.store.Verdict;
import dev.pawl.limit.Limit;
import dev.pawl.servers.Capability;
import dev.pawl.servers.Product;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Delayed jobs with concurrency keys: they sort behind all other jobs of their key, and are not read until they are due. */
@Specified
@WhiteBox
interface KeyDelayContract extends Contract {
    JobKey K = new JobKey("default", "k");
    EnqueueOptions KEY = EnqueueOptions.DEFAULTS.key("k");
    Duration HOUR = Duration.ofHours(1);

    private ConcurrencyKeys keys() {
        return new SqlKeys(fixture().database);
    }

    private ConcurrencyKeys.Released release() throws SQLException {
        return keys().releaseJobs(List.of(K));
    }

    private void enqueueDelayed(int jobs) {
        var unused = fixture().queue.enqueueAll(GREET, Collections.nCopies(jobs, "later"), text -> KEY.delay(HOUR));
    }

    /** Shifts all times as if this much time had passed. */
    private void advance(Duration time) throws SQLException {
        advance(fixture(), time);
    }

    static void advance(Fixture fixture, Duration time) throws SQLException {
        long micros = time.toNanos() / 1_000;
        fixture.execute("UPDATE pawl_keyed SET available_at = available_at - " + micros + " WHERE available_at > 0");
        String earlier = switch (fixture.database.dialect().product()) {
            case "postgresql" -> "interval '1 microsecond' * " + micros;
            case "mysql" -> "INTERVAL " + micros + " MICROSECOND";
            default -> Long.toString(micros);
        };
        fixture.execute("UPDATE pawl_job SET available_at = available_at - " + earlier + " WHERE "
                + RowStates.is(JobState.BLOCKED));
    }

    /** Runs all releasable jobs, one after the other, and returns their ids. */
    private List<Long> runAll() throws Exception {
        List<Long> order = new ArrayList<>();
        while (!release().queues().isEmpty()) {
            var grant = fixture().claimOne();
            order.add(grant.job().id());
            assertThat(fixture().finish(grant.lease(), new Verdict.Completed())).isTrue();
            fixture().sweepMarked();
        }
        return order;
    }

    private long behind() throws SQLException {
        return fixture().longOf("SELECT COUNT(*) FROM pawl_keyed WHERE released = 0 AND available_at > 0");
    }

    @Test
    default void aDueJobIsOrderedByItsPriority() throws Exception {
        fixture().assumeNoTransactionAroundHandlers();
        long last = fixture().enqueue(KEY.delay(HOUR).priority(9));
        long second = fixture().enqueue(KEY.delay(HOUR.plusMinutes(1)).priority(3));
        long first = fixture().enqueue(KEY.delay(HOUR.plusMinutes(2)).priority(-1));
        long fourth = fixture().enqueue(KEY.priority(5));
        long third = fixture().enqueue(KEY.priority(4));
        long far = fixture().enqueue(KEY.availableAt(Instant.parse("2900-01-01T00:00:00Z")));
        assertThat(behind()).isEqualTo(4);
        advance(HOUR.plusMinutes(5));
        assertThat(runAll()).containsExactly(first, second, third, fourth, last);
        assertThat(fixture().job(far).state()).isEqualTo(JobState.BLOCKED);
    }

    @Test
    default void theDueTimeOfABlockedJobIsShown() throws Exception {
        Instant then = Instant.parse("2090-01-01T00:00:00.000001Z");
        long later = fixture().enqueue(KEY.availableAt(then));
        long soon = fixture().enqueue(KEY.delay(HOUR));
        long now = fixture().enqueue(KEY);
        long without = fixture().enqueue(EnqueueOptions.DEFAULTS.delay(HOUR));
        Admin admin = fixture().queue.admin();
        assertThat(admin.jobs().dueAt(later)).contains(then);
        assertThat(admin.jobs().dueAt(soon)).isPresent();
        advance(HOUR.plusMinutes(1));
        for (long id : new long[] {soon, now, without, 999_999}) {
            assertThat(admin.jobs().dueAt(id)).as("job %d", id).isEmpty();
        }
    }

    /** A release of many keys brings forward fewer due jobs of each key than a release of few keys. */
    @Test
    default void alsoAmongHundredsOfKeysTheMoreUrgentGoesFirst() throws Exception {
        List<JobKey> many = IntStream.range(0, 500)
                .mapToObj(i -> new JobKey("default", "many " + i))
                .toList();
        List<String> names = many.stream().map(JobKey::key).toList();
        for (int urgency = 9; urgency > 6; urgency--) {
            EnqueueOptions later =
                    EnqueueOptions.DEFAULTS.delay(HOUR.minusMinutes(urgency)).priority(urgency);
            fixture().queue.enqueueAll(GREET, names, name -> later.key(name));
        }
        advance(HOUR);
        ConcurrencyKeys.Released unused = keys().releaseJobs(many, Map.of());
        assertThat(
                        fixture()
                                .longOf(
                                        "SELECT COUNT(*) FROM pawl_keyed k JOIN pawl_job j ON j.id = k.job_id WHERE j.priority = 7"))
                .as("the job due last is the most urgent, so it is released first")
                .isZero();
        assertThat(fixture().count("pawl_keyed")).isEqualTo(1_000);
    }

    @Test
    default void theNextJobIsKnownWhileNoneIsDue() throws Exception {
        enqueueDelayed(20);
        long unused = fixture().enqueue(KEY.delay(HOUR.dividedBy(2)));
        ConcurrencyKeys.Released done = release();
        assertThat(done.queues()).isEmpty();
        assertThat(done.again().get(K)).isBetween(Duration.ofMinutes(29), Duration.ofMinutes(30));
        assertThat(keys().ready("default", "").keys()).isEmpty();
        advance(HOUR.dividedBy(2));
        assertThat(keys().ready("default", "").keys()).containsExactly(K);
        assertThat(release().queues()).containsExactly("default");
    }

    @Test
    default void changesOfDelayedJobsHoldWhenTheyAreDue() throws Exception {
        fixture().assumeNoTransactionAroundHandlers();
        List<Long> ids = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            ids.add(fixture().enqueue(KEY.delay(HOUR)));
        }
        assertThat(fixture().admin.jobs().edit(ids.get(3), JobEdit.NOTHING.priority(-5), "ann"))
                .isEqualTo(EditResult.CHANGED);
        assertThat(release().queues())
                .as("a new priority does not make a job due")
                .isEmpty();
        assertThat(fixture().admin.jobs().cancel(ids.get(0))).isEqualTo(CancelResult.CANCELLED);
        assertThat(fixture().count("pawl_keyed")).isEqualTo(4);
        assertThat(edit(ids.get(2), Instant.parse("2900-01-01T00:00:00Z"))).isEqualTo(EditResult.CHANGED);
        assertThat(edit(ids.get(4), Instant.parse("2020-01-01T00:00:00Z"))).isEqualTo(EditResult.CHANGED);
        assertThat(runAll()).as("edited to a due time in the past").containsExactly(ids.get(4));
        advance(HOUR);
        assertThat(runAll()).containsExactly(ids.get(3), ids.get(1));
        assertThat(edit(ids.get(2), Instant.parse("2020-01-01T00:00:00Z"))).isEqualTo(EditResult.CHANGED);
        assertThat(runAll()).containsExactly(ids.get(2));
    }

    private EditResult edit(long id, Instant at) {
        return fixture().admin.jobs().edit(id, JobEdit.NOTHING.availableAt(at), "ann");
    }

    /** A job that is gone has finished or moved, and only its row in {@code pawl_keyed} is left. */
    @Test
    default void jobsThatAreGoneWhenDueDelayNoOthers() throws Exception {
        fixture().assumeNoTransactionAroundHandlers();
        enqueueDelayed(30);
        long last = fixture().enqueue(KEY.delay(HOUR));
        fixture().execute("DELETE FROM pawl_job WHERE id < " + last);
        advance(HOUR);
        assertThat(release().queues()).containsExactly("default");
        assertThat(fixture().claimOne().job().id()).isEqualTo(last);
        assertThat(fixture().count("pawl_keyed")).isZero();
        assertThat(fixture().count("pawl_key WHERE has_in_flight = 1"))
                .as("the row of its key")
                .isOne();
    }

    /** The transaction that changes a job locks it: the job is released after this transaction, the others are released now. */
    @Test
    @RunsOn({Product.POSTGRESQL, Product.MARIADB, Product.MYSQL})
    default void aJobLockedByAChangeIsSkipped() throws Exception {
        fixture().assumeCan(Capability.ROW_LOCKS);
        long changing = fixture().enqueue(KEY.delay(HOUR));
        long other = fixture().enqueue(KEY.delay(HOUR));
        fixture().queue.limits().set(Limit.keysOf("default").atOnce(2));
        advance(HOUR);
        fixture().database.transaction(connection -> {
            fixture().execute(connection, "UPDATE pawl_job SET priority = 7 WHERE id = " + changing);
            ConcurrencyKeys.Released done = release();
            assertThat(done.queues()).containsExactly("default");
            assertThat(done.again().get(K)).isBetween(Duration.ofMillis(1), Duration.ofSeconds(1));
            return true;
        });
        assertThat(fixture().job(other).state()).isNotEqualTo(JobState.BLOCKED);
        assertThat(fixture().job(changing).state()).isEqualTo(JobState.BLOCKED);
        assertThat(release().queues()).containsExactly("default");
        assertThat(fixture().job(changing).state()).isEqualTo(JobState.AVAILABLE);
        assertThat(fixture().job(changing).state()).isNotEqualTo(JobState.BLOCKED);
        assertThat(fixture().job(changing).priority()).isEqualTo(7);
        assertThat(fixture().count("pawl_keyed")).isZero();
    }

    /** Each part of a key's jobs is read in index order, and no further than needed, so the number of jobs does not matter. */
    @Test
    default void noKeyReleaseReadsAllJobsOfAKey() throws Exception {
        enqueueDelayed(1_000);
        for (int i = 0; i < 100; i++) {
            Job unused = fixture().job(fixture().enqueue(KEY));
        }
        for (boolean analyzed : new boolean[] {false, true}) {
            if (analyzed) {
                fixture().execute(fixture().product.analyze("pawl_keyed"));
            }
            ExplainingDataSource source =
                    new ExplainingDataSource(fixture().pool, fixture().product.explain());
            ConcurrencyKeys explained = new SqlKeys(new Database(
                    source.dataSource(),
                    Databases.of(fixture().pool, fixture().prefix).dialect()));
            ConcurrencyKeys.Released unused = explained.releaseJobs(List.of(K, new JobKey("default", "none")));
            List<ExplainingDataSource.Plan> plans = source.takePlans("ORDER BY available_at, priority, job_id");
            assertThat(plans).hasSizeGreaterThanOrEqualTo(2);
            plans.forEach(plan -> assertThat(String.join("\n", plan.lines()))
                    .as("%s", plan.sql())
                    .contains(fixture().prefix + "keyed_l")
                    .doesNotContain("Sort", "filesort", "TEMP B-TREE", "Seq Scan", "Bitmap"));
            fixture().execute("UPDATE pawl_key SET in_flight = NULL, has_in_flight = 0");
        }
    }
}
