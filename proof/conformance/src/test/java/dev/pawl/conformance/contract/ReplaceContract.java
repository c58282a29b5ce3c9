package dev.pawl.conformance.contract;

import static dev.pawl.conformance.contract.Fixture.GREET;
import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.JobQueue;
import dev.pawl.api.EnqueueOptions;
import dev.pawl.api.EnqueueResult;
import dev.pawl.api.Job;
import dev.pawl.api.JobRequest;
import dev.pawl.api.OnDuplicate;
import dev.pawl.api.UniqueWhile;
import dev.pawl.conformance.Specified;
import dev.pawl.internal.key.SqlKeys;
import dev.pawl.internal.store.JobKey;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Whether a job may be replaced depends on what its row is linked to, not on the request. */
@Specified
@WhiteBox
interface ReplaceContract extends Contract {
    /** The job that has the unique key. */
    enum Old {
        PLAIN(true),
        DELAYED(true),
        ELSEWHERE(true),
        COSTLY(true),
        EXPIRING(true),
        TAGGED(true),
        /** Has a header that differs from the library's header in its case, because SQLite compares without case. */
        OTHER_CASE(true),
        RETRYING(true),
        BLOCKED(false),
        BLOCKED_AND_DELAYED(false),
        RELEASED(false),
        IN_BATCH(false),
        IN_PAUSED_BATCH(false),
        OF_SCHEDULE(false),
        BEGUN(false);

        final boolean mayBeReplaced;

        Old(boolean mayBeReplaced) {
            this.mayBeReplaced = mayBeReplaced;
        }

        private EnqueueOptions options(EnqueueOptions unique, String key) {
            return switch (this) {
                case DELAYED -> unique.delay(Duration.ofHours(1));
                case ELSEWHERE -> unique.queue("elsewhere");
                case COSTLY -> unique.cost(7);
                case EXPIRING -> unique.expiresIn(Duration.ofDays(1));
                case TAGGED -> unique.tags("old").header("old", "yes").priority(3);
                case OTHER_CASE -> unique.header("Pawl-Key", "old");
                case BLOCKED, RELEASED -> unique.key(key);
                case BLOCKED_AND_DELAYED -> unique.key(key).delay(Duration.ofHours(1));
                default -> unique;
            };
        }

        private long enqueue(Fixture fixture, EnqueueOptions unique, String key) throws Exception {
            EnqueueOptions options = options(unique, key);
            JobQueue queue = fixture.queue;
            if (this == IN_BATCH || this == IN_PAUSED_BATCH) {
                var batch = queue.batch(key).open();
                if (this == IN_PAUSED_BATCH) {
                    batch.pause();
                }
                return queue.enqueue(GREET, "old", batch.with(options)).jobId();
            }
            long id = queue.enqueue(GREET, "old", options).jobId();
            switch (this) {
                case RELEASED -> new SqlKeys(fixture.database).releaseJobs(List.of(new JobKey("default", key)));
                case RETRYING -> fixture.execute("UPDATE pawl_job SET attempt = 2 WHERE id = " + id);
                case BEGUN ->
                    fixture.execute("INSERT INTO pawl_step (job_id, kind, name, place, state, payload, written_at)"
                            + " SELECT id, 0, 'one', 1, 1, '1', created_at FROM pawl_job WHERE id = " + id);
                case OF_SCHEDULE ->
                    fixture.execute("UPDATE pawl_job SET headers = '{\"pawl-schedule\":\"nightly\","
                            + "\"pawl-tick\":\"2030-01-31T08:00:00Z\"}' WHERE id = " + id);
                default -> {}
            }
            return id;
        }
    }

    /** The job that replaces the old one. */
    enum New {
        PLAIN,
        ELSEWHERE,
        LATER,
        COSTLY,
        EXPIRING,
        TAGGED;

        private EnqueueOptions options(EnqueueOptions unique) {
            return switch (this) {
                case PLAIN -> unique;
                case ELSEWHERE -> unique.queue("elsewhere");
                case LATER -> unique.delay(Duration.ofHours(2));
                case COSTLY -> unique.cost(9);
                case EXPIRING -> unique.expiresAt(Instant.parse("2999-01-01T00:00:00Z"));
                case TAGGED -> unique.tags("new").header("new", "yes").priority(-3);
            };
        }
    }

    /** How the new job is enqueued. */
    enum Way {
        REPLACED,
        MERGED
    }

    @ParameterizedTest
    @EnumSource(Old.class)
    default void theLinksOfAJobDecideWhetherItIsReplaced(Old old) throws Exception {
        for (UniqueWhile scope : List.of(UniqueWhile.LIVE, UniqueWhile.WAITING, UniqueWhile.KEPT)) {
            for (Way way : Way.values()) {
                for (New next : New.values()) {
                    String name = old + " " + scope + " " + way + " " + next;
                    if (old != Old.OF_SCHEDULE
                            || scope == UniqueWhile.LIVE) { // because a schedule sets the headers anew
                        meets(
                                name,
                                old,
                                next,
                                way,
                                EnqueueOptions.DEFAULTS.uniqueKey(name).uniqueWhile(scope));
                    }
                }
            }
        }
    }

    private void meets(String name, Old old, New next, Way way, EnqueueOptions unique) throws Exception {
        Fixture fixture = fixture();
        long id = old.enqueue(fixture, unique, name);
        Job before = fixture.job(id);
        long places = places(id);
        EnqueueOptions options = next.options(unique);
        EnqueueResult result = way == Way.MERGED
                ? fixture.queue.enqueueMerged(GREET, "new", options, (waiting, more) -> more)
                : fixture.queue.enqueue(new JobRequest("greet", "\"new\"", options.onDuplicate(OnDuplicate.REPLACE)));
        Job after = fixture.job(id);
        if (old == Old.BEGUN && unique.uniqueWhile() == UniqueWhile.WAITING) {
            assertThat(result)
                    .as(name)
                    .isInstanceOf(EnqueueResult.Inserted.class); // the old job does not wait any more
        } else if (old.mayBeReplaced) {
            assertThat(result).as(name).isEqualTo(new EnqueueResult.Replaced(id));
            assertThat(after.queue()).as(name).isEqualTo(options.queue());
            assertThat(after.payload()).as(name).isEqualTo("\"new\"");
            assertThat(after.priority()).as(name).isEqualTo(options.priority());
            assertThat(after.tags()).as(name).isEqualTo(options.tags());
            assertThat(after.headers()).as(name).containsAllEntriesOf(options.headers());
            assertThat(after.headers()).as(name).doesNotContainKey("old");
            assertThat(after.attempt()).as(name).isZero();
            assertThat(after.uniqueKey()).as(name).isEqualTo(name);
            assertThat(Duration.between(after.createdAt(), after.availableAt()))
                    .as(name)
                    .isEqualTo(options.delay());
        } else {
            assertThat(result).as(name).isEqualTo(new EnqueueResult.Duplicate(id));
            assertThat(withoutToken(after)).as(name).isEqualTo(withoutToken(before));
        }
        assertThat(places(id)).as(name).isEqualTo(places);
    }

    private static String withoutToken(Job job) {
        return job.queue()
                + job.payload()
                + job.priority()
                + job.tags()
                + job.headers()
                + job.availableAt()
                + job.createdAt()
                + job.maxAttempts()
                + job.state()
                + job.attempt();
    }

    private long places(long id) throws Exception {
        return fixture().longOf("SELECT COUNT(*) FROM pawl_keyed WHERE job_id = " + id);
    }
}
